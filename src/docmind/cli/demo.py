"""`docmind demo`: the examples in a workspace of their own, a few questions on them, and what to try next."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from docmind.runtime.engine import DocMind


def demo() -> None:
    """Ask the example documents a few questions.

    They ship with DocMind: papers of a fictional maker of heat pumps, and annual reports of a fictional maker of
    instruments. The first time, they are read into the workspace `examples`; your own documents are not touched.
    """
    from docmind.runtime.engine import DocMind
    from docmind.runtime.examples import CALCULATED, DISAGREEING, LOOKED_UP

    with DocMind() as engine:
        _read(engine)
        _ask(engine, "A question on the papers", LOOKED_UP, "docs")
        _ask(engine, "A calculation on the reports", CALCULATED, "finance")
        _ask(engine, "Two papers that disagree", DISAGREEING, "strategy")
    _say("What to try next")
    typer.echo(
        'Ask the examples:      docmind ask "Who abstained from resolution IC-2026-07?" --workspace examples\n'
        "Open them on a page:   docmind serve, and open the address it prints\n"
        'Ask your own papers:   docmind ingest ~/Documents, then docmind ask "…"\n'
        "Remove the examples:   docmind workspaces delete examples"
    )


def _read(engine: "DocMind") -> None:
    from docmind.cli.ingest import shown_progress
    from docmind.cli.terminal import out, printable
    from docmind.corpus.report import Outcome
    from docmind.domain.scope import Scope
    from docmind.runtime.examples import WORKSPACE, example_files

    with shown_progress(len(example_files())) as followed:
        read = engine.add_examples(followed.read)
    for one in (one for one in read if one.outcome is Outcome.REJECTED):
        out().print(printable(f"rejected  {one.name}: {one.reason}"), style="red", soft_wrap=True)
    count = len(engine.documents(Scope(WORKSPACE)))
    typer.echo(f"{count} example documents are in the workspace {WORKSPACE!r}{', read just now' if read else ''}.")


def _ask(engine: "DocMind", heading: str, question: str, workflow: str) -> None:
    from docmind.cli import watching
    from docmind.domain.scope import Scope
    from docmind.runtime.examples import WORKSPACE

    scope = Scope(WORKSPACE)
    _say(heading)
    by = "" if workflow == "docs" else f" --workflow {workflow}"
    typer.echo(f'$ docmind ask "{question}" --workspace {WORKSPACE}{by}')
    result = watching.watch(engine.stream(question, scope, workflow=workflow), scope)
    watching.show(engine, result, scope)


def _say(heading: str) -> None:
    typer.echo()
    typer.secho(heading, bold=True)
