"""`docmind search`: the passages that answer a question, each cited to the character."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.cli.where import WHERE_HELP, parse_conditions
from docmind.cli.wrapping import say
from docmind.domain.documents import Document
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit

if TYPE_CHECKING:
    from docmind.runtime.engine import DocMind


def search(
    question: Annotated[list[str], typer.Argument(metavar="Q", help="What to look for, in plain words.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, max=1000, help="The most passages to show.")
    ] = 5,
    min_score: Annotated[
        float,
        typer.Option("--min-score", metavar="P", min=0, max=1, help="Leave out what is less likely to be relevant."),
    ] = 0.0,
    conditions: Annotated[list[str] | None, typer.Option("--where", metavar="FIELD=VALUE", help=WHERE_HELP)] = None,
    as_json: AsJson = False,
) -> None:
    """Find the passages that answer a question.

    Each result gives its exact place. The percentage is the probability that the passage is relevant.

    \b
    Example:
      docmind search "What was the operating profit?" --where ticker=ELLN --where fiscal_year=2023
    """
    from docmind.cli import hits
    from docmind.cli.terminal import out, print_json, printable
    from docmind.domain.rows import HitRow
    from docmind.runtime.engine import DocMind

    # The shell hands over bytes; what is not text in them cannot be looked for.
    query = " ".join(question).encode("utf-8", "replace").decode()
    scope = Scope(workspace, user)
    with DocMind() as engine:
        filters = parse_conditions(conditions or (), lambda reference: engine.document(reference, scope).id)
        found = engine.search(query, scope, limit=limit, min_score=min_score, filters=filters)
        if as_json:
            print_json([HitRow.of(rank, hit).model_dump() for rank, hit in enumerate(found, start=1)])
        elif found:
            hits.show(out(), found, query)
        else:
            best = engine.search(query, scope, limit=1, filters=filters) if min_score else []
            say(printable(nothing_found(engine, scope, best[0] if best else None, filters)), err=True)


def nothing_found(engine: "DocMind", scope: Scope, best: Hit | None, filters: Filters) -> str:
    """Why there is nothing to show, and what would change that."""
    if best:
        return f"No passage reaches --min-score; the best has {best.relevance_score:.2f}."
    documents = engine.documents(scope)
    if documents:
        return f"No passage fits --where. {' '.join(_values(documents, filters))}" if filters else "No passage found."
    elsewhere = [name for name in engine.catalogue.workspaces() if name != scope.workspace]
    others = f" Other workspaces: {', '.join(elsewhere)}." if elsewhere else ""
    return (
        f"Workspace {scope.workspace!r} has no documents yet. "
        f"Add some with `docmind ingest PATH --workspace {scope.workspace}`.{others}"
    )


def _values(documents: Sequence[Document], filters: Filters) -> Iterator[str]:
    """For each filter on what documents say of themselves, what they do say."""
    known = [document.metadata.known() for document in documents]
    for field in ("company", "ticker", "fiscal_year", "quarter", "document_type"):
        if getattr(filters, field):
            values = sorted({str(facts[field]) for facts in known if field in facts})
            yield f"{field} is one of: {', '.join(values)}." if values else f"No document here has a {field}."
