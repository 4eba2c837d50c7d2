"""Where output goes: pretty in a terminal; in a pipe plain, uncoloured and never wrapped."""

import json
import re
from typing import Any

import typer
from rich.console import Console

READABLE_WIDTH = 100
_UNBOUNDED = 10_000
# Controls, and what turns the direction of writing round: either makes a terminal show what is not there.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        # Rich would end the program here; how it ends is for one place to decide.
        raise BrokenPipeError


def out() -> Console:
    return _console(stderr=False)


def err() -> Console:
    return _console(stderr=True)


def print_json(value: Any) -> None:
    told = json.dumps(value, ensure_ascii=False, indent=2)
    # The same to a program, and harmless to a terminal.
    typer.echo(_STEERING.sub(lambda control: f"\\u{ord(control[0]):04x}", told))


def printable(text: str) -> str:
    """Text without control characters: a document must not be able to steer the reader's terminal."""
    return _STEERING.sub(" ", text)


def _console(*, stderr: bool) -> Console:
    console = _Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
    return console
