"""`docmind chat`: a conversation with the documents, in which questions can be asked back."""

from typing import Annotated
from uuid import uuid4

import typer

from docmind.cli import known
from docmind.cli.options import DEFAULT_WORKSPACE, User, Workspace
from docmind.domain.scope import Scope


def chat(
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    thread: Annotated[
        str | None,
        typer.Option(
            "--thread",
            metavar="T",
            help="Continue this conversation, or give a new one this name.",
            autocompletion=known.threads,
        ),
    ] = None,
    simple: Annotated[
        bool, typer.Option("--simple", help="Answer each question by itself: nothing is remembered or asked back.")
    ] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show the path that each turn took.")] = False,
) -> None:
    """Talk with your documents.

    Each line is a message; it may refer to what was said before. Where DocMind asks back, reply with a number or in
    words, now or another day: `docmind threads pending` shows what is open. /help shows what else can be typed.

    \b
    Example:
      docmind chat --workspace strategy --thread prices
    """
    from docmind.cli.conversation import Conversation
    from docmind.runtime.engine import DocMind

    if simple and thread is not None:
        raise typer.BadParameter(
            "--simple remembers nothing, so it cannot be used with --thread.", param_hint="--thread"
        )
    with DocMind() as engine:
        Conversation(engine, Scope(workspace, user), thread or _new(), simple=simple, with_trace=trace).hold(_new)


def _new() -> str:
    return uuid4().hex[:8]
