"""Writes out the year that a question says once for several times: the first, second and third quarters of 2023."""

from collections.abc import Iterator
from typing import NamedTuple

from docmind.quality.quantities import Period, read
from docmind.quality.quantities.dates import read_year
from docmind.quality.quantities.number_words import SMALL
from docmind.quality.quantities.tokens import Tokens, vocabulary

_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_NAMES = vocabulary("quarter quarters")
_JOINTS = vocabulary(", and or to through the")
_FISCAL = vocabulary("fiscal fy financial")


class _QuarterList(NamedTuple):
    """Quarters named in one place, and the tokens from which and up to which they are."""

    quarters: list[int]
    first: int
    end: int


def with_years(text: str) -> str:
    """The text with each quarter of a list, and each date, beside its own year; everything else as it is."""
    return _with_quarters(_with_dates(text))


def _with_dates(text: str) -> str:
    """A date without a year is of the only calendar year that the text names."""
    times = [one for one in read(text) if isinstance(one, Period)]
    years = {(one.year, one.fiscal) for one in times if one.year}
    if len(years) != 1 or (year := min(years))[1]:
        return text
    for one in reversed(times):
        if one.year is None and one.month and one.day:
            text = f"{text[: one.span.end]}, {year[0]}{text[one.span.end :]}"
    return text


def _with_quarters(text: str) -> str:
    tokens = Tokens(text)
    for named, year in reversed(list(_dated(tokens))):
        *before, last = [f"Q{quarter} {year}" for quarter in named.quarters]
        written = f"{', '.join(before)} and {last}" if before else last
        text = f"{text[: tokens.at(named.first).start]}{written}{text[tokens.at(named.end - 1).end :]}"
    return text


def _dated(tokens: Tokens) -> Iterator[tuple[_QuarterList, str]]:
    """What is named in each place of a list, with the year that stands behind the last."""
    at = 0
    while at < len(tokens):
        places = _list(tokens, at)
        if not places:
            at += 1
            continue
        *_, last = places
        at = last.end
        of = at + (tokens.at(at).lower == "of")
        fiscal = tokens.at(of).lower in _FISCAL
        year = read_year(tokens, of + fiscal)
        if year is not None and sum(len(one.quarters) for one in places) > 1:
            written = f"of fiscal {year}" if fiscal else str(year)
            yield from ((one, written) for one in places[:-1])
            yield last._replace(end=of + fiscal + 1), written


def _list(tokens: Tokens, at: int) -> list[_QuarterList]:
    """The first three quarters; Q1, Q2 and Q3; the first, second and third quarters."""
    found: list[_QuarterList] = []
    while (one := _first_ones(tokens, at) or _one(tokens, at)) is not None:
        found.append(one)
        at = one.end
        while tokens.at(at).lower in _JOINTS:
            at += 1
    # Places in an order are of quarters only where something says so.
    return found if any(_says_quarter(tokens, one) for one in found) else []


def _first_ones(tokens: Tokens, at: int) -> _QuarterList | None:
    many = SMALL.get(tokens.at(at + 1).lower)
    if tokens.at(at).lower != "first" or many not in (2, 3, 4) or tokens.at(at + 2).lower not in _NAMES:
        return None
    return _QuarterList(list(range(1, many + 1)), at, at + 3)


def _one(tokens: Tokens, at: int) -> _QuarterList | None:
    if tokens.at(at).lower == "q" and tokens.glued(at + 1).text in ("1", "2", "3", "4"):
        return _QuarterList([int(tokens.at(at + 1).text)], at, at + 2)
    place = _PLACES.get(tokens.at(at).lower)
    return _QuarterList([place], at, at + 1 + (tokens.at(at + 1).lower in _NAMES)) if place is not None else None


def _says_quarter(tokens: Tokens, named: _QuarterList) -> bool:
    return tokens.at(named.first).lower == "q" or tokens.at(named.end - 1).lower in _NAMES
