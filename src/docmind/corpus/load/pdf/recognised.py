"""Makes a page with placed words of the lines that were recognised in its picture."""

from statistics import median

from docmind.corpus.load.ocr.engine import Box
from docmind.corpus.load.pdf.strokes import Strokes
from docmind.corpus.load.pdf.words import PageText, Word, segments_of

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
