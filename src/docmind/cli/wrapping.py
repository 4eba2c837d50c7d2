"""Lines that end between words: for help, for answers and for what the program says on a terminal."""

import textwrap

import typer

from docmind.cli import requester


def lines(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    """The text in lines of this width; a word that is longer stands whole on a line of its own."""
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False
    )


def say(message: str, *, err: bool = False) -> None:
    """A message for people: on a terminal broken between words, elsewhere one line a paragraph."""
    if not requester.stream(err=err).isatty():
        echo(message, err=err)
        return
    width = requester.message_columns()
    for paragraph in message.split("\n"):
        echo("\n".join(lines(paragraph, width)), err=err)


def echo(message: str, *, err: bool = False, nl: bool = True) -> None:
    """As typer's, to whoever asked for the command."""
    typer.echo(message, requester.stream(err=err), nl)
