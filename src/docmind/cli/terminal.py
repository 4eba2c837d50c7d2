"""Where output goes: pretty in a terminal; in a pipe plain, uncoloured and never wrapped."""

import json
import unicodedata
from typing import Any

import typer
from rich.console import Console

READABLE_WIDTH = 100
_UNBOUNDED = 10_000


class _Console(Console):
    def on_broken_pipe(self) -> None:
        # Rich would end the program here; how it ends is for one place to decide.
        raise BrokenPipeError


def out() -> Console:
    return _console(stderr=False)


def err() -> Console:
    return _console(stderr=True)


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def printable(text: str) -> str:
    """Text without control characters: a document must not be able to steer the reader's terminal."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) != "Cc" else " " for c in text)


def _console(*, stderr: bool) -> Console:
    console = _Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
    return console
