"""`docmind search`: the passages that answer a question and fit its conditions, each cited to the character."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.cli.wrapping import say
from docmind.domain.documents import Document
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit

if TYPE_CHECKING:
    from docmind.runtime.engine import DocMind


_TEXT_FIELDS = ("company", "ticker", "document_type", "kind")
_NUMBER_FIELDS = {"fiscal_year": "FY", "quarter": "Q"}
"""With the letters that people put before such a number."""

FIELDS = (*_TEXT_FIELDS, *_NUMBER_FIELDS, "document", "date")
WHERE_HELP = (
    "Only passages that match: FIELD=VALUE, or date>=2024-01-31, date<=2024-12-31. "
    f"Fields: {', '.join(FIELDS)}. Repeat it to narrow further; the same field twice matches either value."
)

_CONDITION = re.compile(r"(\w++)\s*+(>=|<=|=)\s*+(.*+)", re.DOTALL)


def parse_conditions(conditions: Sequence[str], document_id: Callable[[str], str]) -> Filters:
    """The filters that the conditions describe; `document_id` finds the document that a person names."""
    chosen: dict[str, Any] = {}
    for condition in conditions:
        field, operator, value = _split(condition)
        if field == "date":
            chosen |= _dates(operator, value)
        elif operator != "=":
            raise _wrong(f"{operator} goes with date alone; write {field}={value[:40]}.")
        elif field == "document":
            chosen["document_id"] = (*chosen.get("document_id", ()), document_id(value))
        else:
            chosen[field] = (*chosen.get(field, ()), _number(field, value) if field in _NUMBER_FIELDS else value)
    return Filters(**chosen)


def _split(condition: str) -> tuple[str, str, str]:
    match = _CONDITION.fullmatch(condition.strip())
    if match is None or not match[3]:
        raise _wrong(f"{condition[:80]!r} is not a condition; write FIELD=VALUE, for example fiscal_year=2024.")
    field, operator, value = match.groups()
    if field not in FIELDS:
        raise _wrong(f"There is no field {field[:80]!r}; the fields are {', '.join(FIELDS)}.")
    return field, operator, value


def _number(field: str, value: str) -> int:
    prefix = _NUMBER_FIELDS[field]
    digits = value.upper().removeprefix(prefix).strip()
    if not re.fullmatch(r"[0-9]{1,4}", digits):
        raise _wrong(f"{field} is a number, like {field}={'2024' if prefix == 'FY' else '3'}, not {value[:80]!r}.")
    return int(digits)


def _dates(operator: str, value: str) -> dict[str, str]:
    try:
        day = date.fromisoformat(value).isoformat()
    except ValueError:
        raise _wrong(f"{value[:80]!r} is not a date; write it as year-month-day, like 2024-12-31.") from None
    return {name: day for sign, name in ((">", "date_from"), ("<", "date_to")) if operator in (f"{sign}=", "=")}


def _wrong(sentence: str) -> typer.BadParameter:
    return typer.BadParameter(sentence, param_hint="--where")


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
