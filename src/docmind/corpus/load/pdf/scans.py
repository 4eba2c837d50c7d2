"""Finds the pages of a PDF that are pictures of text, and gives the words recognised in them their places."""

from collections.abc import Iterator
from statistics import median
from typing import Any

import pypdfium2.raw as pdfium_c
from PIL.Image import Image

from docmind.corpus.load.ocr import MOST_PIXELS, Box, Recognition
from docmind.corpus.load.pdf.page import PageText, Strokes, Word, segments_of

DOTS_PER_INCH = 200
POINT = DOTS_PER_INCH / 72
"""Pixels of a point."""
BASELINE = 0.2
"""How much of a line's height lies below what its letters stand on."""
_SAME_HEIGHT = 0.75, 1.3
"""Heights beside the page's usual one that are the usual one: recognition measures no closer."""


def page_of(boxes: list[Box], size: tuple[int, int], number: int) -> PageText:
    """The recognised lines as a page whose words have their places, as if it had been printed to a PDF."""
    width, height = (side / POINT for side in size)
    usual = median(box.height for box in boxes) if boxes else 1.0
    words = [word for box in boxes for word in _words(box, height, usual)]
    return PageText(number, width, height, segments_of(words), Strokes([], [], []))


def _words(box: Box, page_height: float, usual: float) -> list[Word]:
    """The words of a line, each as long as its share of the letters."""
    height = _steady(box.height, usual) / POINT
    baseline = page_height - (box.bottom - BASELINE * box.height) / POINT
    advance = (box.right - box.left) / max(len(box.text), 1)
    words = []
    place = 0
    for text in box.text.split():
        place = box.text.index(text, place)
        start, end = box.left + place * advance, box.left + (place + len(text)) * advance
        words.append(Word(text, start / POINT, end / POINT, baseline, height, 0))
        place += len(text)
    return words


def _steady(height: float, usual: float) -> float:
    """A height without what lines of one size differ by: some have letters with tails and some have none."""
    share = height / usual
    smallest, largest = _SAME_HEIGHT
    return usual if smallest <= share <= largest else usual * round(2 * share) / 2 or height


MOST_CHARACTERS = 15
"""A page with no more text than this is a scan, if a picture fills it: scanners stamp pages."""
LARGE = 0.3
"""The share of a page that a picture takes if it is the page."""
OUTLINES = 200
"""Drawn shapes on a page without a letter, from which on they may be its letters."""
_DEPTH = 4


def find_scans(document: Any) -> list[int]:
    """The indexes of pages that are pictures of text."""
    return [index for index in range(len(document)) if _is_scan(document, index)]


def recognise(document: Any, scans: list[int], recognition: Recognition) -> dict[int, PageText]:
    """The scanned pages by index, as many as there is time for; none where nothing recognises text."""
    pages: dict[int, PageText] = {}
    for index in scans if recognition.is_installed else ():
        if not recognition.has_time:
            break
        picture = _drawn(document, index)
        pages[index] = page_of(recognition.read(picture), picture.size, index + 1)
    return pages


def _is_scan(document: Any, index: int) -> bool:
    page = document[index]
    try:
        textpage = page.get_textpage()
        try:
            characters = textpage.count_chars()
        finally:
            textpage.close()
        if characters > MOST_CHARACTERS:
            return False
        return any(share >= LARGE for share in _pictures(page)) or (not characters and _is_outlined(page))
    finally:
        page.close()


def _pictures(page: Any) -> Iterator[float]:
    """The share of the page that each picture takes."""
    width, height = page.get_size()
    for picture in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=_DEPTH):
        if picture.level:
            # Within a form it is measured in the form's own units.
            yield 1.0
            continue
        left, bottom, right, top = picture.get_bounds()
        across, upright = min(right, width) - max(left, 0), min(top, height) - max(bottom, 0)
        yield max(across, 0) * max(upright, 0) / max(width * height, 1)


def _is_outlined(page: Any) -> bool:
    return sum(1 for _ in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_PATH], max_depth=_DEPTH)) >= OUTLINES


def _drawn(document: Any, index: int) -> Image:
    page = document[index]
    try:
        width, height = page.get_size()
        scale = min(POINT, (MOST_PIXELS / max(width * height, 1)) ** 0.5)
        picture: Image = page.render(scale=scale).to_pil().convert("RGB")
    finally:
        page.close()
    # A page too large to be drawn at the usual scale is recognised as if it were smaller.
    return picture
