"""A page of a PDF as it is read: words with their places, those of a line together, and the straight lines drawn."""

import ctypes
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium_c

# Points: a path no thicker than this is a line and not an area.
THIN = 3.0
# Points by which a line may lean and still be straight.
LEAN = 0.5
SHORTEST_EDGE = 1.0
# Where more lines might cross, they are a map or a drawing and not a table.
MOST_CROSSINGS = 1_000_000
Rule = tuple[float, float, float]
"""A horizontal stroke: y, x0, x1."""
_Box = tuple[float, float, float, float]


class Edge(NamedTuple):
    """A straight line along one axis: where it stands on the other, and from where to where it runs."""

    at: float
    start: float
    end: float


class Strokes(NamedTuple):
    """The lines of a page; its edges are read only where lines cross as in a drawn table."""

    rules: list[Rule]
    across: list[Edge]
    upright: list[Edge]


def read_strokes(page: Any) -> Strokes:
    paths = list(_paths(page))
    boxes = [box for path in paths if (box := _bounds(path))]
    rules = _joined_rules([(round(top, 1), left, right) for left, bottom, right, top in boxes if top - bottom <= THIN])
    strokes = Strokes(rules, [], [])
    if _cross(boxes, rules):
        for path in paths:
            _add_edges(path, strokes)
    return strokes


def _cross(boxes: list[_Box], rules: list[Rule]) -> bool:
    """Whether upright strokes cross the horizontal ones as in a drawn table."""
    areas = {(round(top), round(bottom), round(x)) for x0, bottom, x1, top in boxes if x1 - x0 > THIN for x in (x0, x1)}
    uprights = [
        (left, bottom, top)
        for left, bottom, right, top in boxes
        if right - left <= THIN
        and top - bottom >= 8
        # A thin strip beside an area of the same height is a slice of its shading.
        and not areas & {(round(top), round(bottom), round(x)) for x in (left, right)}
    ]
    if len(uprights) * len(rules) > MOST_CROSSINGS:
        return False
    crossings = {
        (round(left), y)
        for left, bottom, top in uprights
        for y, x0, x1 in rules
        if bottom - 2 < y < top + 2 and x0 - 2 < left < x1 + 2
    }
    return len({x for x, _ in crossings}) > 2 and len({y for _, y in crossings}) > 1


def _paths(page: Any) -> Iterator[Any]:
    for index in range(pdfium_c.FPDFPage_CountObjects(page.raw)):
        item = pdfium_c.FPDFPage_GetObject(page.raw, index)
        if pdfium_c.FPDFPageObj_GetType(item) == pdfium_c.FPDF_PAGEOBJ_PATH:
            yield item


def _bounds(path: Any) -> _Box | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    known = pdfium_c.FPDFPageObj_GetBounds(path, left, bottom, right, top)
    return (left.value, bottom.value, right.value, top.value) if known else None


def _add_edges(path: Any, strokes: Strokes) -> None:
    for (x0, y0), (x1, y1) in _straight_parts(path):
        width, height = abs(x1 - x0), abs(y1 - y0)
        if width <= LEAN and height >= SHORTEST_EDGE:
            strokes.upright.append(Edge((x0 + x1) / 2, min(y0, y1), max(y0, y1)))
        elif height <= LEAN and width >= SHORTEST_EDGE:
            strokes.across.append(Edge((y0 + y1) / 2, min(x0, x1), max(x0, x1)))


def _straight_parts(path: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """The straight parts of a path, from point to point on the page."""
    matrix = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(path, matrix)
    a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    x, y = ctypes.c_float(), ctypes.c_float()
    first = last = (0.0, 0.0)
    for index in range(pdfium_c.FPDFPath_CountSegments(path)):
        segment = pdfium_c.FPDFPath_GetPathSegment(path, index)
        pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
        point = (a * x.value + c * y.value + e, b * x.value + d * y.value + f)
        kind = pdfium_c.FPDFPathSegment_GetType(segment)
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == pdfium_c.FPDF_SEGMENT_LINETO:
            yield last, point
        last = point
        if pdfium_c.FPDFPathSegment_GetClose(segment):
            yield last, first
            last = first


def _joined_rules(strokes: list[Rule]) -> list[Rule]:
    joined: list[Rule] = []
    for y, x0, x1 in sorted(strokes):
        if joined and joined[-1][0] == y and x0 - joined[-1][2] < 1.5:
            joined[-1] = (y, joined[-1][1], max(x1, joined[-1][2]))
        else:
            joined.append((y, x0, x1))
    return [rule for rule in joined if rule[2] - rule[1] > 2 * THIN]


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
