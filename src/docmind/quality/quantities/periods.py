"""Reads dates, years and the periods that reports speak of, each as far as it is beyond doubt."""

import calendar
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.quality.quantities.numerals import SMALL
from docmind.quality.quantities.quantity import Period
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


MOST_LISTED = 6
"""Dates in one list, as in "three months ended June 25, 2022 and June 26, 2021"."""
OPENERS = vocabulary("fiscal financial fy q h year years quarter quarters quarterly")
"""Words that a period may begin with, beside months and numbers."""
_FISCAL = frozenset({"fiscal", "financial"})
_LENGTHS = {"year": 12, "years": 12, "quarter": 3, "quarters": 3}
"""In months."""
_ENDED = frozenset({"ended", "ending"})
_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_WEEKS = {13: 3, 14: 3, 26: 6, 27: 6, 39: 9, 40: 9, 52: 12, 53: 12}


class PeriodMatch(NamedTuple):
    """Periods read at one place, and the token after them."""

    periods: list[Period]
    end: int


def read_periods(tokens: Tokens, index: int) -> PeriodMatch | None:
    """The period, or the list of periods, that begins at `index`."""
    token = tokens.at(index)
    if not (token.is_word or token.is_digits):
        return None
    return (
        _ended(tokens, index)
        or _part_of_year(tokens, index)
        or _fiscal(tokens, index)
        or _dated(tokens, index)
        or _calendar_year(tokens, index)
    )


def _ended(tokens: Tokens, index: int) -> PeriodMatch | None:
    """Three months ended June 25, 2022 and June 26, 2021; the fiscal year ended 31 December 2024."""
    months, at = _length(tokens, index)
    if months is None or tokens.at(at).lower not in _ENDED:
        return None
    first = read_date(tokens, at + 1 + (tokens.at(at + 1).text == ":"))
    if first is None:
        return None
    days = _listed_dates(tokens, first)
    periods = [Period(day.year, month=day.month, day=day.day, months=months) for day in days]
    return _found(tokens, index, periods, [day.end for day in days])


def _length(tokens: Tokens, index: int) -> tuple[int | None, int]:
    word, following = tokens.at(index).lower, tokens.at(index + 1).lower
    count = SMALL.get(word) or (int(word) if tokens.at(index).is_digits and len(word) <= 2 else None)
    if count is not None:
        if following in ("month", "months"):
            return count, index + 2
        return (_WEEKS.get(count), index + 2) if following == "weeks" else (None, index)
    if word in _FISCAL:
        return _length(tokens, index + 1) if following in _LENGTHS else (None, index)
    if word == "quarterly" and following == "period":
        return 3, index + 2
    return _LENGTHS.get(word), index + 1


def _listed_dates(tokens: Tokens, first: Day) -> list[Day]:
    days = [first]
    while len(days) < MOST_LISTED and tokens.at(days[-1].end).lower in ("and", ",", "or"):
        at = days[-1].end + 1
        at += tokens.at(at).lower == "and"
        year = read_year(tokens, at)
        # "September 30, 2023 and 2022" names the same day twice.
        another = read_date(tokens, at) or (Day(at + 1, year, first.month, first.day) if year else None)
        if another is None or another.year is None:
            break
        days.append(another)
    return days


def _part_of_year(tokens: Tokens, index: int) -> PeriodMatch | None:
    """Q3 2022; H1 FY23; 3Q22; third quarter of fiscal 2022; first nine months of 2023."""
    part, at = _named_part(tokens, index) or _lettered_part(tokens, index) or (None, index)
    if part is None:
        return None
    at += tokens.at(at).lower == "of" and (read_year(tokens, at + 1) is not None or _is_fiscal(tokens, at + 1))
    fiscal = _fiscal(tokens, at) if _is_fiscal(tokens, at) else None
    if fiscal is not None:
        periods = [replace(part, year=year.year, fiscal=True) for year in fiscal.periods]
        return _found(tokens, index, periods, [tokens_end(tokens, year.span.end, at) for year in fiscal.periods])
    at += tokens.at(at).text in ("'", "’", "-") and tokens.glued(at + 1).is_digits
    year, after = _short_year(tokens, at)
    if part.months is not None and year is None:
        return None  # "the first nine months" of nothing said
    return _found(tokens, index, [replace(part, year=year)], [after])


def tokens_end(tokens: Tokens, offset: int, index: int) -> int:
    """The index of the first token from `index` on that begins at or after `offset`."""
    while index < len(tokens) and tokens.at(index).start < offset:
        index += 1
    return index


