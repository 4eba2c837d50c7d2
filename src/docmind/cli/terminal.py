"""Where output goes: pretty in a terminal, with tables that fit it; in a pipe plain, uncoloured and never wrapped."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from docmind.cli.requester import REQUESTER
from docmind.cli.wrapping import echo

READABLE_WIDTH = 100
_UNBOUNDED = 10_000
# Controls, and what turns the direction of writing round: either makes a terminal show what is not there.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class _Console(Console):
    def print(self, *objects: Any, soft_wrap: bool | None = None, **how: Any) -> None:
        """What a pipe gets in one line is broken between words on a terminal, and goes on below its first word."""
        if not (soft_wrap and self.is_terminal and len(objects) == 1 and isinstance(objects[0], str | Text)):
            super().print(*objects, soft_wrap=soft_wrap, **how)
            return
        text = Text(objects[0]) if isinstance(objects[0], str) else objects[0]
        for paragraph in text.split("\n", allow_blank=True):
            indent = len(paragraph.plain) - len(paragraph.plain.lstrip(" "))
            told = paragraph[indent:]
            for line in told.divide(_line_starts(told.plain, self.width - indent)):
                line.rstrip()
                super().print(Text.assemble(" " * indent, line), soft_wrap=True, **how)

    def on_broken_pipe(self) -> None:
        # Rich would end the program here; how it ends is for one place to decide.
        raise BrokenPipeError


def _line_starts(text: str, width: int) -> list[int]:
    """Where lines after the first begin, so that each ends between words."""
    starts, start = [], 0
    for word in re.finditer(r"\S+", text):
        if word.start() > start and cell_len(text[start : word.end()]) > width:
            start = word.start()
            starts.append(start)
    return starts


def out() -> Console:
    return _console(stderr=False)


def err() -> Console:
    return _console(stderr=True)


def print_json(value: Any) -> None:
    told = json.dumps(value, ensure_ascii=False, indent=2)
    # The same to a program, and harmless to a terminal.
    echo(_STEERING.sub(lambda control: f"\\u{ord(control[0]):04x}", told))


def printable(text: str) -> str:
    """Text without control characters: a document must not be able to steer the reader's terminal."""
    return _STEERING.sub(" ", text)


def _console(*, stderr: bool) -> Console:
    asker = REQUESTER.get()
    place: dict[str, Any] = {"stderr": stderr}
    if asker is not None:
        place = {"file": asker.err if stderr else asker.out, "_environ": asker.environment}
    console = _Console(**place, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
    return console


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
