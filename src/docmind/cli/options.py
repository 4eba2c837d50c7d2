"""The options that commands share, spelt once."""

from typing import Annotated

import typer

Workspace = Annotated[
    str, typer.Option("--workspace", "-w", metavar="W", help="The workspace to work in; nothing is seen across them.")
]
User = Annotated[
    str | None,
    typer.Option("--user", "-u", metavar="U", help="Work as this user: their own documents besides the shared ones."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

DEFAULT_WORKSPACE = "default"
