"""A sentence made ready to be set beside another: read once, compared as often as wanted."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.disagreements.denial import denied_words
from docmind.quality.disagreements.words import Word, read_words
from docmind.quality.quantities import Figure, Mention, Period, Quantity, read, read_table

_CELLS = " | "
_DECADE = ("s", "'s", "’s")
_YEAR = re.compile(r"[1-9][0-9]{3}")
_BEFORE_YEAR = re.compile(
    r"\b(?:in|since|by|until|till|from|to|of|between|and|year|circa|early|late|before|after|born) $", re.I
)
_AFTER_YEAR = re.compile(r"$|[^\w\s]| (?:[A-Z]|and |to |by |with |in |at |as |for |when |the |he |she )")
_PREPOSITION = 10
"""Characters that are looked back for what makes a number a year."""
CONTEXT = 3
"""Words on either side that tell what a place speaks of."""
_REACH = 12
"""How far they are looked for."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with what can be compared in it. Takes time linear in its length to make."""

    text: str
    words: tuple[Word, ...]
    places: dict[str, list[int]]
    """Where the words of each key stand, in order."""
    denied: dict[int, int]
    """The words that are denied, each with the place of the word that denies it."""
    quantities: tuple[Quantity, ...]
    periods: tuple[Period, ...]
    cells: tuple[Figure, ...]
    """The figures of a table row that names its columns; a sentence has none."""

    @classmethod
    def of(cls, text: str) -> "Reading":
        words = read_words(text)
        places: dict[str, list[int]] = {}
        for index, word in enumerate(words):
            places.setdefault(word.key, []).append(index)
        quantities, periods = _mentions(text)
        cells = tuple(read_table(text)) if _CELLS in text else ()
        return cls(text, words, places, denied_words(words), quantities, periods, cells)

    def range_of(self, span: Span) -> tuple[int, int]:
        """The words that a span of the text covers, from the first to the one after the last."""
        first = bisect_left(self.words, span.start + 1, key=_end)
        return first, bisect_left(self.words, span.end, lo=first, key=_start)

    def span(self, first: int, end: int) -> Span:
        return Span(self.words[first].start, self.words[end - 1].end)

    def before(self, index: int) -> tuple[str, ...]:
        """Keys of the meaningful words before the word at `index` in its sentence, nearest first."""
        return self._around(range(index - 1, max(index - 1 - _REACH, -1), -1))

    def after(self, index: int) -> tuple[str, ...]:
        """Keys of the meaningful words from `index` on in its sentence, nearest first."""
        return self._around(range(index, min(index + _REACH, len(self.words))))

    def _around(self, indices: range) -> tuple[str, ...]:
        found: list[str] = []
        for index in indices:
            word = self.words[index]
            if word.carries:
                found.append(word.key)
                if len(found) == CONTEXT:
                    break
            elif word.stops:
                break
        return tuple(found)


def _start(word: Word) -> int:
    return word.start


def _end(word: Word) -> int:
    return word.end


def _mentions(text: str) -> tuple[tuple[Quantity, ...], tuple[Period, ...]]:
    """Quantities and periods of a text. Decades are left out: 1994 lies in the 1990s and is not the same."""
    quantities: list[Quantity] = []
    periods: list[Period] = []
    for mention in read(text):
        if text.startswith(_DECADE, mention.span.end):
            continue
        if isinstance(mention, Period):
            periods.append(mention)
        elif _is_year(mention, text):
            periods.append(Period(int(mention.text), span=mention.span, text=mention.text))
        else:
            quantities.append(mention)
    return tuple(quantities), tuple(periods)


def _is_year(mention: Mention, text: str) -> bool:
    """Whether a number of four digits is meant as a year though no recent one: "in 1734", "born 1612"."""
    if _YEAR.fullmatch(mention.text) is None or not _AFTER_YEAR.match(text, mention.span.end):
        return False
    return _BEFORE_YEAR.search(text, max(mention.span.start - _PREPOSITION, 0), mention.span.start) is not None
