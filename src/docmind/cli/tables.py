"""Tables that fit: columns where the terminal has room for them, otherwise an entry a row."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

_GAP = 2
_INDENT = "    "
_READABLE = 24
"""Characters of a cell that wraps which have to fit beside each other."""


class Column(NamedTuple):
    name: str
    right: bool = False
    """Numbers stand below each other by their last digit."""
    wraps: bool = False
    """Its cells may go over several lines, broken between words."""


def show_table(
    console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]], styles: Sequence[str] = ()
) -> None:
    """The rows below each other, or each as an entry where no word would fit whole; `styles` are those of the rows."""
    styles = styles or [""] * len(rows)
    if _least_width(columns, rows) <= console.width:
        console.print(_table(columns, rows, styles))
        return
    for row, style in zip(rows, styles, strict=True):
        _show_entry(console, columns, row, style)


def _table(columns: Sequence[Column], rows: Sequence[Sequence[str]], styles: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column.name, justify="right" if column.right else "left", no_wrap=not column.wraps)
    for row, style in zip(rows, styles, strict=True):
        table.add_row(*row, style=style)
    return table


def _show_entry(console: Console, columns: Sequence[Column], row: Sequence[str], style: str) -> None:
    """The first cell on a line, what the others say below it."""
    console.print(Text(row[0], style=f"bold {style}".strip()), soft_wrap=True)
    told = [f"{column.name} {cell}".strip() for column, cell in zip(columns[1:], row[1:], strict=True) if cell]
    if told:
        console.print(Text(_INDENT + " · ".join(told), style=style), soft_wrap=True)


def _least_width(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> int:
    """What the columns need so that no word is broken and what wraps can be read."""
    widths = [
        max(_least_of(cell, column) for cell in (column.name, *cells))
        for column, *cells in zip(columns, *rows, strict=True)
    ]
    return sum(widths) + _GAP * (len(columns) - 1)


def _least_of(cell: str, column: Column) -> int:
    return max(map(len, [*cell.split(), cell[:_READABLE]]), default=0) if column.wraps else len(cell)