def _named_part(tokens: Tokens, index: int) -> tuple[Period, int] | None:
    at = index + 1
    word = tokens.at(index).lower
    if tokens.at(index).is_digits:
        word, at = word + tokens.glued(at).lower, at + 1
    place = _PLACES.get(word)
    if place is None:
        return None
    fiscal = tokens.at(at).lower in _FISCAL
    at += fiscal
    name = tokens.at(at).lower
    if name == "quarter":
        return Period(quarter=place, fiscal=fiscal), at + 1
    if name == "half" and place <= 2:
        return Period(half=place, fiscal=fiscal), at + 1
    if place == 1 and name in SMALL and tokens.at(at + 1).lower == "months":
        return Period(months=SMALL[name]), at + 2
    return None


def _lettered_part(tokens: Tokens, index: int) -> tuple[Period, int] | None:
    pair = sorted((tokens.at(index).text, tokens.glued(index + 1).text))
    before = tokens.at(index - 1)
    within_a_word = tokens.at(index).gap == "" and (before.is_word or before.is_digits)
    if len(pair[0]) != 1 or not "1" <= pair[0] <= "4" or within_a_word:
        return None
    number, fiscal = int(pair[0]), before.lower in _FISCAL
    if pair[1] == "Q":
        return Period(quarter=number, fiscal=fiscal), index + 2
    return (Period(half=number, fiscal=fiscal), index + 2) if pair[1] == "H" and number <= 2 else None


def _short_year(tokens: Tokens, index: int) -> tuple[int | None, int]:
    """2022, or the 22 of Q3'22 and 3Q22."""
    year = read_year(tokens, index)
    if year is not None and is_plain_year(tokens, index):
        return year, index + 1
    token = tokens.glued(index)
    if token.is_digits and len(token.text) == 2:
        return 2000 + int(token.text), index + 1
    return None, index


def _is_fiscal(tokens: Tokens, index: int) -> bool:
    return tokens.at(index).lower in ("fy", "fiscal", "financial")


def _fiscal(tokens: Tokens, index: int) -> PeriodMatch | None:
    """FY2023, FY23, fiscal 2023, fiscal years 2024 and 2023."""
    if not _is_fiscal(tokens, index):
        return None
    at, plural = index + 1, False
    if tokens.at(index).lower == "fy":
        at += tokens.glued(at).text in ("-", "'", "’")
        token = tokens.at(at)
        if token.is_digits and len(token.text) == 2 and (not token.gap or token.gap == " "):
            return _found(tokens, index, [Period(2000 + int(token.text), fiscal=True)], [at + 1])
    else:
        plural = tokens.at(at).lower == "years"
        at += tokens.at(at).lower in ("year", "years")
    years: list[Period] = []
    ends: list[int] = []
    year = read_year(tokens, at)
    while year is not None and len(years) < MOST_LISTED:
        years.append(Period(year, fiscal=True))
        ends.append(at + 1)
        at += 2
        at += tokens.at(at).lower == "and"
        listed = plural and tokens.at(ends[-1]).lower in ("and", ",")
        year = read_year(tokens, at) if listed else None
    return _found(tokens, index, years, ends) if years else None


def _dated(tokens: Tokens, index: int) -> PeriodMatch | None:
    day = read_date(tokens, index)
    if day is None:
        return None
    return _found(tokens, index, [Period(day.year, month=day.month, day=day.day)], [day.end])


def _calendar_year(tokens: Tokens, index: int) -> PeriodMatch | None:
    """2022, 2022 Q3, and 2022/23, which is the fiscal year that ends in 2023."""
    year = read_year(tokens, index)
    if year is None:
        return None
    slash, short = tokens.glued(index + 1).text, tokens.glued(index + 2).text
    if slash == "/" and len(short) == 2 and short == f"{(year + 1) % 100:02}":
        return _found(tokens, index, [Period(year + 1, fiscal=True)], [index + 3])
    if tokens.at(index + 1).text == "Q" and tokens.glued(index + 2).text in ("1", "2", "3", "4"):
        return _found(tokens, index, [Period(year, quarter=int(tokens.at(index + 2).text))], [index + 3])
    return _found(tokens, index, [Period(year)], [index + 1]) if is_plain_year(tokens, index) else None


def _found(tokens: Tokens, index: int, periods: Iterable[Period], ends: list[int]) -> PeriodMatch:
    """The periods with their places: each runs from the end of the one before it, the first from `index`."""
    placed, start = [], index
    for period, end in zip(periods, ends, strict=True):
        while start < end - 1 and tokens.at(start).lower in ("and", "or", ","):
            start += 1
        span = Span(tokens.at(start).start, tokens.at(end - 1).end)
        placed.append(replace(period, span=span, text=span.of(tokens.text)))
        start = end
    return PeriodMatch(placed, ends[-1])
