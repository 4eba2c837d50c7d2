"""Which reports a question means: a quarter is the one that the company's own report calls so."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TypedDict

from docmind.domain.documents import Metadata

_KIND = r"(?:10-?[qk]|form 10-?[qk]|quarterly (?:report|filing)|annual report|filing|report)(?:s? (?:filing|report))?"
_LATEST = re.compile(
    rf"\b(?:in |from |for |of )?(?:its |their |the |this )?(?:most recent|latest|newest|last)"
    rf" (?:reported |fiscal |reporting )?(?:quarter|period|{_KIND})(?:'s)?(?: {_KIND})?\b",
    re.IGNORECASE,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_QUARTER = re.compile(
    r"\b(?:in |from |for |of )?(?:the )?(?:q(?P<q>[1-4])(?: of)?|(?P<word>first|second|third|fourth) quarter(?: of)?)"
    rf" (?:fiscal |fy )?(?:year )?(?P<year>20\d\d)(?:'s)?(?: {_KIND})?\b",
    re.IGNORECASE,
)


class Report(TypedDict):
    """A report of a company, and the day that its period ends."""

    company: str
    fiscal_year: int
    quarter: int | None
    closing: str


def reports_of(documents: Iterable[Metadata]) -> list[Report]:
    """The reports among some documents, oldest first, each once."""
    found = {
        (one.company, one.fiscal_year, one.quarter): Report(
            company=one.company, fiscal_year=one.fiscal_year, quarter=one.quarter, closing=one.date
        )
        for one in documents
        if one.company and one.fiscal_year and one.date
    }
    return sorted(found.values(), key=lambda report: report["closing"])


def dated(text: str, reports: Sequence[Report]) -> tuple[str, list[Report]]:
    """The question with the days that the reports it names close on, and these reports of all of its company's."""
    meant: list[Report] = []

    def told(report: Report | None, words: str) -> str:
        if report is None:
            return words
        meant.append(report)
        return _period(report)

    text = _LATEST.sub(lambda found: told(reports[-1] if reports else None, found[0]), text)
    text = _QUARTER.sub(lambda found: told(_quarter(found, reports), found[0]), text)
    return text, meant


def _quarter(found: re.Match[str], reports: Sequence[Report]) -> Report | None:
    number = int(found["q"]) if found["q"] else _ORDINALS[found["word"].lower()]
    year = int(found["year"])
    return next((one for one in reports if (one["fiscal_year"], one["quarter"]) == (year, number)), None)


def _period(report: Report) -> str:
    if report["quarter"] is None:
        return f"in {report['fiscal_year']}"
    closing = date.fromisoformat(report["closing"])
    return f"in the three months ended {closing:%B} {closing.day}, {closing.year}"
