"""Reads dates and years in the forms they are usually written in, each as far as it is beyond doubt."""

import calendar
from collections.abc import Sequence
from typing import NamedTuple

from docmind.quality.quantities.tokens import Token, Tokens, vocabulary
from docmind.quality.quantities.units import CODES, COUNTED, CURRENCY_WORDS, SCALES, UNITS

FIRST_YEAR, LAST_YEAR = 1900, 2099
MONTHS = {
    **{name.lower(): number for number, name in enumerate(calendar.month_name) if name},
    **{name.lower(): number for number, name in enumerate(calendar.month_abbr) if name},
    "sept": 9,
}
_DAY_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_BEFORE_TIMES = vocabulary("in since of by until till from during late early mid through before after for to")
_CLOCK = frozenset({"second", "month"})


class Day(NamedTuple):
    """A date or a part of one, and the token after it."""

    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None


def read_date(tokens: Tokens, index: int) -> Day | None:
    """A date at `index`: June 25, 2022; 25 June; June 2022; 2022-06-25; 25.06.2022."""
    token = tokens.at(index)
    if token.is_word:
        return _month_first(tokens, index)
    return (_numeric(tokens, index) or _day_first(tokens, index)) if token.is_digits else None


def read_year(tokens: Tokens, index: int) -> int | None:
    """The year written at `index`, where nothing glued to it makes it something else."""
    token = tokens.at(index)
    if len(token.text) != 4 or not token.is_digits or not FIRST_YEAR <= int(token.text) <= LAST_YEAR:
        return None
    after, then = tokens.glued(index + 1), tokens.glued(index + 2)
    if after.is_word or after.text in ("%", "°") or (after.text in (",", ".", "'", "’", ":") and then.is_digits):
        return None
    return int(token.text)


def is_plain_year(tokens: Tokens, index: int) -> bool:
    """Whether a year at `index` is meant as one, and not as "2000 MW" or "2012 employees"."""
    if read_year(tokens, index) is None:
        return False
    after, before = tokens.at(index + 1), tokens.at(index - 1).lower
    if after.text in ("%", "€") or after.lower in SCALES or after.lower in CURRENCY_WORDS or after.text in CODES:
        return False
    unit = UNITS.get(after.text)
    if unit is not None and len(after.text) > 1 and unit.base not in _CLOCK:
        return False
    return after.lower not in COUNTED or before in _BEFORE_TIMES


def _month_first(tokens: Tokens, index: int) -> Day | None:
    month = MONTHS.get(tokens.at(index).lower) if tokens.at(index).is_capital else None
    if month is None:
        return None
    at = index + 2 if tokens.glued(index + 1).text == "." and tokens.at(index + 2).is_digits else index + 1
    day = _day(tokens, at)
    if day is None or tokens.at(at).gap == "\n":
        comma = tokens.at(at).text == ","
        year = read_year(tokens, at + comma)
        if year is not None:
            return Day(at + comma + 1, year, month)
        return Day(index + 1, None, month) if tokens.at(index - 1).lower in _BEFORE_TIMES else None
    after = at + 2 if tokens.glued(at + 1).lower in _DAY_SUFFIXES else at + 1
    comma = tokens.at(after).text == ","
    year = read_year(tokens, after + comma)
    return Day(after, None, month, day) if year is None else Day(after + comma + 1, year, month, day)


def _day_first(tokens: Tokens, index: int) -> Day | None:
    day = _day(tokens, index)
    if day is None:
        return None
    at = index + 2 if tokens.glued(index + 1).lower in _DAY_SUFFIXES else index + 1
    at += tokens.at(at).lower == "of"
    month = MONTHS.get(tokens.at(at).lower) if tokens.at(at).is_capital and tokens.at(at).gap == " " else None
    if month is None:
        return None
    after = at + 1 + (tokens.glued(at + 1).text == "." and tokens.at(at + 2).is_digits)
    comma = tokens.at(after).text == ","
    year = read_year(tokens, after + comma)
    return Day(after, None, month, day) if year is None else Day(after + comma + 1, year, month, day)


def _day(tokens: Tokens, index: int) -> int | None:
    token = tokens.at(index)
    if not token.is_digits or len(token.text) > 2 or not 1 <= int(token.text) <= 31:
        return None
    after, then = tokens.glued(index + 1), tokens.glued(index + 2)
    return None if after.text in (".", ",") and then.is_digits else int(token.text)


def _numeric(tokens: Tokens, index: int) -> Day | None:
    """2022-06-25 and 2022/06/25; 25.06.2022; 06/25/2022, where one order of day and month is possible."""
    marks = {tokens.glued(index + 1).text, tokens.glued(index + 3).text}
    parts = [tokens.at(index), tokens.glued(index + 2), tokens.glued(index + 4)]
    if len(marks) != 1 or not marks <= {"-", "/", "."} or not all(part.is_digits for part in parts):
        return None
    lengths = tuple(len(part.text) for part in parts)
    if lengths[0] == 4 and max(lengths[1:]) <= 2:
        return _checked(index + 5, *(int(part.text) for part in parts))
    return _year_last(index, marks, parts) if lengths[2] == 4 and max(lengths[:2]) <= 2 else None


def _year_last(index: int, marks: set[str], parts: Sequence[Token]) -> Day | None:
    first, second, third = (int(part.text) for part in parts)
    if marks == {"."} or first > 12:
        return _checked(index + 5, third, second, first)
    if second > 12 or first == second:
        return _checked(index + 5, third, first, second)
    # 03/04/2022 is one day in America and another in Europe: only its year is sure.
    return _checked(index + 5, third, None)


def _checked(end: int, year: int, month: int | None, day: int | None = None) -> Day | None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    if month is not None and day is not None and not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return Day(end, year, month, day)
