"""Asks before anything is deleted; where nobody can be asked, deleting has to be said outright."""

import sys
from typing import Annotated

import typer

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")]


def ask_first(question: str) -> None:
    """Go on only if a person says yes."""
    if not sys.stdin.isatty():
        raise typer.BadParameter("add --yes to delete without being asked.", param_hint="--yes")
    typer.confirm(question, abort=True, err=True)
