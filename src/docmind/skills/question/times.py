"""When a question asks about: dates and periods as reports name them, and times told from today."""

import re
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.quantities import Period, read

# A filing by its time is a time too: "the latest 10-Q".
_RELATIVE = re.compile(
    r"\b(?:[Tt]he )?+(?:(?:latest|most recent|last|past|previous|prior|preceding|current|coming|next|this|these|each|"
    r"every) )(?:[\w-]{1,20}+ ){0,2}?(?:quarters?|years?|months?|weeks?|days?|periods?|10-[QK]s?|filings?|reports?)\b"
    r"|\b(?:[Tt]he )?+(?:reported|reporting|historical|comparable) (?:quarters?|years?|months?|periods?)\b"
    r"|\b(?:over time|year to date|year-to-date|today|yesterday|tomorrow|currently|right now|to date|so far)\b"
    r"|\b(?:quarter|year|month|period) (?:to|over|by|on) (?:quarter|year|month|period)\b"
)


@dataclass(frozen=True, slots=True)
class Time:
    """A time as the question names it; `period` where it can be told without knowing today."""

    text: str
    span: Span
    period: Period | None = None


def times(text: str) -> list[Time]:
    """Every time named, in order."""
    found = [Time(m.text, m.span, m) for m in read(text) if isinstance(m, Period)]
    taken = {place for time in found for place in range(time.span.start, time.span.end)}
    for match in _RELATIVE.finditer(text):
        if taken.isdisjoint(range(*match.span())):
            found.append(Time(match[0], Span(*match.span())))
    return sorted(found, key=lambda time: time.span)
