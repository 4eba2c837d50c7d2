"""When a statement holds: as a key that periods of one kind and meaning share, and in words."""

import calendar
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import lru_cache

from docmind.domain.documents import Span
from docmind.quality.quantities import Period, read
from docmind.quality.quantities.tokens import Token, Tokens

UNDATED = "undated"


def time_key(period: Period | None, edition: Period | None) -> tuple[Hashable, ...] | None:
    """The key of a period, its year taken from the document's where it has none; none where its year stays open.

    A quarter by its number and three months by their last day have different keys: only the company knows which of
    its quarters ended on that day.
    """
    if period is None:
        return UNDATED, edition
    year = period.year if period.year is not None else edition.year if edition is not None else None
    if year is None:
        return None
    fiscal = period.fiscal or (period.year is None and edition is not None and edition.fiscal)
    year, month = replace(period, year=year).closing
    if period.months is not None and (period.months, month) != (12, 12):
        return "months", period.months, year, month
    if period.quarter is not None or period.half is not None:
        return "part", period.quarter, period.half, year, fiscal
    named = period.month is not None and period.months is None
    return ("day", year, period.month, period.day) if named else ("year", year, fiscal)


def in_words(period: Period) -> str:
    """Q3 2023; fiscal 2022; 31 December 2022; three months to June 2023 as "3 months to June 2023"."""
    month = calendar.month_name[period.month] if period.month else None
    part = f"Q{period.quarter}" if period.quarter else f"H{period.half}" if period.half else None
    length = f"{period.months} months to" if period.months else None
    said = (length, period.day, month, part, "fiscal" if period.fiscal else None, period.year)
    return " ".join(str(word) for word in said if word)


@lru_cache(maxsize=4096)
def without_times(text: str) -> tuple[Token, ...]:
    """The tokens of a heading, label or column header without the periods it names; many figures share one."""
    times = [mention.span for mention in read(text) if isinstance(mention, Period)]
    tokens = Tokens(text)
    ends = [span.end for span in times]
    every = (tokens.at(index) for index in range(len(tokens)))
    return tuple(token for token in every if not _holds(times, bisect_right(ends, token.start), token))


def _holds(spans: Sequence[Span], index: int, token: Token) -> bool:
    return index < len(spans) and spans[index].start <= token.start
