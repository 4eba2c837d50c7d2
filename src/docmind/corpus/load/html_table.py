"""The cells of an HTML table, those that span columns and rows filled in."""

from lxml.html import HtmlElement

from docmind.corpus.load.builder import Place, one_line
from docmind.corpus.load.grid import count_header_rows, merge_affixes

MAX_SPAN = 100
Grid = tuple[list[list[str]], int, dict[Place, HtmlElement]]
"""The rows, how many of them name columns as far as that can be told, and the element at each place."""


def read_grid(table: HtmlElement) -> Grid:
    grid, header_rows, places = _grid(table)
    if not header_rows and (header_rows := count_header_rows([merge_affixes(row) for row in grid])):
        # A name over three columns is the name of each: currency sign, figure and closing bracket have one each.
        grid, _, places = _grid(table, header_rows)
    return grid, header_rows, places


def _grid(table: HtmlElement, named: int = 0) -> Grid:
    """Cells with spans filled in, how many rows at the top are marked as header, and where each element stands.

    The first `named` rows are header though they are not marked so.
    """
    rows: list[list[str]] = []
    places: dict[Place, HtmlElement] = {}
    carried: dict[int, tuple[int, str]] = {}
    header_rows = 0
    for row in table.iter("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        in_head = any(parent.tag == "thead" for parent in row.iterancestors())
        marked = in_head or (bool(cells) and all(cell.tag == "th" for cell in cells))
        if marked and header_rows == len(rows):
            header_rows += 1
        filled, columns = _filled(cells, carried, repeat=marked or len(rows) < named)
        places |= {(len(rows), column): cell for column, cell in zip(columns, cells, strict=True)}
        rows.append(filled)
    return rows, header_rows, places


def _filled(
    cells: list[HtmlElement], carried: dict[int, tuple[int, str]], *, repeat: bool
) -> tuple[list[str], list[int]]:
    """One row, and in which column each cell stands; header cells repeat over the columns they span, others do not."""
    row: list[str] = []
    columns: list[int] = []
    pending = iter(cells)
    cell = next(pending, None)
    while cell is not None or len(row) in carried:
        if len(row) in carried:
            left, text = carried.pop(len(row))
            if left > 1:
                carried[len(row)] = (left - 1, text)
            row.append(text)
            continue
        if cell is None:
            break
        text = one_line(cell.text_content())
        columns.append(len(row))
        for offset in range(_span(cell, "colspan")):
            value = text if repeat or offset == 0 else ""
            if (rowspan := _span(cell, "rowspan")) > 1:
                carried[len(row)] = (rowspan - 1, value)
            row.append(value)
        cell = next(pending, None)
    return row, columns


def _span(cell: HtmlElement, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return min(max(int(value), 1), MAX_SPAN) if value.isascii() and value.isdigit() else 1
