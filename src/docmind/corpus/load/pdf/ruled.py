"""Reads the tables that are drawn with ruling lines: the lines give the cells, the page's own words fill them."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docmind.corpus.load.grid import merge_affixes, split_table
from docmind.corpus.load.pdf.page import MOST_CROSSINGS, Edge, PageText, Segment, Word
from docmind.corpus.load.pdf.table import Table

# Points by which lines may miss one another and still be meant to meet.
TOLERANCE = 3.0
SHORTEST_SIDE = 3.0


class Box(NamedTuple):
    """A place on the page, counted from its foot."""

    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


class _Crossing(NamedTuple):
    """The edges that meet at a point, by their number."""

    upright: set[int]
    across: set[int]


Lattice = list[list[Box | None]]
"""The cells of a table, row by row from the top, each where its left side stands; None where a cell spans columns."""
_Crossings = dict[tuple[float, float], _Crossing]


def find_lattices(across: Iterable[Edge], upright: Iterable[Edge]) -> list[Lattice]:
    """The tables that lines enclose, from the top of the page down."""
    rows, columns = _merged(across), _merged(upright)
    if len(rows) * len(columns) > MOST_CROSSINGS:
        return []
    tables = [table for table in _neighbours(list(_cells(_crossings(rows, columns)))) if len(table) > 1]
    tables.sort(key=lambda table: min((-box.y1, box.x0) for box in table))
    return [_in_rows(table) for table in tables]


def _merged(edges: Iterable[Edge]) -> list[Edge]:
    """Edges side by side as one, and those that follow one another closely joined."""
    lines: list[list[Edge]] = []
    for edge in sorted(edges):
        if lines and edge.at - lines[-1][-1].at <= TOLERANCE:
            lines[-1].append(edge)
        else:
            lines.append([edge])
    merged: list[Edge] = []
    for line in lines:
        at = sum(edge.at for edge in line) / len(line)
        merged += _joined_edges(at, line)
    return [edge for edge in merged if edge.end - edge.start >= SHORTEST_SIDE]


def _joined_edges(at: float, line: list[Edge]) -> list[Edge]:
    joined: list[Edge] = []
    for _, start, end in sorted(line, key=lambda edge: edge.start):
        if joined and start <= joined[-1].end + TOLERANCE:
            joined[-1] = Edge(at, joined[-1].start, max(joined[-1].end, end))
        else:
            joined.append(Edge(at, start, end))
    return joined


def _crossings(rows: list[Edge], columns: list[Edge]) -> _Crossings:
    crossings: _Crossings = defaultdict(lambda: _Crossing(set(), set()))
    heights = [row.at for row in rows]
    for number, column in enumerate(columns):
        lowest = bisect_left(heights, column.start - TOLERANCE)
        for index in range(lowest, bisect_right(heights, column.end + TOLERANCE)):
            row = rows[index]
            if row.start - TOLERANCE <= column.at <= row.end + TOLERANCE:
                crossing = crossings[column.at, row.at]
                crossing.upright.add(number)
                crossing.across.add(index)
    return dict(crossings)


def _cells(crossings: _Crossings) -> Iterator[Box]:
    """For each crossing the smallest cell of which it is the upper left corner, if lines close one."""
    below: dict[float, list[float]] = defaultdict(list)
    beside: dict[float, list[float]] = defaultdict(list)
    # From right to left and upwards, so that what lies below and beside a crossing is known before it, nearest last.
    for (x, y), corner in sorted(crossings.items(), key=lambda item: (-item[0][0], item[0][1])):
        if cell := _closed(x, y, corner, below[x], beside[y], crossings):
            yield cell
        below[x].append(y)
        beside[y].append(x)


def _closed(
    x: float, y: float, corner: _Crossing, below: list[float], beside: list[float], crossings: _Crossings
) -> Box | None:
    for low in reversed(below):
        foot = crossings[x, low]
        if corner.upright.isdisjoint(foot.upright):
            break
        for right in reversed(beside):
            side = crossings[right, y]
            if corner.across.isdisjoint(side.across):
                break
            far = crossings.get((right, low))
            if far and not far.upright.isdisjoint(side.upright) and not far.across.isdisjoint(foot.across):
                return Box(x, low, right, y)
    return None


def _neighbours(cells: list[Box]) -> Iterator[list[Box]]:
    """Cells that share a corner, directly or through others, together."""
    touching: dict[tuple[float, float], list[int]] = defaultdict(list)
    for index, cell in enumerate(cells):
        for corner in _corners(cell):
            touching[corner].append(index)
    seen: set[int] = set()
    for start in range(len(cells)):
        group, waiting = [], [start]
        while waiting:
            index = waiting.pop()
            if index not in seen:
                seen.add(index)
                group.append(cells[index])
                waiting += (other for corner in _corners(cells[index]) for other in touching[corner])
        if group:
            yield group


def _corners(box: Box) -> tuple[tuple[float, float], ...]:
    return (box.x0, box.y0), (box.x0, box.y1), (box.x1, box.y0), (box.x1, box.y1)


def _in_rows(cells: list[Box]) -> Lattice:
    places = {(box.y1, box.x0): box for box in cells}
    lefts = sorted({box.x0 for box in cells})
    return [[places.get((top, left)) for left in lefts] for top in sorted({box.y1 for box in cells}, reverse=True)]


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
