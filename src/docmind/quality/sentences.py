"""Sentences with their exact place, told apart as a reader would: for checking answers and cutting documents."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from docmind.domain.documents import Span
from docmind.domain.verdicts import CitationMarker
from docmind.quality.citations import find
from docmind.quality.markdown import Unit, UnitKind, units

_TITLES = frozenset({
    "Mr", "Mrs", "Ms", "Dr", "Prof", "Rev", "Hon", "Gen", "Col", "Maj", "Capt", "Lt", "Sgt", "Gov", "Sen", "Rep",
    "Pres", "Messrs", "Mme", "Mt", "Ft", "Adm", "Cmdr", "Supt",
})  # fmt: skip
_NEVER_LAST = frozenset({
    "e.g", "i.e", "eg", "ie", "cf", "vs", "v", "viz", "ca", "c", "approx", "resp", "incl", "excl", "esp",
})  # fmt: skip
_BEFORE_NUMBERS = frozenset({
    "no", "nos", "fig", "figs", "eq", "eqs", "sec", "sect", "art", "vol", "vols", "ch", "chap", "p", "pp", "para",
    "paras", "ex", "ref", "refs", "app", "tab", "ver", "cl", "reg", "min", "max",
})  # fmt: skip
_SELDOM_LAST = frozenset({
    "Inc", "Ltd", "Co", "Corp", "Cos", "Bros", "Jr", "Sr", "St", "Ave", "Blvd", "Rd", "Dept", "Univ", "Assn",
    "Intl", "Govt", "Ph.D", "M.D", "Esq", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct",
    "Nov", "Dec", "Mon", "Tue", "Tues", "Wed", "Thu", "Thur", "Thurs", "Fri", "Sat", "Sun", "al", "a.m", "p.m",
    "A.M", "P.M",
})  # fmt: skip
"""They stand inside sentences and at their end; what comes next decides."""
_OPENING_WORDS = frozenset({
    "a", "about", "according", "additionally", "after", "all", "also", "although", "among", "an", "and", "another",
    "any", "are", "as", "at", "based", "because", "before", "both", "but", "by", "can", "consequently", "despite",
    "do", "does", "during", "each", "either", "even", "every", "few", "finally", "first", "following", "for",
    "from", "further", "furthermore", "given", "has", "have", "he", "hence", "her", "here", "his", "how", "however",
    "i", "if", "in", "indeed", "instead", "is", "it", "its", "later", "likewise", "many", "meanwhile", "more",
    "moreover", "most", "much", "my", "neither", "nevertheless", "next", "no", "nonetheless", "not", "note", "now",
    "of", "on", "once", "one", "only", "or", "other", "others", "our", "over", "overall", "per", "please",
    "previously", "rather", "second", "several", "she", "similarly", "since", "so", "some", "soon", "still", "such",
    "that", "the", "their", "then", "there", "therefore", "these", "they", "third", "this", "those", "though",
    "through", "thus", "to", "together", "today", "total", "two", "under", "unfortunately", "unless", "unlike",
    "until", "was", "we", "were", "what", "when", "where", "whereas", "whether", "which", "while", "who", "why",
    "will", "with", "within", "without", "yes", "yet", "you", "your",
})  # fmt: skip
"""Words that begin sentences far more often than they follow a name."""
_LETTERED = frozenset({
    "vitamin", "vitamins", "degrees", "degree", "plan", "option", "type", "class", "grade", "group", "schedule",
    "appendix", "exhibit", "section", "part", "figure", "table", "hepatitis", "point", "series", "phase", "annex",
    "category", "tier",
})  # fmt: skip
"""After these a capital letter is a name of its own and no initial: vitamin D, degrees F, option B."""

_ACRONYM = re.compile(r"[A-Za-z](?:\.[A-Za-z]){1,7}+")
_ROMAN = re.compile(r"[IVXLC]{1,6}+")
_ENUMERATOR = re.compile(r"[0-9]{1,3}+|[A-Za-z]|[ivx]{1,4}+")
_WORD = re.compile(r"[^\W\d_]{1,20}+")


def is_abbreviation(word: str, before: str, text: str, following: int) -> bool:
    """Whether a sentence goes on after `word` and its full stop.

    `before` is the word before it, and `following` is where the next one begins in `text`.
    """
    # Capitals throughout make another word: CA. is a state, and V. an initial.
    if word in _TITLES or word in _NEVER_LAST or (word[1:].islower() and word.lower() in _NEVER_LAST):
        return True
    if word.lower() in _BEFORE_NUMBERS and _is_numeral(text, following, roman=word[0].isupper()):
        return True
    lettered = before.lower() in _LETTERED or before[-1:].isdigit() or before.endswith("°")
    initial = len(word) == 1 and word.isupper() and not lettered
    if initial or word in _SELDOM_LAST or _ACRONYM.fullmatch(word):
        following_word = _WORD.match(text, following)
        return following_word is None or following_word[0].lower() not in _OPENING_WORDS
    return False


def is_enumerator(word: str) -> bool:
    """Whether it only numbers what it opens, as in `2. Turn it over.`"""
    return _ENUMERATOR.fullmatch(word) is not None


def _is_numeral(text: str, position: int, *, roman: bool) -> bool:
    first = text[position : position + 1]
    if first.isdigit() or first == "#":
        return True
    word = _WORD.match(text, position)
    return roman and word is not None and _ROMAN.fullmatch(word[0]) is not None


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
