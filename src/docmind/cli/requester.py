"""For whom a command is performed: for the person at this process, or for a program that has a service perform it."""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

if TYPE_CHECKING:
    from docmind.domain.stream import StreamEvent
    from docmind.runtime.engine import DocMind


class Asked(NamedTuple):
    """What a command asks its questions of."""

    engine: "DocMind"
    stream: "Callable[..., Iterator[StreamEvent]]"
    """As the engine's."""


@dataclass(frozen=True, slots=True)
class Requester:
    """A program that has a service perform its command: what it writes to, and what answers it."""

    out: TextIO
    err: TextIO
    environment: Mapping[str, str]
    """Those of its variables that say what its terminal can show, its size among them."""
    message_columns: int
    """How wide messages are, which follow standard output alone."""
    save: Callable[[Path, bytes], None]
    asked: Asked


REQUESTER: ContextVar[Requester | None] = ContextVar("requester", default=None)
"""None where the command is performed for the person at this process."""


def stream(*, err: bool) -> TextIO:
    """Standard output or standard error of whoever asked."""
    requester = REQUESTER.get()
    if requester is None:
        return sys.stderr if err else sys.stdout
    return requester.err if err else requester.out


def message_columns() -> int:
    """How wide a line of a message may be on the terminal of whoever asked."""
    requester = REQUESTER.get()
    return shutil.get_terminal_size().columns if requester is None else requester.message_columns


def save(file: Path, content: bytes) -> None:
    """Write a file where whoever asked wants it; their folder is made if it is not there."""
    requester = REQUESTER.get()
    if requester is not None:
        requester.save(file, content)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


@contextmanager
def asked_engine() -> "Iterator[Asked]":
    """The engine of the service that performs this command, or one of its own, for as long as the block runs."""
    requester = REQUESTER.get()
    if requester is not None:
        yield requester.asked
        return
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        yield Asked(engine, engine.stream)
