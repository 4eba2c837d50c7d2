"""Finds the cells that a page's lines enclose, and which of them make up one table."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docmind.corpus.load.pdf.strokes import MOST_CROSSINGS, Edge

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
        merged += _joined(at, line)
    return [edge for edge in merged if edge.end - edge.start >= SHORTEST_SIDE]


def _joined(at: float, line: list[Edge]) -> list[Edge]:
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
