"""`docmind ask`: an answer with its sources, checked claim by claim."""

from pathlib import Path
from typing import Annotated

import typer

from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.cli.search import nothing_found
from docmind.domain.answers import Status
from docmind.domain.scope import Scope
from docmind.domain.search import Filters


def ask(
    question: Annotated[list[str], typer.Argument(metavar="Q", help="What you want to know, in plain words.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    workflow: Annotated[
        str, typer.Option("--workflow", metavar="NAME", help="How to answer: docs, strategy, finance or chat.")
    ] = "docs",
    trace: Annotated[
        bool, typer.Option("--trace", help="Show the path that was taken: each step, when, what it decided and why.")
    ] = False,
    thread: Annotated[
        str | None,
        typer.Option("--thread", metavar="T", help="The conversation it belongs to; with --workflow chat or finance."),
    ] = None,
    conversational: Annotated[
        bool | None,
        typer.Option(
            "--conversational/--simple",
            help="Whether the chat workflow remembers and asks back; CONVERSATIONAL_MODE unless given.",
            show_default=False,
        ),
    ] = None,
    most_wrong: Annotated[
        float | None,
        typer.Option(
            "--most-wrong",
            metavar="SHARE",
            min=0,
            max=1,
            help="The largest share of wrong answers you allow: with 0.2 an answer must be 80% likely right; "
            "DOCMIND_ANSWERS__MOST_WRONG unless given.",
            show_default=False,
        ),
    ] = None,
    max_retries: Annotated[
        int | None,
        typer.Option(
            "--max-retries",
            metavar="N",
            min=0,
            max=10,
            help="How often --workflow strategy may try again; DOCMIND_STRATEGY__MAX_RETRIES unless given.",
            show_default=False,
        ),
    ] = None,
    charts: Annotated[
        Path, typer.Option("--charts", metavar="DIR", help="Where charts of an answer are written, as PNG files.")
    ] = Path(),
    as_json: AsJson = False,
) -> None:
    """Answer a question from your documents.

    Every sentence of the answer cites where it stands, and was checked against those characters. What the documents do
    not say is not answered.

    \b
    Example:
      docmind ask "What is the capital budget of Project Heron?" --workspace strategy
      docmind ask "By how much did Ellandor's revenue grow in 2023?" --workflow finance
    """
    from docmind.cli import watching
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    query = " ".join(question).encode("utf-8", "replace").decode()
    scope = Scope(workspace, user)
    with DocMind() as engine:
        events = engine.stream(
            query,
            scope,
            workflow=workflow,
            thread=thread,
            conversational=conversational,
            most_wrong=most_wrong,
            max_retries=max_retries,
        )
        result = watching.watch(events, scope)
        if as_json:
            print_json(result.model_dump(mode="json"))
        elif result.actions or engine.documents(scope):
            watching.show(engine, result, scope, with_trace=trace, images=charts)
        else:
            typer.echo(nothing_found(engine, scope, None, Filters()), err=True)
        if result.status is Status.FAILED:
            raise typer.Exit(1)
