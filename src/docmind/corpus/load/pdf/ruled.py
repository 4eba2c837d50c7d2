"""Finds the tables that are drawn with ruling lines: the lines give the cells, the page's own words fill them."""

from typing import Any

from docmind.corpus.load.grid import split_table
from docmind.corpus.load.pdf.aligned import Table
from docmind.corpus.load.pdf.words import PageText, Segment, Word

Box = tuple[float, float, float, float]


def find_ruled_tables(plumber_page: Any, page: PageText) -> list[Table]:
    tables = []
    for found in plumber_page.find_tables():
        boxes = [[_upright(cell, page.height) for cell in row.cells] for row in found.rows]
        if len(boxes) < 2 or max(map(len, boxes)) < 2:
            continue
        inside = [segment for segment in page.segments if _holds(_upright(found.bbox, page.height), segment.words[0])]
        words = [word for segment in inside for word in segment.words]
        grid = [[_text(box, words) for box in row] for row in boxes]
        if inside and any(any(row[1:]) for row in grid):
            header, rows, caption = split_table(grid)
            tables.append(Table(header, rows, caption, {segment.order for segment in inside}))
    return tables


def _upright(box: Box | None, page_height: float) -> Box | None:
    """The same box counted from the foot of the page."""
    return box and (box[0], page_height - box[3], box[2], page_height - box[1])


def _holds(box: Box | None, word: Word) -> bool:
    x, y = (word.x0 + word.x1) / 2, word.y + word.height / 4
    return box is not None and box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _text(box: Box | None, words: list[Word]) -> str:
    return Segment(inside).text if (inside := [word for word in words if _holds(box, word)]) else ""
