"""Finds the tables that have no ruling lines, as most financial statements do, by how their figures line up."""

import re
from itertools import pairwise
from typing import NamedTuple

from docmind.corpus.load.grid import is_value, is_year, states_units, tells_period
from docmind.corpus.load.pdf.labels import Column, Row, is_unlabelled, labelled_rows, line_cells, name_columns
from docmind.corpus.load.pdf.page import PageText, Segment, visual_rows
from docmind.corpus.load.pdf.table import Table

# In units of the text's height.
REACH = 4.0
HEADER_REACH = 2.6
HEADER_OVERHANG = 3.0
MAX_HEADER_LINES = 6
MAX_LABEL_LINES = 6
LONGEST_NAME = 80
_MARK = re.compile(r"(?:\(\w\) ?){1,3}")
_MEASURE = re.compile(
    r"[<>≤≥~±]?[-–−+]?\d[\d.,]{0,12}(?:\s?[-–/x×]\s?\d[\d.,]{0,12})?\s?[^\W\d_]{1,7}\.?(?:\s?/\s?[^\W\d_]{1,7})?"
)


class _Places(NamedTuple):
    """Where the columns of a table stand, and how far the labels of its rows reach towards them."""

    columns: list[Column]
    labels_end: float

    @property
    def left(self) -> float:
        return self.columns[0].left

    def parted(self, line: Row) -> tuple[Row, Row]:
        """The cells at the left of a header line, and those that stand over columns."""
        over = [cell for cell in line if cell.x1 > self.left or cell.x0 > self.labels_end]
        return [cell for cell in line if cell not in over], over


def find_aligned_tables(page: PageText, taken: set[int]) -> list[Table]:
    """Tables of a page, top to bottom, made of the segments that are not already `taken`."""
    lines = _with_marks(visual_rows(segment for segment in page.segments if segment.order not in taken))
    cells = [line_cells(line) for line in lines]
    tables = []
    used = 0
    for start, end in _regions(cells):
        table = _build(page, lines, cells, used, start, end)
        if table:
            tables.append(table)
            used = end
    return tables


def _with_marks(lines: list[Row]) -> list[Row]:
    """Footnote marks that are set too high to stand on their line are put back on it."""
    joined: list[Row] = []
    marks: Row = []
    for line in lines:
        if all(_MARK.fullmatch(cell.text) for cell in line):
            marks += line
            continue
        near = [mark for mark in marks if mark.y - line[0].y < line[0].height and mark.height < line[0].height]
        joined.append(sorted([*line, *near], key=lambda cell: cell.x0))
        marks = []
    return joined


def _is_data(cells: Row) -> bool:
    """A row of figures, with or without a label before them; a row of years alone names columns."""
    figures = [cell for cell in cells[1:] if _is_figure(cell)]
    if not figures:
        return False
    if all(is_year(cell.text) for cell in figures):
        corner = cells[0].text
        told = is_value(corner) or states_units(corner) or tells_period(corner)
        beside_names = len(figures) < len(cells) - 1 and _follow_each_other(figures)
        return len(corner) > 20 and not told and not beside_names
    return True


def _is_figure(cell: Segment) -> bool:
    """Whether a cell holds a figure, alone or with the unit that it counts: 4.5 bar, 6–8 weeks."""
    return is_value(cell.text) or _MEASURE.fullmatch(cell.text.strip()) is not None


def _follow_each_other(years: Row) -> bool:
    """Whether years go up or down one by one, as those over columns do."""
    numbers = [int(cell.text[:4]) for cell in years]
    return len(numbers) > 1 and all(abs(one - other) == 1 for one, other in pairwise(numbers))


def _left_of_figures(cells: Row) -> float:
    return min(cell.left for cell in cells[1:] if _is_figure(cell))


def _regions(cells: list[Row]) -> list[tuple[int, int]]:
    """Runs of lines, first to past the last, whose rows of figures belong together."""
    data = [index for index, row in enumerate(cells) if _is_data(row)]
    regions: list[tuple[int, int]] = []
    for index in data:
        if regions and _belongs(cells, regions[-1][1] - 1, index):
            regions[-1] = (regions[-1][0], index + 1)
        else:
            regions.append((index, index + 1))
    return regions


def _belongs(cells: list[Row], last: int, index: int) -> bool:
    """Whether the rows of figures at `last` and `index` are of one table: close, with nothing but labels between."""
    if index - last > MAX_LABEL_LINES:
        return False
    left = min(_left_of_figures(cells[last]), _left_of_figures(cells[index]))
    for above, row in zip(range(last, index), cells[last + 1 : index + 1], strict=True):
        if cells[above][0].y - row[0].y > REACH * row[0].height:
            return False
    return all(row[-1].x1 < left + row[0].height for row in cells[last + 1 : index])


