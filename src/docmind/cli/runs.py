"""`docmind runs`: the questions that were asked, what one gave, and going on with one that did not end."""

from typing import Annotated

import typer

from docmind.cli.confirming import Yes, ask_first
from docmind.cli.feedback import list_feedback, rate
from docmind.cli.help import App
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, AsPage, RunReference, User, Workspace
from docmind.cli.wrapping import say
from docmind.domain.scope import Scope

app = App("runs")

Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, max=1000, help="The most runs to show.")]


@app.callback(invoke_without_command=True)
def runs(
    context: typer.Context, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """List, show, continue, rate, export and delete runs. Without a command, list them."""
    if context.invoked_subcommand is None:
        list_runs(workspace, user, as_json=as_json)
    # An option given before `show` means the same as after it.
    before = {"workspace": workspace, "user": user, "as_json": as_json}
    context.default_map = dict.fromkeys(("list", "show", "resume", "rate", "feedback", "export", "delete"), before)


app.command()(rate)
app.command("feedback")(list_feedback)


@app.command("list")
def list_runs(
    workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, limit: Limit = 20, as_json: AsJson = False
) -> None:
    """List the latest runs of a workspace, newest first."""
    from docmind.cli.run_view import run_row, show_runs
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.runs(Scope(workspace, user), limit=limit)
    if as_json:
        print_json([run_row(run) for run in found])
    elif found:
        show_runs(out(), found)
    else:
        say(f"No questions have been asked in workspace {workspace!r} yet. Ask one with `docmind ask Q`.", err=True)


@app.command()
def show(
    reference: RunReference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """Show what a run was asked, what it gave, and the path it took."""
    from docmind.cli import watching
    from docmind.cli.run_view import run_row
    from docmind.cli.terminal import out, print_json, printable
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        run = engine.find_run(reference, scope)
        if as_json:
            print_json(run_row(run) | {"result": run.result and run.result.model_dump(mode="json")})
            return
        out().print(printable(run.question), style="bold", soft_wrap=True)
        if run.result is not None:
            watching.show(engine, run.result, scope, with_trace=True)
            return
    why = f" {printable(run.reason)}" if run.reason else ""
    out().print(f"It is {run.state}.{why} `{watching.resume_command(run.id, scope)}` continues it.", soft_wrap=True)


@app.command()
def resume(
    reference: RunReference,
    answer: Annotated[
        list[str] | None, typer.Argument(metavar="ANSWER", help="The answer to what the run asked, if it did.")
    ] = None,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Continue a run that was interrupted or failed from its last finished step, or answer its question."""
    from docmind.cli import watching
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        result = watching.watch(engine.resume_stream(reference, scope, " ".join(answer) if answer else None), scope)
        if as_json:
            print_json(result.model_dump(mode="json"))
        else:
            watching.show(engine, result, scope)


@app.command()
def export(
    reference: RunReference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, html: AsPage = False
) -> None:
    """Print a question with its answer, sources and checks: as JSON, or as a page for people."""
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        if html:
            typer.echo(engine.share_run(reference, scope), nl=False)
        else:
            print_json(engine.export_run(reference, scope))


@app.command()
def delete(
    reference: RunReference,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete a run and everything that was recorded for it, including passages of documents."""
    from docmind.cli.run_view import run_row
    from docmind.cli.terminal import print_json, printable
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        run = engine.find_run(reference, scope)
        if not yes:
            ask_first(f"Delete the run on “{printable(run.question)[:80]}”?")
        engine.delete_run(run.id, scope)
    if as_json:
        print_json(run_row(run))
    else:
        typer.echo(f"deleted  {run.id[:8]}")
