"""`docmind threads`: the conversations that were held, what they wait for, and forgetting one."""

from typing import Annotated

import typer

from docmind.cli.confirming import Yes, ask_first
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.domain.scope import Scope

app = typer.Typer(name="threads", rich_markup_mode=None, add_completion=False)

Reference = Annotated[str, typer.Argument(metavar="THREAD", help="A thread's id.")]


@app.callback(invoke_without_command=True)
def threads(
    context: typer.Context, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """List conversations, show one, export one, delete one, and see what is asked of you; alone it lists them."""
    if context.invoked_subcommand is None:
        list_threads(workspace, user, as_json=as_json)
    # An option given before `show` means the same as after it.
    before = {"workspace": workspace, "user": user, "as_json": as_json}
    context.default_map = dict.fromkeys(("list", "show", "export", "pending", "delete"), before)


@app.command("list")
def list_threads(workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False) -> None:
    """List the conversations of a workspace, the one that was last spoken in first."""
    from docmind.cli import thread_view
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.threads(Scope(workspace, user))
    if as_json:
        print_json([thread_view.row(thread) for thread in found])
    elif found:
        thread_view.table(out(), found)
    else:
        typer.echo(f"No conversation was held in workspace {workspace!r} yet: `docmind chat` begins one.", err=True)


@app.command()
def show(
    thread: Reference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """Show a conversation from its first word to its last."""
    from docmind.cli import thread_view
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.find_thread(thread, Scope(workspace, user))
    print_json(found.export()) if as_json else thread_view.show(out(), found)


@app.command()
def export(thread: Reference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None) -> None:
    """Print a whole conversation as JSON, every answer with its sources."""
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        print_json(engine.export_thread(thread, Scope(workspace, user)))


@app.command()
def pending(workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False) -> None:
    """List what DocMind has asked you and still waits for."""
    from docmind.cli import run_view, thread_view
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.pending(Scope(workspace, user))
    if as_json:
        asked = [
            run.result.clarification.model_dump() if run.result and run.result.clarification else None for run in found
        ]
        print_json([run_view.row(run) | {"clarification": put} for run, put in zip(found, asked, strict=True)])
    elif found:
        thread_view.open_questions(out(), found)
        typer.echo("`docmind chat --thread THREAD` or `docmind runs resume RUN ANSWER` goes on with one.", err=True)
    else:
        typer.echo("Nothing is asked of you.", err=True)


@app.command()
def delete(
    thread: Reference,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete a conversation with its runs and everything that was recorded for them."""
    from docmind.cli import thread_view
    from docmind.cli.terminal import print_json, printable
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        found = engine.find_thread(thread, scope)
        if not yes:
            ask_first(f"Delete the conversation that began with “{printable(found.title)}”?")
        engine.delete_thread(thread, scope)
    print_json(thread_view.row(found)) if as_json else typer.echo(f"deleted  {printable(found.id)}")