def _places(rows: list[Row]) -> _Places:
    """Places of the columns right of the labels: figures that overlap from row to row, then text beside them."""
    figures = [cell for row in rows for cell in row[1:] if _is_figure(cell)]
    columns = _merge([], figures)
    others = [cell for row in rows for cell in row[1:] if not _is_figure(cell)]
    apart = [cell for cell in others if not any(column.overlaps(cell.x0, cell.x1) for column in columns)]
    columns = sorted(columns + _merge([], apart), key=lambda column: column.x0)
    labels_end = max((row[0].x1 for row in rows if not is_unlabelled(row, columns)), default=columns[0].left)
    return _Places(columns, labels_end)


def _merge(columns: list[Column], cells: Row) -> list[Column]:
    for cell in sorted(cells, key=lambda cell: cell.x0):
        if columns and cell.x0 < columns[-1].x1:
            columns[-1].x1 = max(columns[-1].x1, cell.x1)
            columns[-1].left = min(columns[-1].left, cell.left)
        else:
            columns.append(Column(cell.x0, cell.x1, cell.left))
    return columns


def _build(page: PageText, lines: list[Row], cells: list[Row], floor: int, start: int, end: int) -> Table | None:
    body = [row for row in cells[start:end] if _is_data(row)]
    places = _places(body)
    top = _header_start(page, cells, floor, start, places)
    labels_from = _body_start(page, cells[top:start], places) + top
    header_lines = cells[top:labels_from]
    if len(body) < 2 and not (header_lines and len(body[0]) > 2):
        return None
    spans = [(column.left, column.x1) for column in places.columns]
    header, corner = name_columns([places.parted(line) for line in header_lines], spans, page.strokes.rules)
    rows = labelled_rows(cells[labels_from:end], places.columns)
    first, units = _units_above(cells, floor, top)
    taken = {segment.order for line in lines[first:end] for segment in line}
    caption = " ".join(filter(None, [units, corner]))
    titles = [["", *header]] if any(header) else []
    return Table(["", *header], rows, caption, taken, [column.x1 for column in places.columns], titles)


def _header_start(page: PageText, cells: list[Row], floor: int, start: int, places: _Places) -> int:
    """First of the lines above the figures that name columns; `start` where none does."""
    top = start
    for index in range(start - 1, max(floor, start - MAX_HEADER_LINES - MAX_LABEL_LINES) - 1, -1):
        row, below = cells[index], cells[index + 1]
        if row[0].y - below[0].y > HEADER_REACH * max(row[0].height, below[0].height) or top - index > MAX_LABEL_LINES:
            break
        if _names_columns(page, row, places):
            top = index
        elif top < start or row[-1].x1 > places.left or len(row) > 1:
            break
    return top


def _body_start(page: PageText, lines: list[Row], places: _Places) -> int:
    """How many lines name columns: up to a label alone, or to the second line that fills every place with words."""
    full = 0
    for index, line in enumerate(lines):
        full += len(line) == len(places.columns) + 1
        if full > 1 or not _names_columns(page, line, places):
            return index
    return len(lines)


def _names_columns(page: PageText, row: Row, places: _Places) -> bool:
    """Whether a line stands over the columns, but for an optional corner at its left."""
    left, right = places.left, places.columns[-1].x1
    corner, over = places.parted(row)
    if not over or len(corner) > 1 or _is_data(row):
        return False
    if any(cell.x0 < left - HEADER_OVERHANG * cell.height and cell.x0 <= places.labels_end for cell in over):
        return False
    return not _is_title(page, row, left, right) and all(len(cell.text) < LONGEST_NAME for cell in over)


def _is_title(page: PageText, row: Row, left: float, right: float) -> bool:
    """Whether a line alone is centred on the page and not over the columns."""
    return len(row) == 1 and abs(row[0].centre - page.width / 2) < 3 and abs(left + right - page.width) > 20


def _units_above(cells: list[Row], floor: int, top: int) -> tuple[int, str]:
    """The lines just above a table that say what its figures count, as "(in millions)" does."""
    first = top
    while first > floor and len(cells[first - 1]) == 1 and top - first < 3:
        text = cells[first - 1][0].text
        if not (text.startswith("(") and states_units(text)):
            break
        first -= 1
    return first, " ".join(row[0].text for row in cells[first:top])
