"""Which reports a question means, and times that no report tells, put together from those that reports tell.

The twelve months to June are the year before, with the half-year and without the same half of the year before it. The
last quarter of a year, which has no report, is the year without its first nine months.
"""

import re
from calendar import month_name, monthrange
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import TypedDict

from docmind.domain.documents import Metadata
from docmind.quality.quantities import Period, read
from docmind.quality.quantities.quantity import CLOSING_DAYS
from docmind.skills.finance.catalogue import item_called
from docmind.skills.finance.plan.plan import Calculation, Lookup, Plan, PlanBuilder, expanded, with_plans

_KIND = r"(?:10-?[qk]|form 10-?[qk]|quarterly (?:report|filing)|annual report|filing|report)(?:s? (?:filing|report))?"
_LATEST = re.compile(
    rf"\b(?:in |from |for |of )?(?:its |their |the |this )?(?:most recent|latest|newest|last)"
    rf" (?:reported |fiscal |reporting )?(?:quarter|period|{_KIND})(?:'s)?(?: {_KIND})?\b",
    re.IGNORECASE,
)
_LEADS_TO = re.compile(r"(?:\b(?:in|from|for|of|at|during) )?(?:\b(?:the|its|their|fiscal) )*$", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:'s)?(?: {_KIND})?\b", re.IGNORECASE)
_ANNUAL, _QUARTERLY = ("10-k", "20-f", "40-f", "annual report"), ("10-q", "quarterly report")
_KINDS = (
    (re.compile(r"\b(?:10-?k|20-?f|annual reports?)\b", re.IGNORECASE), _ANNUAL),
    (re.compile(r"\b(?:10-?q|(?:quarterly|interim) reports?)\b", re.IGNORECASE), _QUARTERLY),
    (re.compile(r"\b8-?k\b", re.IGNORECASE), ("8-k",)),
)


class Report(TypedDict):
    """A report of a company, and the day that its period ends where it says so."""

    company: str
    fiscal_year: int
    quarter: int | None
    closing: str
    kind: str
    """10-k, annual report, and so on; empty where it does not say."""
    year_end: int | None
    """The month that the company's fiscal year ends in, where the report tells it."""


def reports_of(documents: Iterable[Metadata]) -> list[Report]:
    """The reports among some documents, oldest first, each once."""
    found = {
        (one.company, one.fiscal_year, one.quarter, one.document_type): Report(
            company=one.company,
            fiscal_year=one.fiscal_year,
            quarter=one.quarter,
            closing=one.date or "",
            kind=one.document_type or "",
            year_end=one.year_end,
        )
        for one in documents
        if one.company and one.fiscal_year
    }
    return sorted(found.values(), key=lambda report: report["closing"])


def kinds_asked(text: str, reports: Iterable[Report]) -> list[str]:
    """The kinds of reports that a text asks for by name, as far as there are such: a 10-K is an annual report."""
    there = {report["kind"] for report in reports}
    asked = {kind for pattern, kinds in _KINDS if pattern.search(text) for kind in kinds}
    return sorted(asked & there)


def about(companies: Sequence[str], periods: Sequence[Period], reports: Iterable[Report]) -> list[Report]:
    """The reports that a question on these companies and times is about, newest first; none where it names no time.

    A date is told by the report that closes then. A year that no report is of may be told as the year before by the
    next one.
    """
    found = []
    own = [report for report in reports if not companies or report["company"] in companies]
    for company in dict.fromkeys(report["company"] for report in own):
        theirs = [report for report in own if report["company"] == company]
        quarters = {period.quarter for period in periods if period.quarter}
        for year in sorted({period.year for period in periods if period.year}):
            of_year = [report for report in theirs if report["fiscal_year"] == year]
            closing = [
                report for report in theirs if any(_closes_at(report, one) for one in periods if one.year == year)
            ]
            of_quarter = [report for report in of_year if report["quarter"] in quarters]
            found += (
                closing or of_quarter or of_year or [report for report in theirs if report["fiscal_year"] == year + 1]
            )
    once = {tuple(one.values()): one for one in found}
    return sorted(once.values(), key=lambda one: one["closing"], reverse=True)


def _closes_at(report: Report, period: Period) -> bool:
    """Whether a report closes in the month that a period names, or in the first days of the next."""
    if period.month is None or not report["closing"]:
        return False
    closing = date.fromisoformat(report["closing"])
    return (period.year, period.month) in ((closing.year, closing.month), closing_month(report))


def closing_month(report: Report) -> tuple[int, int] | None:
    """Year and month that the period of a report ends in: July 1 closes June."""
    if not report["closing"]:
        return None
    early = date.fromisoformat(report["closing"]) - timedelta(CLOSING_DAYS)
    return early.year, early.month


def dated(text: str, reports: Sequence[Report]) -> tuple[str, list[Report]]:
    """The question with the days that the reports it names close on, and these reports of all of its company's."""
    meant: list[Report] = []

    def told(report: Report | None, words: str) -> str:
        if report is None:
            return words
        meant.append(report)
        return _period(report) or words

    latest = max(reports, key=lambda report: report["closing"], default=None)
    text = _LATEST.sub(lambda found: told(latest, found[0]), text)
    year_end = next((report["year_end"] for report in reports if report["year_end"]), None)
    for mention in reversed(read(text)):
        if not isinstance(mention, Period) or not mention.year or not (mention.quarter or mention.fiscal):
            continue
        before, after = text[: mention.span.start], text[mention.span.end :]
        start, end = _LEADS_TO.search(before), _GOES_ON.match(after)
        at = start.start() if start else len(before)
        words = text[at : mention.span.end + (end.end() if end else 0)]
        closing = fiscal_closing(mention, year_end) if mention.fiscal and year_end else None
        # A report that is named says where to look, and not what for, where another time is named.
        names_report = bool(end and end[0].strip(" 's")) and _names_other_years(text, mention)
        if closing is not None:
            meant += [report for report in reports if _closes_at(report, closing)]
            said = _stretch(closing)
        elif mention.quarter:
            said = told(_quarter(mention, reports), words)
        else:
            said = words
        said = "" if names_report and said != words else said
        text = text[:at] + said + text[at + len(words) :]
    return text, meant


def _names_other_years(text: str, mention: Period) -> bool:
    return any(isinstance(one, Period) and one.year and one.span != mention.span for one in read(text))


def fiscal_closing(asked: Period, year_end: int) -> Period | None:
    """A part of a fiscal year as months that end on a day, by the month that the company's fiscal years end in."""
    length = 3 if asked.quarter else 6 if asked.half else asked.months
    if length is None or asked.year is None:
        return None
    ended = 12 * (asked.year - 1) + year_end - 1 + length * (asked.quarter or asked.half or 1)
    year, month = divmod(ended, 12)
    return Period(year, month=month + 1, day=monthrange(year, month + 1)[1], months=length)


def _stretch(period: Period) -> str:
    months = {3: "three", 6: "six", 9: "nine"}.get(period.months or 0, str(period.months))
    return f"in the {months} months ended {month_name[period.month or 0]} {period.day}, {period.year}"


def _quarter(asked: Period, reports: Sequence[Report]) -> Report | None:
    return next((one for one in reports if (one["fiscal_year"], one["quarter"]) == (asked.year, asked.quarter)), None)


def _period(report: Report) -> str:
    if report["quarter"] is None:
        return f"in {report['fiscal_year']}"
    if not report["closing"]:
        return ""
    closing = date.fromisoformat(report["closing"])
    return f"in the three months ended {closing:%B} {closing.day}, {closing.year}"


A_YEAR, A_QUARTER = 12, 3
LONGEST_NAME = 120
_WORDS = {3: "three", 6: "six", 9: "nine", 12: "twelve"}
Month = tuple[int, int]
"""A year and a month in it."""


def put_together(plan: Plan, reports: Sequence[Report]) -> Plan:
    """The plan with every lookup of a stretch that none of the company's reports tells as a calculation on others."""
    made = {}
    whole = expanded(plan)
    for lookup in whole.lookups:
        item = item_called(lookup.item)
        if item is not None and item.statement == "balance":
            continue
        own = [report for report in reports if report["company"] == lookup.company]
        if len(lookup.periods) == 1 and (parts := _parts(lookup.periods[0], own)) is not None:
            made[lookup.id] = _calculated(lookup, parts)
    return with_plans(whole, made) if made else plan


def _calculated(lookup: Lookup, periods: Sequence[str]) -> Plan:
    builder = PlanBuilder()
    of = [builder.look_up(lookup.item, one, company=lookup.company, segment=lookup.segment) for one in periods]
    segment = " ".join(word for word in lookup.segment.split() if word[0].isupper())
    name = f"{segment} {lookup.item} in the {lookup.period}".strip()
    builder.calculate(Calculation.STRETCH, of, name[:LONGEST_NAME])
    return builder.plan()


def _parts(asked: Period, reports: Sequence[Report]) -> list[str] | None:
    """What makes up a stretch, the last of it taken off; None where a report tells it or nothing makes it up."""
    year_end = next((report["year_end"] for report in reports if report["year_end"]), None)
    meant = fiscal_closing(asked, year_end) if year_end and asked.quarter and not asked.month else asked
    year, month = meant.closing if meant is not None else (None, None)
    if meant is None or year_end is None or year is None or month is None:
        return None
    since = (month - year_end - 1) % A_YEAR + 1
    if meant.months == A_YEAR and since < A_YEAR:
        year_before = year - (month <= year_end)
        return [str(year_before), _months_ended(since, (year, month)), _months_ended(since, (year - 1, month))]
    return _of_quarter((year, month), since, reports) if meant.months == A_QUARTER else None


def _of_quarter(end: Month, since: int, reports: Sequence[Report]) -> list[str] | None:
    """The same of a quarter: the last of a year has no report, and of another the next one may be at hand."""
    after = _later(end, A_QUARTER)
    if _told(end, reports):
        return None
    if since == A_YEAR:
        return [str(end[0]), _months_ended(A_YEAR - A_QUARTER, _later(end, -A_QUARTER))]
    if since + A_QUARTER < A_YEAR and _told(after, reports):
        return [_months_ended(since + A_QUARTER, after), _months_ended(A_QUARTER, after)]
    return None


def _told(quarter: Month, reports: Sequence[Report]) -> bool:
    """Whether a report is of the quarter that ends then, or of the one a year later, which tells it beside its own."""
    told = {closing_month(report) for report in reports if report["quarter"]}
    return bool(told & {quarter, _later(quarter, A_YEAR)})


def _later(month: Month, by: int) -> Month:
    year, at = divmod(12 * month[0] + month[1] - 1 + by, 12)
    return year, at + 1


def _months_ended(months: int, end: Month) -> str:
    return f"{_WORDS[months]} months ended {month_name[end[1]]} {monthrange(*end)[1]}, {end[0]}"
