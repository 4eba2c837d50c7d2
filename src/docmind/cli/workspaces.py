"""`docmind workspaces`: what there is, a new one to begin with, and one taken away with everything in it."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli import known
from docmind.cli.app import App
from docmind.cli.options import AsJson, Yes, ask_first
from docmind.cli.wrapping import say

if TYPE_CHECKING:
    from docmind.runtime.workspaces import Workspace

app = App("workspaces")

Name = Annotated[str, typer.Argument(metavar="W", help="The workspace's name.", autocompletion=known.workspaces)]


@app.callback(invoke_without_command=True)
def workspaces(context: typer.Context, as_json: AsJson = False) -> None:
    """List, create and delete workspaces. Without a command, list them."""
    if context.invoked_subcommand is None:
        list_workspaces(as_json)
    # An option given before `create` means the same as after it.
    context.default_map = {name: {"as_json": as_json} for name in ("list", "create", "delete")}


@app.command("list")
def list_workspaces(as_json: AsJson = False) -> None:
    """List the workspaces with the number of their documents, passages and runs, whoever owns them."""
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.workspaces()
    if as_json:
        print_json([asdict(workspace) for workspace in found])
    elif found:
        from docmind.cli.terminal import Column, show_table

        counts = (Column(name, right=True) for name in ("documents", "passages", "runs"))
        rows = [(one.name, f"{one.documents:,}", f"{one.passages:,}", f"{one.runs:,}") for one in found]
        show_table(out(), (Column("name"), *counts), rows)
    else:
        say("There are no workspaces yet. Create one with `docmind ingest PATH --workspace W`.", err=True)


@app.command()
def create(name: Name, as_json: AsJson = False) -> None:
    """Create an empty workspace. If it exists already, it stays as it is."""
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        there = any(workspace.name == name for workspace in engine.workspaces())
        made = engine.create_workspace(name)
    if as_json:
        print_json(asdict(made))
    else:
        typer.echo(f"there already  {made.name}" if there else f"created  {made.name}")


@app.command()
def delete(
    name: Name,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete a workspace with everything in it: documents of every owner, facilities, runs and threads.

    Its keys are revoked. The files that its documents came from are left alone.
    """
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = next((one for one in engine.workspaces() if one.name == name), None)
        if found is not None and not yes:
            _ask(found)
        deleted = engine.delete_workspace(name)
    if as_json:
        print_json(asdict(deleted))
    else:
        typer.echo(f"deleted  {deleted.name}")


def _ask(workspace: "Workspace") -> None:
    held = f"{_counted(workspace.documents, 'document')} and {_counted(workspace.runs, 'run')}"
    ask_first(f"Delete workspace {workspace.name!r} with {held}?")


def _counted(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"
