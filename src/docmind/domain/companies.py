"""Companies that documents are of: one company may be written in several ways, and be known by a ticker."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docmind.domain.documents import Metadata

LEGAL_FORMS = frozenset({
    "plc", "inc", "incorporated", "corp", "corporation", "ltd", "limited", "company", "co", "group", "holding",
    "holdings", "the", "and", "of", "nv", "ag", "sa", "se", "llc", "lp", "partnership", "gmbh", "com",
})  # fmt: skip
"""Words of a name that do not tell one company from another."""
_WORD = re.compile(r"[^\W_]{2,}+(?:['’][^\W_]*+)?+")
POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
"""The ending of a word that owns something."""
_APOSTROPHES = str.maketrans("", "", "'’")


@dataclass(frozen=True, slots=True)
class Company:
    """A company and everything that documents call it."""

    name: str
    """The way most of its documents write it."""
    spellings: tuple[str, ...]
    ticker: str | None = None


def word_key(word: str) -> str:
    """What a word of a name is compared by: McDonald's, McDONALD'S and McDonalds are the same."""
    plain = POSSESSIVE.sub("", word.lower()).translate(_APOSTROPHES)
    return plain.removesuffix("s") if len(plain) > 3 else plain


def name_key(name: str) -> tuple[str, ...]:
    """The words that tell a company, without its legal form; all its words where nothing else is left."""
    words = [word.lower() for word in _WORD.findall(name)]
    telling = [word for word in words if word not in LEGAL_FORMS]
    return tuple(map(word_key, telling or words))


def companies_of(documents: Iterable[Metadata]) -> list[Company]:
    """The companies of some documents, in their order: names that differ in spelling or legal form are of one.

    So are names with the same ticker.
    """
    groups: list[list[Metadata]] = []
    for one in documents:
        if not one.company:
            continue
        same = [group for group in groups if any(_is_same(one, other) for other in group)]
        for group in same:
            groups.remove(group)
        groups.append([*(member for group in same for member in group), one])
    return [_company(group) for group in groups]


def _is_same(one: Metadata, other: Metadata) -> bool:
    by_ticker = one.ticker is not None and one.ticker == other.ticker
    return by_ticker or name_key(one.company or "") == name_key(other.company or "")


def _company(documents: Sequence[Metadata]) -> Company:
    names = Counter(one.company for one in documents if one.company)
    spellings = sorted(names, key=lambda name: (-names[name], name.isupper(), len(name), name))
    tickers = Counter(one.ticker for one in documents if one.ticker)
    return Company(spellings[0], tuple(spellings), tickers.most_common(1)[0][0] if tickers else None)
