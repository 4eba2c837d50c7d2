"""`docmind ask`: an answer with its sources, checked claim by claim."""

from pathlib import Path
from typing import Annotated

import typer

from docmind.cli import known
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workflow, Workspace
from docmind.cli.search import nothing_found
from docmind.cli.wrapping import say
from docmind.domain.answers import Status
from docmind.domain.scope import Scope
from docmind.domain.search import Filters


def ask(
    question: Annotated[list[str], typer.Argument(metavar="Q", help="What you want to know, in plain words.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    workflow: Workflow = "docs",
    trace: Annotated[
        bool, typer.Option("--trace", help="Show the path that was taken: each step, when, what it decided and why.")
    ] = False,
    thread: Annotated[
        str | None,
        typer.Option(
            "--thread",
            metavar="T",
            help="The conversation that the question belongs to; with --workflow chat or finance.",
            autocompletion=known.threads,
        ),
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
            help="The share of wrong answers you accept: with 0.2, an answer must be at least 80% likely to be right; "
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
        Path, typer.Option("--charts", metavar="DIR", help="The folder that charts are saved in, as PNG files.")
    ] = Path(),
    as_json: AsJson = False,
) -> None:
    """Answer a question from your documents.

    Every sentence of the answer cites the passage it comes from, and was checked against it. If the documents do not
    say, the answer tells you so.

    \b
    Examples:
      docmind ask "What is the capital budget of Project Heron?" --workspace strategy
      docmind ask "By how much did Ellandor's revenue grow in 2023?" --workflow finance
    """
    from docmind.cli import watching
    from docmind.cli.requester import asked_engine
    from docmind.cli.terminal import print_json

    query = " ".join(question).encode("utf-8", "replace").decode()
    scope = Scope(workspace, user)
    with asked_engine() as (engine, stream):
        events = stream(
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
            say(nothing_found(engine, scope, None, Filters()), err=True)
        if result.status is Status.FAILED:
            raise typer.Exit(1)
