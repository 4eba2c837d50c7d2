"""Stretches of time that no report tells, put together from those that reports tell.

The twelve months to June are the year before, with the half-year and without the same half of the year before it. The
last quarter of a year, which has no report, is the year without its first nine months.
"""

from calendar import month_name, monthrange
from collections.abc import Sequence

from docmind.quality.quantities import Period
from docmind.skills.finance.catalogue import item_called
from docmind.skills.finance.plan.building import PlanBuilder
from docmind.skills.finance.plan.expanding import expanded, written_out
from docmind.skills.finance.plan.plan import Calculation, Lookup, Plan
from docmind.skills.finance.seeking.reports import Report, closing_month, fiscal_closing

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
    return written_out(whole, made) if made else plan


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
        return [str(year_before), _stretch(since, (year, month)), _stretch(since, (year - 1, month))]
    return _of_quarter((year, month), since, reports) if meant.months == A_QUARTER else None


def _of_quarter(end: Month, since: int, reports: Sequence[Report]) -> list[str] | None:
    """The same of a quarter: the last of a year has no report, and of another the next one may be at hand."""
    after = _later(end, A_QUARTER)
    if _told(end, reports):
        return None
    if since == A_YEAR:
        return [str(end[0]), _stretch(A_YEAR - A_QUARTER, _later(end, -A_QUARTER))]
    if since + A_QUARTER < A_YEAR and _told(after, reports):
        return [_stretch(since + A_QUARTER, after), _stretch(A_QUARTER, after)]
    return None


def _told(quarter: Month, reports: Sequence[Report]) -> bool:
    """Whether a report is of the quarter that ends then, or of the one a year later, which tells it beside its own."""
    told = {closing_month(report) for report in reports if report["quarter"]}
    return bool(told & {quarter, _later(quarter, A_YEAR)})


def _later(month: Month, by: int) -> Month:
    year, at = divmod(12 * month[0] + month[1] - 1 + by, 12)
    return year, at + 1


def _stretch(months: int, end: Month) -> str:
    return f"{_WORDS[months]} months ended {month_name[end[1]]} {monthrange(*end)[1]}, {end[0]}"
