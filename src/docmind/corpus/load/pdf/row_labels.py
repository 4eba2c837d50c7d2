"""Gives each row of an unruled table its whole label: wrapped lines joined, and the section it stands in."""

import re
from dataclasses import dataclass

from docmind.corpus.load.grid import is_value
from docmind.corpus.load.pdf.cells import Row
from docmind.corpus.load.pdf.words import Segment

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
