"""Sentences with their exact place, told apart as a reader would: for checking answers and cutting documents."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from docmind.domain.documents import Span
from docmind.domain.verdicts import CitationMarker
from docmind.quality.abbreviations import is_abbreviation, is_enumerator
from docmind.quality.citations import find
from docmind.quality.units import Unit, UnitKind, units


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a whole heading, table row or code block: `text[span.start:span.end] == sentence.text`."""

    kind: UnitKind
    span: Span
    text: str
    citations: tuple[CitationMarker, ...] = ()
    """Those inside it and those that follow its full stop."""
    indent: int = 0
    """How far the item it stands in is set in."""


_TERMINATOR = re.compile(r"[.!?…。！？｡؟۔।॥]")
_TERMINATORS = frozenset(".!?…。！？｡؟۔।॥")
_UNSPACED = frozenset("。！？｡")
"""These end a sentence with no space after them."""
_CLOSERS = frozenset("\"'”’)]}»*_`」』）】〉》")
_OPENERS = frozenset("\"'“‘([{«*_`「『（【〈《")
_GOES_ON = frozenset(",;:)]}”’»") | _TERMINATORS
_OPENING_MARKS = "".join(_OPENERS)
_ASIDE = 60
"""Characters to either end of brackets: longer ones may hold sentences of their own."""
_LOOK_BACK = 32
"""Characters that tell an abbreviation; a longer word is none."""


def split(text: str) -> list[Sentence]:
    """The sentences of a text in order; between them stands only white space and markup."""
    layout = units(text)
    markers = find(text, layout)
    brackets = (marker.span for marker in markers if text[marker.span.start] in "[(")
    splitter = _Splitter(text, [span for span, _ in groupby(brackets)])
    starts = [marker.span.start for marker in markers]
    sentences = []
    for unit in layout:
        for span in splitter.spans(unit):
            held = markers[bisect_left(starts, span.start) : bisect_left(starts, span.end)] if markers else ()
            sentences.append(Sentence(unit.kind, span, span.of(text), tuple(held), unit.indent))
    return sentences


@lru_cache(maxsize=1024)
def passage_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a passage, remembered: an answer reads the same few passages in several steps."""
    return tuple(split(text))


class _Splitter:
    def __init__(self, text: str, cited: list[Span]) -> None:
        self._text = text
        self._cited = cited
        self._cited_ends = [span.end for span in cited]

    def spans(self, unit: Unit) -> Iterator[Span]:
        if unit.kind not in (UnitKind.PROSE, UnitKind.ITEM):
            yield unit.span
            return
        begin, position, end = unit.span.start, unit.span.start, unit.span.end
        while stop := _TERMINATOR.search(self._text, position, end):
            citation = self._citation_from(stop.start())
            if citation and citation.start < stop.start():
                position = citation.end
                continue
            last = self._skip(_TERMINATORS, stop.start(), end)
            after = self._skip_citations(self._skip(_CLOSERS, last, end), end)
            following = self._skip_space(after, end)
            if following < end and self._ends(begin, stop.start(), last, after, following, end):
                yield Span(begin, after)
                begin = following
            position = max(after, last)
        if begin < end:
            yield Span(begin, end)

    def _ends(self, begin: int, stop: int, last: int, after: int, following: int, end: int) -> bool:
        """Whether the full stop or other mark at `stop` ends the sentence that began at `begin`."""
        run = self._text[stop:last]
        if _UNSPACED.intersection(run):
            return True
        first = self._skip(_OPENERS, following, end)
        if after == following or first == end or self._goes_on(first):
            return False
        if run != "." or self._text[stop - 1].isspace():
            return True
        if self._is_within_brackets(begin, stop, end):
            return False
        before, word = self._words_before(begin, stop)
        cited = after > self._skip(_CLOSERS, last, end)
        if is_enumerator(word) and self._opens(begin, stop - len(word), cited=cited):
            return False
        return not is_abbreviation(word, before, self._text, first)

    def _is_within_brackets(self, begin: int, stop: int, end: int) -> bool:
        """Whether `stop` stands in short brackets within the sentence, as in "a tank (cap. 11.1) was full"."""
        opened = self._text.rfind("(", max(begin + 1, stop - _ASIDE), stop)
        if opened < 0 or ")" in self._text[opened:stop]:
            return False
        return self._text[stop + 1] != ")" and self._text.find(")", stop + 1, min(end, stop + _ASIDE)) > 0

    def _opens(self, begin: int, position: int, *, cited: bool) -> bool:
        """Whether a number or letter stands where it can only number what follows: at the start, or after a colon where
        no source is named for it."""
        before = self._text[max(begin, position - 4) : position].rstrip()
        return (before.endswith(":") and not cited) or (position - begin <= 4 and not before.strip("*_(["))

    def _goes_on(self, position: int) -> bool:
        """A small letter carries a sentence on, unless it is that of a name such as eBay."""
        first, second = self._text[position], self._text[position + 1 : position + 2]
        return first in _GOES_ON or (first.islower() and not second.isupper())

    def _words_before(self, begin: int, stop: int) -> tuple[str, str]:
        """The last two words before `stop`, the very last without what opens it."""
        words = ["", "", *self._text[max(begin, stop - _LOOK_BACK) : stop].split()]
        return words[-2], words[-1].lstrip(_OPENING_MARKS)

    def _citation_from(self, position: int) -> Span | None:
        """The citation at `position`, or else the next one after it."""
        index = bisect_left(self._cited_ends, position + 1)
        return self._cited[index] if index < len(self._cited) else None

    def _skip_citations(self, position: int, end: int) -> int:
        """Past the citations that follow a full stop: on its line, or alone on the next."""
        while True:
            start = self._skip_space(position, end)
            citation = self._citation_from(start)
            if citation is None or citation.start != start or citation.end > end:
                return position
            wrapped = "\n" in self._text[position:start]
            if wrapped and citation.end < end and self._text[citation.end] not in "\n[(":
                return position
            position = self._skip(_TERMINATORS, citation.end, end)

    def _skip(self, marks: frozenset[str], position: int, end: int) -> int:
        while position < end and self._text[position] in marks:
            position += 1
        return position

    def _skip_space(self, position: int, end: int) -> int:
        while position < end and self._text[position].isspace():
            position += 1
        return position
