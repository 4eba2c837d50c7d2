"""The program `docmind`: its commands wired together, and the one place where it ends."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from docmind.cli import documents, edge, facilities, keys, models, runs, threads, workspaces
from docmind.cli.ask import ask
from docmind.cli.bench import bench
from docmind.cli.chat import chat
from docmind.cli.check import check
from docmind.cli.doctor import doctor
from docmind.cli.graph import graph
from docmind.cli.ingest import ingest
from docmind.cli.replay import replay
from docmind.cli.search import search
from docmind.cli.serve import serve

app = typer.Typer(
    name="docmind",
    # Plain help starts faster than boxed help and can be searched with grep.
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(ingest)
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
app.command()(doctor)
app.command()(bench)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"docmind {version('docmind')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    _debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something goes wrong.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Answers over your own documents that check themselves: cited, audited to the character, bounded."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    # Checking multiplies many small matrices, and threads that share one spend their time waiting for each other: it
    # takes three times as long with two. Models bring threads of their own. Read when numpy is first imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Names of files may hold bytes that no encoding can print; a replacement beats a crash.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code. Whatever goes wrong ends here, in one line."""
    debug = False
    try:
        command = typer.main.get_command(app)
        with command.make_context("docmind", list(arguments)) as context:
            debug = context.params["_debug"]
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as end:
        return end.exit_code
    except BrokenPipeError:
        # Whoever read the output has seen enough. The interpreter's last flush must not complain about it either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return edge.BROKEN_PIPE
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the edge: nothing may pass it as a traceback
        return edge.report(error, debug=debug)
    return 0
