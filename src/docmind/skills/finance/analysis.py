"""What an analysis comes to: figures and calculations with their sources, words quoted, or a refusal."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from docmind.domain.documents import Span
from docmind.quality.quantities import Computed, Operand
from docmind.skills.finance.question import FinanceQuestion

NOT_FOUND = "The passages do not hold the figure that is asked for."


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a document, at their exact characters: a label, the name of a column, a stretch of a sentence."""

    text: str
    span: Span
    source: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer is `quotes` where there are any, else `results`, which then are what the quotes rest on."""

    question: FinanceQuestion
    results: tuple[Operand, ...] = ()
    quotes: tuple[Quote, ...] = ()
    count: int | None = None
    """How many there are, where that is asked."""
    verdict: str = ""
    """How what came about compares with what was expected, where that is asked; the quote says what was."""
    refusal: str = ""
    """Why there is no answer, as a sentence."""
    doubts: tuple[str, ...] = ()
    """What speaks against the figures being those asked for, a sentence each: to be told with them."""
    missing: tuple[str, ...] = ()
    """What of several things asked for was not found, a sentence each."""
    by_name: float = 0.0
    """The share of what a plan looks up that goes by its name."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """What tells how likely it is right, by name, where it was read out of whole reports."""


def join_analyses(text: str, first: Analysis, second: Analysis) -> Analysis | None:
    """One analysis of both, where what answers the second beyond doubt is told already or adds to plain figures."""
    if not first.results or not second.results or first.quotes or second.quotes:
        return None
    if second.doubts or second.missing:
        return None
    new = tuple(result for result in second.results if result not in first.results)
    if not new:
        return first
    if any(isinstance(result, Computed) for result in first.results):
        return None
    return replace(first, question=replace(second.question, text=text), results=(*first.results, *new))


_ANALYSIS = TypeAdapter(Analysis)


def to_plain(analysis: Analysis) -> dict[str, Any]:
    plain: dict[str, Any] = _ANALYSIS.dump_python(analysis, mode="json")
    return plain


def from_plain(plain: dict[str, Any]) -> Analysis:
    return _ANALYSIS.validate_python(plain)
