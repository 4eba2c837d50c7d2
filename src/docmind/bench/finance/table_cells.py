"""Whether the cells of a table are read as they stand there: with their value, in their row and their column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from docmind.bench.finance.rendering import Grid, passages_of
from docmind.quality.quantities import Figure
from docmind.skills.finance.evidence.tables import read_tables

_VALUE = re.compile(r"\(?-?[$€£]?\s?\(?\d[\d,]*+(?:\.\d++)?+\s?%?\)?")
_SIGNS = str.maketrans("", "", "$€£,% ()")


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a table as a person reads it."""

    row: str
    column: int
    value: Decimal


@dataclass(frozen=True, slots=True)
class Cells:
    """How many cells of some tables there are, and how many were read right."""

    count: int = 0
    valued: int = 0
    """With their value in their row."""
    placed: int = 0
    """And told from the other columns of the row."""

    def __add__(self, other: "Cells") -> "Cells":
        return Cells(self.count + other.count, self.valued + other.valued, self.placed + other.placed)


def read_cells(name: str, grid: Grid) -> Cells:
    """What the product reads of a table, after it was ingested, beside what stands in it."""
    tables = read_tables(passages_of(name, (), grid))
    rows = [(row.label, row.figures) for table in tables for row in table.rows if row.figures]
    found = Cells()
    for label, cells in _by_row(grid):
        figures = next((read for own, read in rows if own == label), ())
        rows = [(own, read) for own, read in rows if read is not figures]
        found += _compared(cells, figures)
    return found


def split_cells(name: str, grid: Grid) -> Cells:
    """The plain way: a line of the rendered table cut at its bars, and whatever is a number in a cell taken for it."""
    lines = [line for passage in passages_of(name, (), grid) for line in passage.text.split("\n")]
    cut = [line.split(" | ") for line in lines]
    read = {label: [_number(cell.rpartition(": ")[2]) for cell in cells] for label, *cells in cut}
    found = Cells()
    for label, cells in _by_row(grid):
        values = read.get(label, [])
        found += Cells(len(cells), sum(cell.value in values for cell in cells), 0)
    return found


def _compared(cells: Sequence[Cell], figures: Sequence[Figure]) -> Cells:
    values = [figure.quantity.value / figure.scale for figure in figures]
    right = [cell for cell in cells if cell.value in values]
    # Figures of a row that share a column cannot be told apart by whoever asks for one.
    columns = {figure.column for figure in figures}
    placed = len(right) if len(columns) == len(figures) else min(len(right), len(columns))
    return Cells(len(cells), len(right), placed)


def _by_row(grid: Grid) -> Iterator[tuple[str, list[Cell]]]:
    for row in grid:
        label = " ".join(row[0].split()) if row else ""
        cells = [Cell(label, at, value) for at, cell in enumerate(row[1:]) if (value := _value(cell)) is not None]
        if label and cells and not _is_header(cells):
            yield label, cells


def _is_header(cells: Sequence[Cell]) -> bool:
    """A row of years names columns."""
    return all(1900 <= cell.value <= 2099 and cell.value == int(cell.value) for cell in cells)


def _value(cell: str) -> Decimal | None:
    text = cell.strip()
    return _number(text) if _VALUE.fullmatch(text) else None


def _number(text: str) -> Decimal | None:
    negative = text.strip().startswith(("-", "(", "$(", "€(", "£("))
    try:
        value = Decimal(text.translate(_SIGNS).lstrip("-"))
    except InvalidOperation:
        return None
    return -value if negative else value
