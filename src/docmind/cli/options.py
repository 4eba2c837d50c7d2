"""The options that commands share, spelt once, and the question before anything is deleted."""

import sys
from typing import Annotated

import typer

from docmind.cli import known

DEFAULT_WORKSPACE = known.DEFAULT_WORKSPACE

Workspace = Annotated[
    str,
    typer.Option(
        "--workspace",
        "-w",
        metavar="W",
        help="The workspace to work in. Workspaces do not see each other's documents.",
        autocompletion=known.workspaces,
    ),
]
User = Annotated[
    str | None,
    typer.Option("--user", "-u", metavar="U", help="Work as this user: with their own documents and the shared ones."),
]
AsPage = Annotated[
    bool, typer.Option("--html", help="Print one page of HTML that can be read anywhere; > FILE saves it.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

RunReference = Annotated[
    str, typer.Argument(metavar="RUN", help="A run's id, or the start of it.", autocompletion=known.runs)
]

Workflow = Annotated[
    str,
    typer.Option(
        "--workflow",
        metavar="NAME",
        help="How to answer: docs, strategy, finance or chat.",
        autocompletion=known.workflows,
    ),
]


Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")]


def ask_first(question: str) -> None:
    """Go on only if a person says yes."""
    if not sys.stdin.isatty():
        raise typer.BadParameter("add --yes to delete without being asked.", param_hint="--yes")
    typer.confirm(question, abort=True, err=True)
