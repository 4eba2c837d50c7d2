"""Reads the straight lines a page draws: the strokes under its words, and the edges that rule its tables."""

import ctypes
from collections.abc import Iterator
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
    rules = _joined([(round(top, 1), left, right) for left, bottom, right, top in boxes if top - bottom <= THIN])
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
    for (x0, y0), (x1, y1) in _lines(path):
        width, height = abs(x1 - x0), abs(y1 - y0)
        if width <= LEAN and height >= SHORTEST_EDGE:
            strokes.upright.append(Edge((x0 + x1) / 2, min(y0, y1), max(y0, y1)))
        elif height <= LEAN and width >= SHORTEST_EDGE:
            strokes.across.append(Edge((y0 + y1) / 2, min(x0, x1), max(x0, x1)))


def _lines(path: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
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


def _joined(strokes: list[Rule]) -> list[Rule]:
    joined: list[Rule] = []
    for y, x0, x1 in sorted(strokes):
        if joined and joined[-1][0] == y and x0 - joined[-1][2] < 1.5:
            joined[-1] = (y, joined[-1][1], max(x1, joined[-1][2]))
        else:
            joined.append((y, x0, x1))
    return [rule for rule in joined if rule[2] - rule[1] > 2 * THIN]
