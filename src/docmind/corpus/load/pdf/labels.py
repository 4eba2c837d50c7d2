"""Names the columns and rows of a table without ruling lines: which words stand over a column, and each row's label."""

import re
from dataclasses import dataclass

from docmind.corpus.load.grid import PERIOD, closes_value, is_currency, is_value, is_year, states_units, tells_period
from docmind.corpus.load.pdf.page import COLUMN_GAP, Rule, Segment

Row = list[Segment]

# Sign, bracket, number, bracket, unit, footnote.
FIGURE_WORDS = 6
_WHOLE_DATE = re.compile(r"(.{0,80}\b[A-Z][a-z]{2,8}\.? \d{1,2},) ((?:19|20)\d\d)")


def line_cells(line: Row) -> Row:
    """Cells of a line: parted by wide gaps and before currency signs; a figure has its sign and bracket with it."""
    cells: Row = []
    words = sorted((word for segment in line for word in segment.words), key=lambda word: word.x0)
    for word in words:
        if not cells:
            cells.append(Segment([word]))
            continue
        last = cells[-1]
        gap = (word.x0 - last.x1) / max(last.height, word.height)
        figure = len(last.words) <= FIGURE_WORDS and is_value(last.text)
        figure_ends = figure and (is_currency(word.text) or (is_value(word.text) and gap > 0.4))
        if closes_value(word.text) and figure and gap < 3 * COLUMN_GAP:
            last.add(word)
        elif gap > COLUMN_GAP or figure_ends or (is_currency(word.text) and gap > 0.5):
            cells.append(Segment([word]))
        else:
            last.add(word)
    return _date_alike(_join_currency(cells))


def _join_currency(cells: Row) -> Row:
    joined: Row = []
    for cell in cells:
        if joined and is_currency(joined[-1].text) and is_value(cell.text):
            sign = joined.pop()
            first = cell.words[0]
            joined.append(Segment([first._replace(text=sign.text + first.text), *cell.words[1:]], left=sign.x0))
        else:
            joined.append(cell)
    return joined


def _date_alike(cells: Row) -> Row:
    """ "Years ended December 31, 2022 | 2021 | 2020" says the day once for all: each year is given it."""
    first = next((index for index, cell in enumerate(cells) if _WHOLE_DATE.fullmatch(cell.text)), None)
    if first is None or first + 1 == len(cells) or not all(is_year(cell.text) for cell in cells[first + 1 :]):
        return cells
    said = cells[first].text.removesuffix(cells[first].words[-1].text)
    years = [cell.words[-1] if cell is cells[first] else cell.words[0] for cell in cells[first:]]
    return [*cells[:first], *(Segment([year._replace(text=said + year.text)]) for year in years)]


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


# Points by which a label must be set in to count as a child of the line above.
INDENT = 2.0
LONGEST_PREFIX = 120
_LOOSE = re.compile(r"(?<=[$€£¥])\s+|\s+(?=[%)])")


@dataclass(slots=True)
class Column:
    """The place of a column: from `x0` to `x1` its figures, from `left` its currency signs."""

    x0: float
    x1: float
    left: float

    def overlaps(self, x0: float, x1: float) -> bool:
        return x0 < self.x1 and self.x0 < x1


@dataclass(slots=True)
class _Section:
    """A line such as "Cost of sales:" and the rows below it, which mean little without it."""

    title: str
    x0: float
    child_x0: float | None = None


def labelled_rows(cells: list[Row], columns: list[Column]) -> list[list[str]]:
    """Rows as texts by column, the label first."""
    joined = _join_wrapped(cells, columns)
    repeated = _in_several_sections(joined)
    sections: list[_Section] = []
    rows: list[list[str]] = []
    for label, x0, row in joined:
        if len(row) > 1:
            figures = row if is_unlabelled(row, columns) else row[1:]
            rows.append([_prefix(sections, label, x0, label in repeated) + label, *_placed(figures, columns)])
        else:
            while sections and sections[-1].x0 > x0 - INDENT:
                sections.pop()
            sections.append(_Section(label.removesuffix(":"), x0))
            rows.append([label])
    return rows


def _in_several_sections(rows: list[tuple[str, float, Row]]) -> set[str]:
    """Labels that stand under more than one section line, so that the label alone does not say which row it is."""
    under: dict[str, set[str]] = {}
    title = ""
    for label, _, row in rows:
        if len(row) == 1:
            title = label
        else:
            under.setdefault(label, set()).add(title)
    return {label for label, titles in under.items() if len(titles) > 1}


def _join_wrapped(cells: list[Row], columns: list[Column]) -> list[tuple[str, float, Row]]:
    """Label, where it begins, and cells of each row; a label that runs over several lines is one."""
    rows: list[tuple[str, float, Row]] = []
    pending: Row = []
    for index, row in enumerate(cells):
        label = [] if len(row) > 1 and is_unlabelled(row, columns) else row[:1]
        parts = [*pending, *label]
        text = " ".join(cell.text for cell in parts)
        below = cells[index + 1][0].text if index + 1 < len(cells) else ""
        if len(row) == 1 and below and not text.endswith(":") and _runs_on(row[0], columns[0].left, below):
            pending = parts
            continue
        rows.append((text, min((cell.x0 for cell in parts), default=0.0), row))
        pending = []
    return rows


def _runs_on(label: Segment, left: float, below: str) -> bool:
    """Whether a line is only the beginning of a label: it fills its column, or the next one begins in small letters."""
    return label.x1 - label.x0 > 0.7 * (left - label.x0) or below[0].islower()


def is_unlabelled(row: Row, columns: list[Column]) -> bool:
    """Whether the first cell of a row is already a figure of a column."""
    first = row[0]
    return is_value(first.text) and any(column.overlaps(first.x0, first.x1) for column in columns)


def _prefix(sections: list[_Section], label: str, x0: float, repeated: bool) -> str:
    """The sections a row belongs to. A total, or a row set in deeper than its fellows, sums one up and ends it."""
    if not label:
        return ""
    if sections and abs(sections[-1].x0 - x0) <= INDENT and sections[-1].child_x0 is None:
        # Rows level with their section belong to it for sure only where other sections have rows of that name.
        return f"{sections[-1].title}: " if repeated else ""
    while sections and sections[-1].x0 > x0 - INDENT:
        sections.pop()
    if not sections:
        return ""
    inner = sections[-1]
    inner.child_x0 = x0 if inner.child_x0 is None else inner.child_x0
    if label.lower().startswith("total") or x0 > inner.child_x0 + INDENT:
        sections.pop()
        return ""
    path = "".join(f"{section.title}: " for section in sections)
    return path if len(path) <= LONGEST_PREFIX else f"{inner.title}: "


def _placed(cells: Row, columns: list[Column]) -> list[str]:
    """Each cell's text at the column it overlaps most or stands nearest to."""
    texts = [""] * len(columns)
    for cell in cells:
        gaps = [max(cell.x0, column.x0) - min(cell.x1, column.x1) for column in columns]
        place = gaps.index(min(gaps))
        texts[place] = f"{texts[place]} {_LOOSE.sub('', cell.text)}".strip()
    return texts
