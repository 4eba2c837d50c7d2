"""Draws the pages of a PDF and reads their words with their places. All of it runs in a confined process."""

import atexit
import base64
import ctypes
import io
import math
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docmind.corpus.load.builder import clean
from docmind.corpus.load.pdf import open_pdf
from docmind.corpus.load.pdf.page import Word, read_words
from docmind.domain.errors import FileRejected

WIDEST = 2_400
"""Dots across of the widest picture that is drawn."""
MOST_DOTS = 12_000_000
LONGEST_SIDE = 14_400.0
"""Of a page, in page units: PDF allows no more. Some files do."""
USUAL_SIZE = (612.0, 792.0)
"""For a page that does not tell its size."""
KEPT_DOCUMENTS = 3
KEPT_BYTES = 128 << 20
_FINE = 1_000
"""PDFium gives places in whole dots, so a page is thought this many times larger when they are asked for."""


class PageWord(NamedTuple):
    """A word, and its box in page units from the top left corner of the page as it is shown."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PageJob:
    """What to do with one PDF: tell the sizes of its pages, draw one, or read the words of some."""

    content_hash: str
    data: bytes | None
    """Left out where the process may still have the document open."""
    draw: int | None = None
    width: int = 0
    read: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PageResult:
    """What became of it; `missing` asks for the same job with the document's data."""

    missing: bool = False
    sizes: list[tuple[float, float]] = field(default_factory=list)
    png: str = ""
    """In base64."""
    words: list[list[PageWord]] = field(default_factory=list)
    """Of each page that was asked for."""


class _Open(NamedTuple):
    document: Any
    bytes: int


_OPEN: OrderedDict[str, _Open] = OrderedDict()
"""The documents used last: opening a large one takes longer than drawing a page of it."""


def look_at(job: PageJob) -> PageResult:
    """Runs in a reader process."""
    if job.data is None and job.content_hash not in _OPEN:
        return PageResult(missing=True)
    document = _document(job)
    if job.draw is not None:
        return PageResult(png=base64.b64encode(_drawn(document, job.draw, job.width)).decode())
    if job.read:
        return PageResult(words=[_words(document, number) for number in job.read])
    return PageResult(sizes=[_size(document, index) for index in range(len(document))])


@atexit.register
def _close_all() -> None:
    """PDFium complains of documents that are open when the process ends."""
    while _OPEN:
        _OPEN.popitem()[1].document.close()


def _document(job: PageJob) -> Any:
    if job.content_hash in _OPEN:
        _OPEN.move_to_end(job.content_hash)
    elif job.data is not None:
        document = open_pdf(job.data)
        # Without it what somebody filled in a form is not drawn.
        document.init_forms()
        _OPEN[job.content_hash] = _Open(document, len(job.data))
        while len(_OPEN) > 1 and (len(_OPEN) > KEPT_DOCUMENTS or sum(one.bytes for one in _OPEN.values()) > KEPT_BYTES):
            _OPEN.popitem(last=False)[1].document.close()
    return _OPEN[job.content_hash].document


def _size(document: Any, index: int) -> tuple[float, float]:
    try:
        width, height = document.get_page_size(index)
    except pdfium.PdfiumError:
        return USUAL_SIZE
    if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
        return USUAL_SIZE
    return min(max(width, 1.0), LONGEST_SIDE), min(max(height, 1.0), LONGEST_SIDE)


@contextmanager
def _page(document: Any, number: int) -> Iterator[Any]:
    if not 1 <= number <= len(document):
        raise FileRejected(f"has {len(document)} pages, and no page {number}.")
    try:
        page = document[number - 1]
    except pdfium.PdfiumError as error:
        raise FileRejected(f"has a damaged page {number}.") from error
    try:
        yield page
    finally:
        page.close()


def _drawn(document: Any, number: int, width: int) -> bytes:
    """The page as PNG, about as wide as asked for."""
    across, down = _size(document, number - 1)
    scale = min(width / across, math.sqrt(MOST_DOTS / (across * down)), WIDEST * 4 / down)
    with _page(document, number) as page:
        try:
            drawn = page.render(scale=max(scale, 1 / min(across, down)))
        except pdfium.PdfiumError as error:
            raise FileRejected(f"has a page {number} that cannot be drawn.") from error
    return _png(drawn)


def _png(drawn: Any) -> bytes:
    """Written for speed: packing takes longer than drawing, and a page without colours has a third to pack."""
    dots, picture = drawn.to_numpy(), drawn.to_pil()
    if (dots[..., 0] == dots[..., 1]).all() and (dots[..., 1] == dots[..., 2]).all():
        picture = picture.convert("L")
    written = io.BytesIO()
    picture.save(written, "PNG", compress_level=1)
    return written.getvalue()


def _words(document: Any, number: int) -> list[PageWord]:
    size = _size(document, number - 1)
    with _page(document, number) as page:
        textpage = page.get_textpage()
        try:
            place = _Places(page, size)
            return [place.of(word, textpage) for word in read_words(textpage)]
        finally:
            textpage.close()


class _Places:
    """Turns places of a page's own, which may be rotated and cut, into places on the page as it is shown."""

    def __init__(self, page: Any, size: tuple[float, float]) -> None:
        self._page = page
        self._size = tuple(round(side * _FINE) if side * _FINE < 1 << 30 else round(side) for side in size)
        self._dots = self._size[0] / size[0]
        origin, right, up = self._shown(0, 0), self._shown(100, 0), self._shown(0, 100)
        self._origin = origin
        self._across = ((right[0] - origin[0]) / 100, (right[1] - origin[1]) / 100)
        self._along = ((up[0] - origin[0]) / 100, (up[1] - origin[1]) / 100)

    def of(self, word: Word, textpage: Any) -> PageWord:
        box = pdfium_c.FS_RECTF()
        corners: list[tuple[float, float]] = []
        for index in range(word.first, word.last + 1):
            if pdfium_c.FPDFText_GetLooseCharBox(textpage.raw, index, box):
                corners += [self._at(box.left, box.top), self._at(box.right, box.bottom)]
        xs, ys = zip(*corners or [(0.0, 0.0)], strict=True)
        left, top, right, bottom = (round(side, 2) for side in (min(xs), min(ys), max(xs), max(ys)))
        return PageWord(clean(word.text), left, top, right, bottom)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (
            self._origin[0] + x * self._across[0] + y * self._along[0],
            self._origin[1] + x * self._across[1] + y * self._along[1],
        )

    def _shown(self, x: float, y: float) -> tuple[float, float]:
        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium_c.FPDF_PageToDevice(self._page.raw, 0, 0, *self._size, 0, x, y, across, down)
        return across.value / self._dots, down.value / self._dots
