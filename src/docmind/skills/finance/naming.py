"""What labels and columns are called, once the periods, scales and footnotes in their names are taken out."""

import re
from functools import lru_cache

from docmind.quality.quantities import Period, read
from docmind.quality.quantities.dates import MONTHS
from docmind.skills.finance.terms import terms

FOOTNOTE = re.compile(r"\s?\(\d{1,2}\)|\*+")
_DAY = re.compile(
    r"\b(?:\d{1,2} )?(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?(?: \d{1,2}\b)?", re.IGNORECASE
)
_BRACKETS = re.compile(r"\([^()]{0,80}+(?:\([^()]{0,20}+\)[^()]{0,20}+)?+\)")
_YEAR = re.compile(r"(?:19|20)\d\d|0{3}")
WHEN = frozenset(
    terms(
        "year years end ended ending period fiscal thousand thousands million millions billion billions dollar dollars "
        "unaudited usd eur gbp three six nine twelve months month " + " ".join(MONTHS)
    )
)


def name_of(label: str) -> frozenset[str]:
    """The words of a label beside the period it is of and what it adds in brackets."""
    return frozenset(terms(_undated(_BRACKETS.sub(" ", label))))


def whole_name_of(label: str) -> frozenset[str]:
    """The same with what it adds in brackets."""
    return frozenset(terms(_undated(label)))


def column_name_of(column: str) -> frozenset[str]:
    """The words of a column's name beside the period and scale it is of."""
    plain = FOOTNOTE.sub("", _DAY.sub(" ", _undated(column)))
    return frozenset(term for term in terms(plain) if not _YEAR.fullmatch(term)) - WHEN


def only_tells_when(label: str) -> bool:
    """Whether a label is a period and nothing else."""
    return bool(label) and all(term in WHEN or term[0].isdigit() for term in terms(label))


@lru_cache(maxsize=1 << 13)
def _undated(text: str) -> str:
    for mention in reversed(read(text)):
        if isinstance(mention, Period) and (mention.year or mention.month):
            text = text[: mention.span.start] + " " + text[mention.span.end :]
    return text
