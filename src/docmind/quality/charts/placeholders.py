"""Holds the places of charts in an answer, `[CHART:1]`, against the charts that come with it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.documents import Span


class Placement(StrEnum):
    """What is wrong with where a chart stands."""

    MISSING = "missing"
    """A place for a chart that does not exist."""
    UNUSED = "unused"
    """A chart that stands nowhere in the answer."""
    DUPLICATED = "duplicated"
    OUT_OF_ORDER = "out of order"
    MALFORMED = "malformed"
    """Meant as a place, but not written as one."""


@dataclass(frozen=True, slots=True)
class PlaceholderProblem:
    """One thing wrong with the places of charts."""

    placement: Placement
    chart: int | None
    """The chart's number, where one can be read."""
    span: Span | None
    """Where it stands in the answer; none for a chart that stands nowhere."""
    reason: str
    """As a sentence, for whoever has to repair it."""


_PLACE = re.compile(r"\[CHART:([1-9][0-9]{0,3}+)\]")
# What is close enough to have been meant; a bracket before a parenthesis is the text of a link.
_MEANT = re.compile(
    r"\[\s{0,3}+chart\s{0,3}+(?:[:#_-]\s{0,3}+[^\[\]\n]{0,40}+|[0-9]{1,6}+\s{0,3}+)\](?!\()", re.IGNORECASE
)


def check_placeholders(answer: str, numbers: Iterable[int]) -> list[PlaceholderProblem]:
    """What is wrong with the places of the charts with these numbers: as they stand in the answer, then unused ones."""
    charts = frozenset(numbers)
    problems: list[PlaceholderProblem] = []
    placed: set[int] = set()
    last = 0
    for match in _MEANT.finditer(answer):
        span = Span(*match.span())
        place = _PLACE.fullmatch(match[0])
        if place is None:
            reason = f"{match[0]} is not written as the place of a chart is, such as [CHART:1]."
            problems.append(PlaceholderProblem(Placement.MALFORMED, None, span, reason))
            continue
        number = int(place[1])
        found = _misplaced(number, charts, placed, last)
        if found is not None:
            problems.append(PlaceholderProblem(found[0], number, span, found[1]))
        if number in charts:
            placed.add(number)
            last = max(last, number)
    for number in sorted(charts - placed):
        reason = f"Chart {number} has no place in the answer; put [CHART:{number}] where it belongs."
        problems.append(PlaceholderProblem(Placement.UNUSED, number, None, reason))
    return problems


def _misplaced(number: int, charts: frozenset[int], placed: set[int], last: int) -> tuple[Placement, str] | None:
    if number not in charts:
        return Placement.MISSING, f"[CHART:{number}] stands in the answer, and there is no such chart."
    if number in placed:
        return Placement.DUPLICATED, f"[CHART:{number}] stands in the answer more than once."
    if number < last:
        return Placement.OUT_OF_ORDER, f"[CHART:{number}] stands after [CHART:{last}]; number charts as they appear."
    return None
