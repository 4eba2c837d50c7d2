"""Reads a PDF page as words with their places, and puts words that stand on one line together."""

import ctypes
from collections.abc import Iterable
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium_c

from docmind.corpus.load.pdf.strokes import Strokes, read_strokes

# Gaps in units of the text's height: wider than a blank, even in justified text, so it parts columns.
COLUMN_GAP = 0.9
BASELINE_TOLERANCE = 0.45
_HYPHENS = {"\x02": "-", "\ufffe": "-", "\u00ad": "-"}


class Word(NamedTuple):
    """Characters without a blank between them; `y` is the baseline, counted from the foot of the page."""

    text: str
    x0: float
    x1: float
    y: float
    height: float
    weight: int
    first: int = 0
    last: int = 0
    """Its first and last character on the page, as PDFium counts them."""


class Segment:
    """Words of one line that no wide gap parts: a line of prose, or one cell of a table."""

    __slots__ = ("_longest", "height", "left", "order", "words", "x0", "x1", "y")

    def __init__(self, words: list[Word], order: int = 0, left: float | None = None) -> None:
        self.words = words
        self.order = order
        self.x0 = words[0].x0
        self.left = self.x0 if left is None else left
        """Where its place begins: a figure's currency sign may stand far to its left, at the edge of the column."""
        self.x1 = words[-1].x1
        longest = max(words, key=lambda word: len(word.text))
        self._longest = len(longest.text)
        self.y = longest.y
        self.height = longest.height

    def add(self, word: Word) -> None:
        self.words.append(word)
        self.x1 = word.x1
        if len(word.text) > self._longest:
            self._longest, self.y, self.height = len(word.text), word.y, word.height

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def centre(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def weight(self) -> int:
        """Weight of the lighter words, so that one bold word does not make a bold line."""
        return min(word.weight for word in self.words)


class PageText(NamedTuple):
    """What a page says and where, and the lines it draws."""

    number: int
    width: float
    height: float
    segments: list[Segment]
    strokes: Strokes


def read_page(page: Any, number: int) -> PageText:
    width, height = page.get_size()
    return PageText(number, width, height, segments_of(_words(page)), read_strokes(page))


def _words(page: Any) -> list[Word]:
    textpage = page.get_textpage()
    try:
        return read_words(textpage)
    finally:
        textpage.close()


def read_words(textpage: Any) -> list[Word]:
    """The words of a page in the order the page draws them."""
    raw = textpage.raw
    box = pdfium_c.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    words: list[Word] = []
    letters: list[str] = []
    start = end = top = bottom = baseline = 0.0
    weight = first = last = 0

    def finish() -> None:
        if letters:
            text = _joined_halves(letters)
            height = max(top - bottom, 1.0)
            words.append(Word(text, start, max(end, start), baseline, height, weight, first, last))
            letters.clear()

    for index in range(textpage.count_chars()):
        code = pdfium_c.FPDFText_GetUnicode(raw, index)
        letter = chr(code) if 0 < code < 0x110000 else " "
        letter = _HYPHENS.get(letter, letter)
        if letter.isspace():
            finish()
            continue
        pdfium_c.FPDFText_GetLooseCharBox(raw, index, box)
        if letters and (box.left < start - 1 or box.bottom > top or box.top < bottom):
            finish()
        if not letters:
            pdfium_c.FPDFText_GetCharOrigin(raw, index, x, y)
            start, baseline, top, bottom = box.left, y.value, box.top, box.bottom
            weight = pdfium_c.FPDFText_GetFontWeight(raw, index)
            first = index
        letters.append(letter)
        end, last = box.right, index
    finish()
    return words


def _joined_halves(letters: list[str]) -> str:
    """The letters as text; those beyond the basic plane, as in formulas, come in two halves."""
    text = "".join(letters)
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def segments_of(words: Iterable[Word]) -> list[Segment]:
    """Runs of words in the order the page draws them."""
    segments: list[Segment] = []
    run: list[Word] = []
    for word in words:
        if run and not _continues(run[-1], word):
            segments.append(Segment(run, len(segments)))
            run = []
        run.append(word)
    if run:
        segments.append(Segment(run, len(segments)))
    return segments


def _continues(last: Word, word: Word) -> bool:
    height = max(last.height, word.height)
    gap = word.x0 - last.x1
    return abs(word.y - last.y) < BASELINE_TOLERANCE * height and -height < gap < COLUMN_GAP * height


def visual_rows(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Segments that stand side by side, as rows from the top of the page down, each from left to right."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: -segment.y):
        last = rows[-1][0] if rows else None
        if last and last.y - segment.y < BASELINE_TOLERANCE * min(last.height, segment.height):
            rows[-1].append(segment)
        else:
            rows.append([segment])
    for row in rows:
        row.sort(key=lambda segment: segment.x0)
    return rows
