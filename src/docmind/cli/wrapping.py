"""Lines that end between words: for help, for answers and for what the program says on a terminal."""

import shutil
import sys
import textwrap

import typer


def lines(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    """The text in lines of this width; a word that is longer stands whole on a line of its own."""
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False
    )


def say(message: str, *, err: bool = False) -> None:
    """A message for people: on a terminal broken between words, elsewhere one line a paragraph."""
    stream = sys.stderr if err else sys.stdout
    if not stream.isatty():
        typer.echo(message, err=err)
        return
    width = shutil.get_terminal_size().columns
    for paragraph in message.split("\n"):
        typer.echo("\n".join(lines(paragraph, width)), err=err)
