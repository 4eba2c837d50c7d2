"""Facts: figures that a filing itself tags with what they are, of whom, when and in which unit (Inline XBRL)."""

import datetime as dt
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from docmind.domain.spans import Span

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class Tag:
    """What a filing says of a figure, whatever the page around it looks like."""

    concept: str
    """What it is, in the words of a public list: `us-gaap:NetIncomeLoss`."""
    value: Decimal
    """In base scale, with its sign: -334000000 where the page shows (334) in a table of millions."""
    scale: int
    """Power of ten by which the shown number is multiplied: 6 in a table of millions."""
    unit: str
    """`USD`, `shares`, `USD/shares`, or `pure` for a bare number."""
    end: dt.date
    """The day it holds for, or the last day of its period."""
    start: dt.date | None = None
    """The first day of its period; None where it holds for one day."""
    entity: str = ""
    """Whose it is, by the number that its register gives."""
    members: tuple[str, ...] = ()
    """The parts of the company it is of, such as `aapl:IPhoneMember`; none where it is of the whole company."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A tag and the exact characters of the document's text that show its figure."""

    span: Span
    tag: Tag


def facts_within(facts: Sequence[Fact], span: Span) -> tuple[Fact, ...]:
    """Those of some facts, in the order of the text, that stand within a stretch of it."""
    first = bisect_left(facts, span.start, key=lambda fact: fact.span.start)
    last = bisect_left(facts, span.end, key=lambda fact: fact.span.end - 1)
    return tuple(facts[first:last])


@cache
def _adapter() -> "TypeAdapter[tuple[Fact, ...]]":
    """Made when first needed: processes that only know of facts start without pydantic."""
    from pydantic import TypeAdapter

    return TypeAdapter(tuple[Fact, ...])


def dump_facts(facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """Facts as plain data, for databases and states."""
    return list(_adapter().dump_python(tuple(facts), mode="json"))


def load_facts(data: Sequence[dict[str, Any]]) -> tuple[Fact, ...]:
    return _adapter().validate_python(data)
