"""Finds the pages of a PDF that are pictures of text, and has them recognised."""

from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium_c
from PIL.Image import Image

from docmind.corpus.load.ocr.recognition import MOST_PIXELS, Recognition
from docmind.corpus.load.pdf.recognised import POINT, page_of
from docmind.corpus.load.pdf.words import PageText

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
