"""The commands of the program, wired together."""

import sys
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import typer

from docmind.cli import completion, documents, facilities, keys, models, runs, settings, threads, workspaces
from docmind.cli.app import App, Program
from docmind.cli.ask import ask
from docmind.cli.backup import backup, repair, restore
from docmind.cli.chat import chat
from docmind.cli.check import check
from docmind.cli.demo import demo
from docmind.cli.doctor import doctor
from docmind.cli.errors import report
from docmind.cli.graph import graph
from docmind.cli.ingest import ingest
from docmind.cli.reindex import reindex
from docmind.cli.runs import replay
from docmind.cli.search import search
from docmind.cli.serve import serve
from docmind.cli.watch import watch
from docmind.version import VERSION

app = App("docmind", Program)
app.command()(demo)
app.command()(ingest)
app.command()(watch)
app.command()(reindex)
app.command()(ask)
app.command()(chat)
app.command()(search)
app.command()(check)
app.add_typer(documents.app)
app.add_typer(workspaces.app)
app.add_typer(runs.app)
app.add_typer(threads.app)
app.command()(replay)
app.command()(graph)
app.add_typer(facilities.app)
app.command()(serve)
app.add_typer(keys.app)
app.add_typer(models.app)
app.add_typer(settings.app)
app.command()(doctor)
app.command()(backup)
app.command()(restore)
app.command()(repair)
app.command()(completion.completion)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"docmind {VERSION}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    _debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something goes wrong.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
    _install_completion: Annotated[
        bool,
        typer.Option(
            "--install-completion",
            callback=completion.install,
            is_eager=True,
            help="Let your shell complete commands, options and names.",
        ),
    ] = False,
) -> None:
    """Ask your own documents, and see exactly where each answer comes from."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@cache
def _program() -> Any:
    return typer.main.get_command(app)


def perform(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code. Whatever goes wrong ends here, in one line."""
    debug = False
    try:
        command = _program()
        if (code := completion.answer_shell(command)) is not None:
            return code
        with command.make_context("docmind", list(arguments)) as context:
            debug = context.params["_debug"]
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as end:
        return end.exit_code
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the edge: nothing may pass it as a traceback
        return report(error, debug=debug)
    return 0
