"""The row of a report that a line item of the catalogue means: the consolidated total before rows of similar names."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from docmind.quality.quantities import Figure, Period
from docmind.skills.finance.catalogue import Item, Measure
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.series import A_YEAR, Series, within
from docmind.skills.finance.phrases import terms

GOOD = 2.0
"""From here on a row is the item, and not one of nearly its name."""
_SAME, _UNDER, _IN_LABEL, _STATEMENT, _COVERS, _UNASKED, _PERCENT = 3.0, 2.5, 1.5, 1.0, 1.5, 0.3, 2.0
_WHOLE = 0.3
_BY_NAME, _TOTAL_BY_NAME = 0.5, 3.5
_CONSOLIDATED = frozenset(terms("consolidated"))
_PARTIAL = frozenset(terms("summarized summarised guarantor"))
"""Words in the heading of a table that is of others than the company as a whole."""
_CASH_FLOWS = frozenset(terms("statements cash flows"))
_CHANGES = frozenset(terms("changes"))
_SEGMENT = frozenset(terms("segment"))
_BLANK = frozenset(terms("total net consolidated reported gaap"))
"""Words that a label may have beside the name of an item, and still be of it."""
Words = frozenset[str]


def row_of(
    item: Item | Measure, evidence: Evidence, periods: Sequence[Period], segment: str = "", said: str = ""
) -> Series | None:
    """The series of an item with figures of these periods; of a segment where one is named.

    A row by the very name that was `said` goes before those by others.
    """
    spoken = frozenset(terms(said))
    by_name = _TOTAL_BY_NAME if "total" in spoken else _BY_NAME
    wanted = _segment(evidence, segment)
    rated = [
        (worth + (by_name if series.name == spoken else 0.0), -place, series)
        for place, series in enumerate(evidence.series)
        if not series.is_change and (worth := worth_of(item, series, periods, wanted)) >= GOOD
    ]
    told = [one for one in rated if all(figure_at(one[2], period) for period in periods)]
    best = max(told or rated, key=lambda one: (one[0], _latest(one[2], periods), one[1]), default=None)
    return best[2] if best is not None else None


def _latest(series: Series, periods: Sequence[Period]) -> tuple[int, int]:
    """When its figure of the first period ends: a year ends after its quarters."""
    figure = figure_at(series, periods[0]) if periods else None
    return ending(figure) if figure is not None else (0, 0)


def ending(figure: Figure) -> tuple[int, int]:
    """The month and the day that a figure's period ends at, as far as it says."""
    return (figure.period.month or 0, figure.period.day or 0) if figure.period is not None else (0, 0)


def _segment(evidence: Evidence, segment: str) -> Words:
    """The words that tell rows apart; a word that no label has is of no segment, unless it is a name."""
    known = frozenset().union(*(_said(one) for one in evidence.series)) if segment else frozenset()
    words = (word for part in segment.split() for word in terms(part) if word in known or part[0].isupper())
    return frozenset(words) - _BLANK


def figure_at(series: Series, period: Period) -> Figure | None:
    """The figure of a period; the only one there is where the table names no period at all."""
    lone = series.figures[0] if len(series.figures) == 1 and series.figures[0].period is None else None
    return _dated(series, period) or lone


def _dated(series: Series, period: Period) -> Figure | None:
    """Where a year is asked for, the figure of the whole year and not of a part of it."""
    if period.quarter or period.half or period.month or period.months:
        return series.at(period)
    whole = [one for one in series.figures if one.period is None or one.period.length in (None, A_YEAR)]
    of_year = [one for one in whole if one.period is not None and within(one.period, period)]
    last = max(map(ending, of_year), default=(0, 0))
    latest = [one for one in of_year if ending(one) == last]
    return replace(series, figures=tuple(latest or whole)).at(period) if whole else None


def of_asked(figure: Figure, period: Period) -> Figure:
    """A figure with the period it was asked for, so that figures asked for alike can be calculated with."""
    return figure if figure.period is None or not within(figure.period, period) else replace(figure, period=period)


def worth_of(item: Item | Measure, series: Series, periods: Sequence[Period], segment: Words = frozenset()) -> float:
    """How well a row is the one of an item; nothing where it goes by none of its names."""
    if not _fits_unit(item, series) or _PARTIAL & series.context or _is_movement(item, series):
        return 0.0
    section, said = _section(series), _said(series)
    if segment and not segment <= said | series.context:
        return 0.0
    named = max((_named(name, series, section, segment) for name in _names(item)), default=0.0)
    if not named:
        return 0.0
    worth = named - _UNASKED * (len(series.column - segment) + bool(series.aside - segment))
    if segment:
        worth += _COVERS if segment <= said else 0.0
    elif isinstance(item, Item) and item.stands_in(series.context):
        worth += _STATEMENT + (_WHOLE if series.context >= _CONSOLIDATED else 0.0)
    if _SEGMENT & (series.context - segment):
        worth -= _STATEMENT
    if periods and all(_dated(series, period) for period in periods):
        worth += _COVERS
    return worth - (_PERCENT if "percent" in series.column else 0.0)


def _is_movement(item: Item | Measure, series: Series) -> bool:
    """Whether a cash flow statement tells how a balance moved, and not what it is or what was earned and paid."""
    if not isinstance(item, Item) or not series.context >= _CASH_FLOWS:
        return False
    return item.statement == "balance" or (item.statement == "income" and bool(_CHANGES & _section(series)))


def _named(name: Words, series: Series, section: Words, segment: Words) -> float:
    """How well a label, with the heading it stands under, is one of an item's names."""
    own = series.name - segment
    if name <= own:
        left = own - name - _BLANK
        return _SAME - 0.2 * len(own - name) if not left else (_IN_LABEL if _leads(name, series) else 0.0)
    whole = own | section - segment
    if name <= whole and own <= name | _BLANK:
        return _UNDER - 0.2 * len(section - name) / max(len(section), 1)
    return 0.0


def _leads(name: Words, series: Series) -> bool:
    """Whether a label that says more begins with the name: accounts receivable, less allowances of 61."""
    words = terms(series.label)
    return frozenset(words[: len(name)]) == name and len(words) > len(name)


def _fits_unit(item: Item | Measure, series: Series) -> bool:
    """Amounts for amounts, percentages for percentages."""
    unit = series.unit
    if isinstance(item, Measure) and item.unit:
        return unit == "percent" if item.unit == "percent" else unit in ("times", "")
    return unit not in ("percent", "point")


@cache
def _names(item: Item | Measure) -> tuple[Words, ...]:
    return tuple(frozenset(terms(name)) for name in item.names)


def _section(series: Series) -> Words:
    return frozenset(terms(series.row.section)) if series.row is not None else frozenset()


def _said(series: Series) -> Words:
    return series.name | series.aside | series.column | _section(series)
