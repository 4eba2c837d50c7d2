"""Joins series that are one thing told in several places: a report tells of two years, the next one of the next."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from docmind.quality.quantities import Agreement, Figure, Period, agrees
from docmind.skills.finance.naming import WHEN
from docmind.skills.finance.series import Series

Key = tuple[int | None, int | None, int | None]


def over_columns(series: Series, every: Iterable[Series]) -> Series:
    """With the figures of the same row and unit whose columns are called otherwise: restated, unaudited."""
    beside = [one for one in every if one.row is not None and one.row is series.row and _comparable(one, series)]
    return replace(series, figures=tuple(figure for one in (series, *beside) for figure in one.figures))


def over_tables(series: Series, every: Iterable[Series]) -> Series:
    """With the figures of the same name that the company tells elsewhere, where they are known to be of one thing."""
    named = (one for one in every if one.name == series.name and one.owner == series.owner)
    waiting = [one for one in named if _comparable(one, series)]
    headings = {_headings(series)}
    while same := [one for one in waiting if _same_thing(one, series, headings)]:
        waiting = [one for one in waiting if one not in same]
        headings.update(map(_headings, same))
        series = replace(series, figures=_finest([series, *same]))
    return series


def _comparable(one: Series, series: Series) -> bool:
    return one is not series and one.unit == series.unit and not one.is_change


def _same_thing(one: Series, other: Series, headings: Collection[frozenset[str]]) -> bool:
    """Told by what both say of one period; where they share none, by standing under headings known to be of it."""
    ours, theirs = _by_period(one.figures), _by_period(other.figures)
    shared = ours.keys() & theirs.keys()
    if shared:
        return all(agrees(ours[key].quantity, theirs[key].quantity) is Agreement.AGREE for key in shared)
    return bool(ours and theirs) and _headings(one) in headings


def _finest(series: Sequence[Series]) -> tuple[Figure, ...]:
    """One figure a period, the most precise, newest first; those without a year stay behind."""
    figures = sorted((figure for one in series for figure in one.figures), key=lambda figure: figure.quantity.step)
    dated = _by_period(figures)
    newest = sorted(dated, key=lambda key: tuple(part or 0 for part in key), reverse=True)
    return (
        *(dated[key] for key in newest),
        *(figure for figure in figures if figure.period is None or figure.period.year is None),
    )


def _by_period(figures: Iterable[Figure]) -> dict[Key, Figure]:
    found: dict[Key, Figure] = {}
    for figure in figures:
        if figure.period is not None and figure.period.year is not None:
            found.setdefault(_key(figure.period), figure)
    return found


def _key(period: Period) -> Key:
    """Year, part of it and length: a balance at 31 December 2023 and a figure of 2023 are of one year."""
    length = period.length if period.length != 12 else None
    return period.year, period.quarter or period.half or (period.month if length else None), length


def _headings(series: Series) -> frozenset[str]:
    """The words it stands under, without when it was and what it is called itself."""
    words = series.context - series.name - WHEN
    return frozenset(word for word in words if not re.fullmatch(r"[\d.]++", word))
