"""Finds the words of a document's text again on the pages that they were read from.

The text is not what stands on the page letter for letter: a word parted at the end of a line is whole again, the rows
of a table name their columns, and page numbers are left out. So both are compared word by word, in order.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from docmind.corpus.load.grid import CELL
from docmind.corpus.viewing.pages import PageWord
from docmind.domain.documents import Span

LEAST_FOUND = 0.4
"""The share of the words asked for that must be on the page; with fewer it is not told where they are."""
MOST_PARTS = 4
"""Words of a page that make one of the text: a figure with its sign, or the halves of a parted word."""
NEAR = 4.0
"""How far from those that were found a word on its own may be, in heights of a line."""
_TOKEN = re.compile(r"\S+")
_MARK = re.compile(r"[-\u2010\u2011]")


class Token(NamedTuple):
    """A word of the text, and from where to where it stands there."""

    text: str
    start: int
    end: int
    names: bool
    """Whether it names the column of a cell: the text says that in every row, the page once."""


class Box(NamedTuple):
    """A word of the text on its page, in page units from the top left corner of the page as it is shown."""

    page: int
    start: int
    end: int
    left: float
    top: float
    right: float
    bottom: float


Placed = tuple[int, PageWord]
"""A word of a page with the page's number."""


def find_boxes(text: str, offset: int, wanted: Span, pages: Sequence[tuple[int, Sequence[PageWord]]]) -> list[Box]:
    """Where the words of `wanted` are on the pages; `text` stands at `offset` and is read from those pages."""
    tokens = list(_tokens(text, offset))
    words = [(number, word) for number, words in pages for word in words if word.text]
    found = _aligned(tokens, words)
    asked = [at for at, token in enumerate(tokens) if token.start < wanted.end and wanted.start < token.end]
    _find_the_others(tokens, words, asked, found)
    # What only parts cells or begins an item need not be on the page.
    spoken = [at for at in asked if not tokens[at].names and any(map(str.isalnum, tokens[at].text))]
    if not spoken or sum(at in found for at in spoken) < LEAST_FOUND * len(spoken):
        return []
    return [
        Box(number, tokens[at].start, tokens[at].end, *word[1:])
        for at in asked
        for number, word in (words[place] for place in found.get(at, ()))
    ]


def _tokens(text: str, offset: int) -> Iterator[Token]:
    for line in text.splitlines(keepends=True):
        for number, part in enumerate(line.split(CELL)):
            named = part.find(": ") if number else -1
            for found in _TOKEN.finditer(part):
                yield Token(found[0], offset + found.start(), offset + found.end(), found.start() <= named)
            offset += len(part) + len(CELL)
        offset -= len(CELL)


def _aligned(tokens: Sequence[Token], words: Sequence[Placed]) -> dict[int, list[int]]:
    """For the tokens that stand on the pages in the same order the words that they are."""
    places = [at for at, token in enumerate(tokens) if not token.names]
    found = _matched([tokens[at].text for at in places], [word.text for _, word in words])
    return {places[at]: there for at, there in found.items()}


def _matched(ours: Sequence[str], theirs: Sequence[str]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    token_at = word_at = 0
    for one, other, length in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks():
        found |= _joined(ours, theirs, range(token_at, one), range(word_at, other))
        found |= {one + step: [other + step] for step in range(length)}
        token_at, word_at = one + length, other + length
    return found


def _joined(ours: Sequence[str], theirs: Sequence[str], tokens: range, words: range) -> dict[int, list[int]]:
    """Of the words between two that are the same those that make a token together, from left to right."""
    found: dict[int, list[int]] = {}
    begin = words.start
    for token in tokens:
        letters = _letters(ours[token])
        for place in range(begin, words.stop) if letters else ():
            parts = _parts(letters, theirs, range(place, min(place + MOST_PARTS, words.stop)))
            if parts:
                found[token] = parts
                begin = parts[-1] + 1
                break
    return found


def _parts(letters: str, words: Sequence[str], places: range) -> list[int]:
    """The first of the words, as many as spell the letters; none where they spell something else."""
    spelt = ""
    for count, place in enumerate(places, 1):
        spelt += _letters(words[place])
        if spelt == letters:
            return list(places[:count])
        if not letters.startswith(spelt):
            break
    return []


def _find_the_others(
    tokens: Sequence[Token], words: Sequence[Placed], asked: Iterable[int], found: dict[int, list[int]]
) -> None:
    """Add words beside those that were found, as in a cell of several lines, and the names of a cell's column."""
    near = [words[place] for at in asked for place in found.get(at, ())]
    if not near:
        return
    number = near[0][0]
    here = [word for page, word in near if page == number]
    top, bottom = min(word.top for word in here), max(word.bottom for word in here)
    reach = NEAR * max(word.bottom - word.top for word in here)
    used = {place for places in found.values() for place in places}
    for at in asked:
        if at in found:
            continue
        letters = _letters(tokens[at].text.removesuffix(":") if tokens[at].names else tokens[at].text)
        places = [
            place
            for place, (page, word) in enumerate(words)
            if page == number
            and place not in used
            and letters
            and _letters(word.text) == letters
            and top - reach < word.top
            and word.bottom < bottom + reach
        ]
        if len(places) == 1:
            found[at] = places
            used.add(places[0])


def _letters(text: str) -> str:
    return _MARK.sub("", text)
