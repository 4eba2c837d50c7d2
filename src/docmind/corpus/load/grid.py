"""Turns a grid of table cells into rows that can be read alone, whatever format the grid came from."""

import re
from collections.abc import Iterator, Sequence

MAX_HEADER_ROWS = 4
CELL = " | "

_YEAR = re.compile(r"(19|20)\d\d(?:\s?\(\d\)|\*{1,3})?")
_CURRENCIES = frozenset({"$", "€", "£", "¥", "USD", "EUR", "GBP"})
_CLOSINGS = frozenset({")", "%", ")%", ") %"})
_VALUE = re.compile(
    r"""(?:[$€£¥]\s?)?\(?(?:[$€£¥]\s?)?[-–—−+]?\d[\d,.'\u00a0]*\)?\s?(?:%|x|bps|pts|ppts|[BMK]|years?|months?|days?)?\)?(?:\s?\(?\d\)|\*+)?
      | (?:[$€£¥]\s?)?[-–—−]\s?%? | n/?a | n/?m | \*+""",
    re.VERBOSE | re.IGNORECASE,
)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
PERIOD = re.compile(
    r"\b(?:months?|weeks?|quarters?|years?|periods?)\b.*\b(?:ended|ending)\b|^(?:three|six|nine|twelve)\s+months"
    rf"|\b(?:{_MONTHS})[a-z]{{0,6}}\.?\s+\d{{1,2}},?$",
    re.IGNORECASE,
)
_UNITS = re.compile(
    r"\b(?:millions?|thousands?|billions?|dollars|percent(?:ages?)?|per[- ]share|unaudited|usd|eur|gbp)\b"
    r"|^\(?in\s[$€£¥%]|[$€£¥]\s?(?:m|mn|bn|k|['’]?000s?)\b|^['’]000s?\b",
    re.IGNORECASE,
)

_KINDS_OF_ROW = frozenset({
    "account", "activity", "area", "business", "case", "category", "channel", "city", "company", "country", "customer",
    "department", "description", "division", "function", "group", "industry", "item", "line item", "location", "market",
    "measure", "metric", "name", "product", "programme", "program", "project", "region", "scenario", "sector",
    "segment", "site", "type", "unit",
})  # fmt: skip
"""A corner that is one of these says what each row is of, and nothing of what the table shows."""


def is_value(cell: str) -> bool:
    """Whether a cell holds a figure (or the dash that stands for none) and not words."""
    return _VALUE.fullmatch(cell.strip()) is not None


def is_year(cell: str) -> bool:
    return _YEAR.fullmatch(cell.strip()) is not None


def is_currency(cell: str) -> bool:
    return cell.strip() in _CURRENCIES


def closes_value(cell: str) -> bool:
    """Whether a cell is only the tail of the figure before it, such as ")" or "%"."""
    return cell.strip() in _CLOSINGS


def states_units(text: str) -> bool:
    """Whether a corner cell or caption line says what the figures count: "(in millions, except per share amounts)"."""
    return len(text) < 200 and _UNITS.search(text) is not None


def tells_period(text: str) -> bool:
    """Whether a header cell says what stretch of time its figures cover: "Three Months Ended"."""
    return len(text) < 200 and PERIOD.search(text) is not None


def row_text(header: Sequence[str], cells: Sequence[str]) -> str:
    """`Net sales | 2023: 117,154 | 2022: 123,945`: the first cell bare, the others with the name of their column."""
    return CELL.join(name + cell for _, name, cell in _parts(header, cells))


def cell_places(header: Sequence[str], cells: Sequence[str]) -> dict[int, tuple[int, int]]:
    """From where to where each cell stands in `row_text`, by its column."""
    places = {}
    start = 0
    for position, name, cell in _parts(header, cells):
        places[position] = (start + len(name), start + len(name) + len(cell))
        start += len(name) + len(cell) + len(CELL)
    return places


def _parts(header: Sequence[str], cells: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """The cells that are not empty: their column, what names them there, and what they say."""
    for position, cell in enumerate(cells):
        name = header[position] if 0 < position < len(header) else ""
        if cell:
            yield position, f"{name.removesuffix(':')}: " if name and name != cell else "", cell


def join_headers(header_rows: Sequence[Sequence[str]]) -> list[str]:
    """One name a column from several header rows, top to bottom; a name that spans rows is said once."""
    width = max((len(row) for row in header_rows), default=0)
    names = []
    for column in range(width):
        parts: list[str] = []
        for row in header_rows:
            cell = row[column].strip() if column < len(row) else ""
            if cell and cell not in parts:
                parts.append(cell)
        names.append(" ".join(parts))
    return names


def count_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many rows at the top name the columns, judged by where figures begin; 0 where that cannot be told."""
    for index, row in enumerate(rows[: MAX_HEADER_ROWS + 1]):
        figures = [cell for cell in row[1:] if cell and is_value(cell) and not is_year(cell)]
        years = [cell for cell in row if is_year(cell)]
        filled = [cell for cell in row if cell.strip()]
        # One year among words is a figure of the table ("founded 1987"); several side by side name its columns.
        body = figures or (len(set(years)) == 1 and len(years) < len(filled) - 1)
        if body:
            return index if index and any(any(cell for cell in above[1:]) for above in rows[:index]) else 0
    # A table of words alone: its first row is a header when it names every column, briefly and once.
    first = [cell.strip() for cell in rows[0]] if rows else []
    named = len(rows) > 1 and len(first) > 1 and all(first) and len(set(first)) == len(first)
    return int(named and all(len(cell) <= 60 and not is_value(cell) and not _is_number(cell) for cell in first))


def _is_number(cell: str) -> bool:
    """Whether a cell is mostly digits, as a telephone number is."""
    characters = cell.replace(" ", "")
    return sum(map(str.isdigit, characters)) > len(characters) / 2


def merge_affixes(row: Sequence[str]) -> list[str]:
    """Currency signs, closing brackets and per cents that have a cell of their own go to the figure they belong to."""
    cells = [cell.strip() for cell in row]
    last = 0
    for index, cell in enumerate(cells):
        if is_currency(cell) and index + 1 < len(cells) and is_value(cells[index + 1]):
            cells[index], cells[index + 1] = "", cell + cells[index + 1]
        elif closes_value(cell) and is_value(cells[last]):
            cells[last], cells[index] = cells[last] + cell, ""
        elif cell:
            last = index
    return cells


def _titles(header: Sequence[str]) -> bool:
    """Whether the corner says what the table shows, as it does above rows of figures over years."""
    corner, columns = header[0] if header else "", header[1:]
    if corner.casefold() in _KINDS_OF_ROW or not any(character.isalpha() for character in corner):
        return False
    dated = [column for column in columns if any(is_year(word.strip(",")) for word in column.split())]
    return len(corner) < 120 and 2 * len(dated) > len(columns)


def split_table(
    rows: Sequence[Sequence[str]], header_rows: int | None = None, caption: str = ""
) -> tuple[list[str], list[list[str]], str]:
    """Header names, body rows and caption of a grid; `header_rows` where the format itself marks them."""
    merged = [merge_affixes(row) for row in rows]
    count = count_header_rows(merged) if header_rows is None else header_rows
    header = join_headers(merged[:count])
    corner = header[0] if header else ""
    if (
        states_units(corner) or tells_period(corner) or _titles(header)
    ) and corner.casefold() not in caption.casefold():
        caption = f"{caption} {corner}".strip()
    return header, merged[count:], caption
