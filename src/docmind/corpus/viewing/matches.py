"""Finds words in a document's text, wherever lines end and whatever the case."""

import re
from dataclasses import dataclass
from itertools import islice

from docmind.domain.spans import Span

MOST_MATCHES = 1_000
"""Places that are listed; all are counted."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where the words stand, and on which page as far as that is known."""

    span: Span
    page: int | None


@dataclass(frozen=True, slots=True)
class Matches:
    """The first places in order, and how many there are."""

    places: list[Match]
    total: int


def find_words(text: str, words: str) -> tuple[list[Span], int]:
    """The first places of the words, and how many there are."""
    parts = words.split()
    if not parts:
        return [], 0
    found = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE).finditer(text)
    places = [Span(*one.span()) for one in islice(found, MOST_MATCHES)]
    return places, len(places) + sum(1 for _ in found)
