"""`docmind threads`: the conversations that were held, what they wait for, and forgetting one."""

from typing import Annotated

import typer

from docmind.cli import known
from docmind.cli.app import App
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, AsPage, User, Workspace, Yes, ask_first
from docmind.cli.wrapping import say
from docmind.domain.scope import Scope

app = App("threads")

Reference = Annotated[str, typer.Argument(metavar="THREAD", help="A conversation's id.", autocompletion=known.threads)]


@app.callback(invoke_without_command=True)
def threads(
    context: typer.Context, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """List, show, rename, pin, export and delete conversations, and see which questions are waiting for you.

    Without a command, list them.
    """
    if context.invoked_subcommand is None:
        list_threads(workspace, user, as_json=as_json)
    # An option given before `show` means the same as after it.
    before = {"workspace": workspace, "user": user, "as_json": as_json}
    context.default_map = dict.fromkeys(
        ("list", "show", "rename", "pin", "unpin", "export", "pending", "delete"), before
    )


@app.command("list")
def list_threads(
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    search: Annotated[
        str,
        typer.Option("--search", metavar="TEXT", help="Only those whose title or questions contain all these words."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """List the conversations of a workspace: pinned ones first, then the latest."""
    from docmind.cli.history import show_threads, thread_row
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.threads(Scope(workspace, user), search=search)
    if as_json:
        print_json([thread_row(thread) for thread in found])
    elif found:
        show_threads(out(), found)
    elif search:
        typer.echo(f"No conversation in workspace {workspace!r} contains {search!r}.", err=True)
    else:
        say(f"There are no conversations in workspace {workspace!r} yet. Start one with `docmind chat`.", err=True)


@app.command()
def show(
    thread: Reference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """Show a conversation from its first word to its last."""
    from docmind.cli.history import show_thread
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.find_thread(thread, Scope(workspace, user))
    print_json(found.export()) if as_json else show_thread(out(), found)


@app.command()
def rename(
    thread: Reference,
    title: Annotated[
        list[str], typer.Argument(metavar="TITLE", help="Its new title; '' goes back to its first question.")
    ],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Give a conversation a title of your own."""
    _change(thread, Scope(workspace, user), as_json=as_json, title=" ".join(title))


@app.command()
def pin(
    thread: Reference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """Keep a conversation at the top of the list."""
    _change(thread, Scope(workspace, user), as_json=as_json, pinned=True)


@app.command()
def unpin(
    thread: Reference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """Unpin a conversation: it takes its place by date again."""
    _change(thread, Scope(workspace, user), as_json=as_json, pinned=False)


def _change(thread: str, scope: Scope, *, as_json: bool, title: str | None = None, pinned: bool | None = None) -> None:
    from docmind.cli.history import thread_row
    from docmind.cli.terminal import print_json, printable
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        changed = engine.label_thread(thread, scope, title=title, pinned=pinned)
    if as_json:
        print_json(thread_row(changed))
    else:
        typer.echo(f"{printable(changed.id)}  {printable(changed.title)}{' (pinned)' if changed.label.pinned else ''}")


@app.command()
def export(
    thread: Reference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, html: AsPage = False
) -> None:
    """Print a whole conversation, every answer with its sources: as JSON, or as a page for people."""
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        if html:
            typer.echo(engine.share_thread(thread, scope), nl=False)
        else:
            print_json(engine.export_thread(thread, scope))


@app.command()
def pending(workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False) -> None:
    """List what DocMind has asked you and still waits for."""
    from docmind.cli.history import run_row, show_open_questions
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.pending(Scope(workspace, user))
    if as_json:
        asked = [
            run.result.clarification.model_dump() if run.result and run.result.clarification else None for run in found
        ]
        print_json([run_row(run) | {"clarification": put} for run, put in zip(found, asked, strict=True)])
    elif found:
        show_open_questions(out(), found)
        say("Answer one with `docmind chat --thread THREAD` or `docmind runs resume RUN ANSWER`.", err=True)
    else:
        say("No questions are waiting for you.", err=True)


@app.command()
def delete(
    thread: Reference,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete a conversation with its runs and everything that was recorded for them."""
    from docmind.cli.history import thread_row
    from docmind.cli.terminal import print_json, printable
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        found = engine.find_thread(thread, scope)
        if not yes:
            ask_first(f"Delete the conversation “{printable(found.title)}”?")
        engine.delete_thread(thread, scope)
    print_json(thread_row(found)) if as_json else typer.echo(f"deleted  {printable(found.id)}")
