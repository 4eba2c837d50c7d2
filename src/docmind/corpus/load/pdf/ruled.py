"""Reads the tables that are drawn with ruling lines: the lines give the cells, the page's own words fill them."""

from collections.abc import Iterable

from docmind.corpus.load.grid import merge_affixes, split_table
from docmind.corpus.load.pdf.lattice import Box, Lattice, find_lattices
from docmind.corpus.load.pdf.table import Table
from docmind.corpus.load.pdf.words import PageText, Segment, Word


def find_ruled_tables(page: PageText) -> list[Table]:
    """Tables from the top of the page down, also those of one row."""
    lattices = find_lattices(page.strokes.across, page.strokes.upright)
    tables = [_read(lattice, page) for lattice in lattices if len(lattice[0]) > 1]
    return [table for table in tables if table]


def _read(lattice: Lattice, page: PageText) -> Table | None:
    outline = _outline(box for row in lattice for box in row)
    inside = [segment for segment in page.segments if _stands_in(outline, segment.words[0])]
    words = _words_by_row(lattice, inside)
    grid = [[_text(box, near) for box in row] for row, near in zip(lattice, words, strict=True)]
    if not any(any(row[1:]) for row in grid):
        return None
    header, rows, caption = split_table(grid)
    named = len(grid) - len(rows)
    return Table(
        header,
        rows,
        caption,
        taken={segment.order for segment in inside},
        places=[*sorted({box.x0 for row in lattice for box in row if box}), outline.x1],
        titles=[merge_affixes(row) for row in grid[:named]],
        bold=_weight(words[:named]) > _weight(words[named:]),
    )


def _words_by_row(lattice: Lattice, inside: list[Segment]) -> list[list[Word]]:
    """The words of each row, so that not every word of the table need be looked at for each of its cells."""
    words = [word for segment in inside for word in segment.words]
    return [[word for word in words if _stands_in(outline, word)] for outline in map(_outline, lattice)]


def _weight(rows: list[list[Word]]) -> int:
    return min((word.weight for row in rows for word in row), default=0)


def _outline(boxes: Iterable[Box | None]) -> Box:
    x0, y0, x1, y1 = zip(*filter(None, boxes), strict=True)
    return Box(min(x0), min(y0), max(x1), max(y1))


def _stands_in(box: Box, word: Word) -> bool:
    return box.holds((word.x0 + word.x1) / 2, word.y + word.height / 4)


def _text(box: Box | None, words: list[Word]) -> str:
    inside = [word for word in words if box and _stands_in(box, word)]
    return Segment(inside).text if inside else ""
