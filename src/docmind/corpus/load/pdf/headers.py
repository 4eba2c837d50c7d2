"""Names the columns of a table from the lines above it: which words stand over which columns."""

import re

from docmind.corpus.load.grid import PERIOD, is_year, states_units, tells_period
from docmind.corpus.load.pdf.strokes import Rule
from docmind.corpus.load.pdf.words import Segment

Span = tuple[float, float]

_TIME = re.compile(rf"{PERIOD.pattern}|^(?:19|20)\d\d$|^[A-Z][a-z]{{2,8}}\.? \d{{1,2}},", re.IGNORECASE)
_DATED = re.compile(r"\d")


def name_columns(
    lines: list[tuple[list[Segment], list[Segment]]], columns: list[Span], rules: list[Rule]
) -> tuple[list[str], str]:
    """A name for each column, read from the top line down, and the text of the corner above the labels.

    Each line comes as its cells at the left and those over the columns.
    """
    parts: list[list[str]] = [[] for _ in columns]
    corner: list[str] = []
    for number, (left, over) in enumerate(lines):
        for cell in left:
            if tells_period(cell.text):
                # "Three Months Ended June 30," in the corner dates every column that names a year beside it.
                parts = [[*names, cell.text] for names in parts]
            else:
                corner.append(cell.text)
        below = [cell for _, lower in lines[number + 1 :] for cell in lower]
        for cell, owned in zip(over, _owned(over, columns, rules, below), strict=True):
            if cell.text.startswith("(") and states_units(cell.text):
                corner.append(cell.text)
                continue
            for column in owned:
                if cell.text not in parts[column]:
                    parts[column].append(cell.text)
    return [" ".join(names) for names in parts], " ".join(corner)


def _owned(cells: list[Segment], columns: list[Span], rules: list[Rule], below: list[Segment]) -> list[list[int]]:
    """For each cell of a header line the columns it names; `below` are the header cells under that line."""
    if len(cells) == len(columns) and all(
        index in (_under(cell, columns) or [index]) for index, cell in enumerate(cells)
    ):
        return [[index] for index in range(len(cells))]
    anchors = [_overlap(cell, columns) for cell in cells]
    owned = [
        sorted({*anchor, *_underlined(cell, cells, columns, rules)})
        for cell, anchor in zip(cells, anchors, strict=True)
    ]
    claimed = {column for group in owned for column in group}
    if len(claimed) == len(columns):
        return owned
    named = {column for cell in below for column in _overlap(cell, columns)}
    dated = {column for cell in below if _DATED.search(cell.text) for column in _overlap(cell, columns)}
    if all(_spans(cell, columns) for cell in cells):
        return _even_split(anchors, len(columns), named) or _spread_periods(cells, owned, claimed, dated)
    return _spread_periods(cells, owned, claimed, dated)


def _under(cell: Segment, columns: list[Span]) -> list[int]:
    return [i for i, (x0, x1) in enumerate(columns) if cell.x0 < x1 and x0 < cell.x1]


def _overlap(cell: Segment, columns: list[Span]) -> list[int]:
    """The columns under a cell, or the nearest one."""
    return _under(cell, columns) or [min(range(len(columns)), key=lambda i: abs(sum(columns[i]) / 2 - cell.centre))]


def _spans(cell: Segment, columns: list[Span]) -> bool:
    """Whether a header cell may name several columns: it tells a time, or its middle is between columns."""
    return bool(_TIME.search(cell.text)) or not any(x0 < cell.centre < x1 for x0, x1 in columns)


def _underlined(cell: Segment, cells: list[Segment], columns: list[Span], rules: list[Rule]) -> list[int]:
    """Columns above which the stroke under a header cell reaches, when that stroke is the cell's own."""
    below = [
        (x1 - x0, x0, x1)
        for y, x0, x1 in rules
        if -1.5 * cell.height < y - cell.y < 1 and x0 - 2 < cell.x0 and cell.x1 < x1 + 2
    ]
    if not below:
        return []
    _, x0, x1 = min(below)
    if any(other is not cell and x0 < other.centre < x1 for other in cells):
        return []
    return [i for i, (left, right) in enumerate(columns) if x0 < (left + right) / 2 < x1]


def _even_split(anchors: list[list[int]], columns: int, named: set[int]) -> list[list[int]]:
    """Equal groups of neighbours, when each cell stands over its own group and a line below tells columns apart."""
    if len(anchors) < 2 or columns % len(anchors) or len(named) < columns:
        return []
    size = columns // len(anchors)
    groups = [list(range(i * size, (i + 1) * size)) for i in range(len(anchors))]
    return groups if all(set(a) <= set(group) for a, group in zip(anchors, groups, strict=True)) else []


def _spread_periods(
    cells: list[Segment], owned: list[list[int]], claimed: set[int], dated: set[int]
) -> list[list[int]]:
    """ "Three Months Ended" set flush over its last column also covers the columns beside it that only a date names."""
    for cell, group in zip(cells, owned, strict=True):
        if not _TIME.search(cell.text) or is_year(cell.text):
            continue
        for step, edge in ((-1, min(group)), (1, max(group))):
            column = edge + step
            while column in dated and column not in claimed:
                group.append(column)
                claimed.add(column)
                column += step
    return owned
