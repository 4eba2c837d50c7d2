"""Which points a search may see: the one place where a scope and its filters become conditions, for both engines."""

from dataclasses import dataclass
from datetime import date
from typing import Literal
from uuid import UUID

from docmind.corpus.index.contract import Point
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.domain.search import Filters

SHARED = ""
"""The `user` of a point that everyone in its workspace sees: engines match values, not their absence."""

PAYLOAD_INDEXES: dict[str, Literal["keyword", "integer", "datetime"]] = {
    "document_id": "keyword",
    "user": "keyword",
    "company": "keyword",
    "ticker": "keyword",
    "fiscal_year": "integer",
    "quarter": "integer",
    "document_type": "keyword",
    "kind": "keyword",
    "date": "datetime",
}

_ANY_OF = ("company", "ticker", "fiscal_year", "quarter", "document_type", "kind", "document_id")


@dataclass(frozen=True, slots=True)
class Conditions:
    """Each field in `any_of` has one of its values, the date lies in the range, the id is none of the excluded."""

    any_of: tuple[tuple[str, tuple[str, ...] | tuple[int, ...]], ...]
    date_from: str | None = None
    date_to: str | None = None
    excluded: tuple[str, ...] = ()

    def fields(self) -> set[str]:
        dated = {"date"} if self.date_from or self.date_to else set()
        return dated | {name for name, _ in self.any_of}


def visible(scope: Scope, filters: Filters) -> Conditions:
    """What `scope` may see, narrowed by `filters`. The workspace itself is the engine's to hold apart."""
    users = (SHARED,) if scope.user is None else (SHARED, scope.user)
    chosen = tuple((name, values) for name in _ANY_OF if (values := getattr(filters, name)))
    return Conditions(
        any_of=(("user", users), *chosen),
        date_from=_iso(filters.date_from),
        date_to=_iso(filters.date_to),
        excluded=tuple(id for text in filters.exclude_passages if (id := _id(text))),
    )


def stored_payload(point: Point) -> dict[str, str | int]:
    """What a point carries so that the conditions above can be asked of it."""
    owner = SHARED if point.user is None else point.user
    return {**point.payload, "document_id": point.document_id, "user": owner}


def _iso(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise InvalidQuery(f"{text[:80]!r} is not a date: write it as year-month-day, like 2024-12-31.") from None


def _id(text: str) -> str | None:
    """What is not a UUID names no point, so leaving it out changes nothing; the engines would refuse it."""
    try:
        return str(UUID(text))
    except ValueError:
        return None
