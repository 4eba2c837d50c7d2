"""A table read back from its passages: named columns, rows of typed cells, and the parts that no search found."""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from itertools import groupby

from docmind.domain.documents import Passage, passage_id
from docmind.domain.search import Hit
from docmind.quality.quantities import Period, Quantity, read
from docmind.quality.words import words
from docmind.skills.extract.statements import Statement, read_statements

CELL = " | "
_NAMED = ": "
_MOST_TABLES = 4
_MOST_ROWS = 200
_LEAST_ROWS = 2
_SIGN = 2
"""What is no longer than this marks a row and does not name it."""
_MOST_SPREAD = 20.0
_MOST_TURNED = 12
"""Columns of a table that may be compared with each other row by row."""
_MOSTLY = 0.6
"""The share of a column's cells that must hold a number for it to be a column of numbers."""
_DAYS_A_MONTH = Decimal("30.44")
_SECONDS_A_DAY = Decimal(86400)


@dataclass(frozen=True, slots=True)
class Number:
    """What a cell is compared and added up by."""

    value: Decimal
    unit: str
    """The unit that values must share to be compared: `money EUR`, `percent`, `duration`, `date`, `scale` or none."""
    quantity: Quantity | None = None
    """As it was read, where it can be added up: neither a date nor a word of a scale can."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row and its cells by column."""

    cells: tuple[str, ...]
    """One for each column of the table, empty where the row has none."""


@dataclass(frozen=True, slots=True)
class Column:
    place: int
    name: str
    numbers: tuple[Number | None, ...]
    """By row; empty where the column is none of numbers."""

    @property
    def is_numeric(self) -> bool:
        return bool(self.numbers)

    @property
    def unit(self) -> str:
        return next((number.unit for number in self.numbers if number), "")

    @property
    def adds_up(self) -> bool:
        return can_add(number for number in self.numbers if number)


@dataclass(frozen=True, slots=True)
class Table:
    hits: tuple[Hit, ...]
    caption: tuple[str, ...]
    columns: tuple[Column, ...]
    """The first has no name: it is what the rows are called by."""
    rows: tuple[Row, ...]
    totals: frozenset[int]
    """Places of rows that add up the others."""
    lines: tuple[Statement, ...]
    """The rows as they stand in their passages."""
    turned: bool = False
    """Whether what is a row here is a column there: many tables have a column for each thing they compare."""
    naming: int = 0
    """The column that says what a row is called: the first, or where that is numbers the next that tells rows apart."""

    def name(self, row: int) -> str:
        return self.rows[row].cells[self.naming]

    def quoted(self, rows: Iterable[int], columns: Iterable[int]) -> list[Statement]:
        """The lines in which these rows stand, in the order of the rows; of a turned table those of the columns."""
        if not self.turned:
            return [self.lines[row] for row in rows]
        return [self.lines[place - 1] for place in dict.fromkeys(columns) if place]

    @property
    def items(self) -> tuple[int, ...]:
        """Places of the rows that are not totals."""
        return _places_without(len(self.rows), self.totals)


@lru_cache(maxsize=1024)
def _places_without(rows: int, totals: frozenset[int]) -> tuple[int, ...]:
    return tuple(place for place in range(rows) if place not in totals)


def read_tables(hits: Sequence[Hit]) -> list[Table]:
    """The tables of the hits, the most relevant first; the parts of one that was cut are joined."""
    tables: list[Table] = []
    for part in _parts([statement for statement in read_statements(hits) if statement.hit.passage.kind == "table"]):
        tables.extend(_read(part))
    ranked = sorted(tables, key=lambda table: -max(hit.relevance_score for hit in table.hits))[:_MOST_TABLES]
    return [view for table in ranked for view in (table, *_turned(table))]


def _parts(statements: Sequence[Statement]) -> Iterator[list[Statement]]:
    """The rows of one table each: passages of one document under one heading, in order."""

    def home(statement: Statement) -> tuple[str, tuple[str, ...]]:
        return statement.hit.passage.document_id, statement.hit.passage.heading

    def order(statement: Statement) -> tuple[str, tuple[str, ...], int, int]:
        return *home(statement), statement.hit.passage.span.start, statement.place

    for _, rows in groupby(sorted(statements, key=order), key=home):
        yield list(rows)


def _read(statements: Sequence[Statement]) -> Iterator[Table]:
    """Tables of the rows; those that share no column with the rows before them begin another."""
    run: list[tuple[Statement, list[tuple[str, str]]]] = []
    names: set[str] = set()
    for statement in statements:
        cells = _cells(statement.text, names)
        if len(cells) < 2:
            continue
        here = {name for name, _ in cells if name}
        if run and here and 2 * len(here & names) < len(here):
            yield from _table(run)
            run, names = [], set()
            cells = _cells(statement.text, names)
        run.append((statement, cells))
        names |= here
    yield from _table(run)


def _cells(line: str, known: set[str]) -> list[tuple[str, str]]:
    """The cells of a row with the names of their columns; the first has a name only where the row lacks its key."""
    first, *others = line.split(CELL)
    name, named, value = first.partition(_NAMED)
    found = [(name, value)] if named and name in known else [("", first)]
    for part in others:
        name, named, value = part.partition(_NAMED)
        found.append((name, value) if named else ("", part))
    return [(name.strip(), value.strip()) for name, value in found]


def _table(run: Sequence[tuple[Statement, list[tuple[str, str]]]]) -> Iterator[Table]:
    run = run[:_MOST_ROWS]
    names = [name for name, count in _named(run).items() if count > 1 or len(run) < 4]
    if len(run) < _LEAST_ROWS or not names:
        return
    rows = tuple(Row(_placed(cells, names)) for _, cells in run)
    columns = _columns(("", *names), rows)
    lines = tuple(statement for statement, _ in run)
    hits = tuple(dict.fromkeys(statement.hit for statement in lines))
    totals, naming = _totals(rows, columns), _naming(rows, columns)
    yield Table(hits, hits[0].passage.heading, columns, rows, totals, lines, naming=naming)


def _naming(rows: Sequence[Row], columns: Sequence[Column]) -> int:
    if not columns[0].is_numeric and any(len(row.cells[0]) > _SIGN for row in rows):
        return 0
    wordy = (column.place for column in columns[1:] if not column.is_numeric)
    return next((place for place in wordy if len({row.cells[place] for row in rows}) == len(rows)), 0)


def _columns(names: Sequence[str], rows: Sequence[Row]) -> tuple[Column, ...]:
    return tuple(Column(place, name, _numbers([row.cells[place] for row in rows])) for place, name in enumerate(names))


def _turned(table: Table) -> Iterator[Table]:
    """The table with rows for columns, where each row compares several columns by a number."""
    if not 3 <= len(table.columns) <= _MOST_TURNED:
        return
    rows = tuple(Row((column.name, *(row.cells[column.place] for row in table.rows))) for column in table.columns[1:])
    columns = _columns(("", *(table.name(place) for place in range(len(table.rows)))), rows)
    spreads = sorted(spread for column in columns[1:] if (spread := _spread(column)))
    units = {name[name.rfind("(") :] for name in (column.name for column in table.columns) if name.endswith(")")}
    if spreads and len(units) < 2 and spreads[len(spreads) // 2] < _MOST_SPREAD:
        yield replace(table, columns=columns, rows=rows, totals=frozenset(), turned=True, naming=0)


def _named(run: Sequence[tuple[Statement, list[tuple[str, str]]]]) -> Counter[str]:
    return Counter(name for _, cells in run for name, _ in cells if name)


def _placed(cells: Sequence[tuple[str, str]], names: Sequence[str]) -> tuple[str, ...]:
    by_name = dict(reversed(cells))
    key = cells[0][1] if not cells[0][0] else ""
    return (key, *(by_name.get(name, "") for name in names))


def _spread(column: Column) -> float:
    """How many times the smallest the largest number of a column is: things of one kind are of one size."""
    sizes = [abs(number.value) for number in column.numbers if number and number.value]
    return float(max(sizes) / min(sizes)) if len(sizes) > 1 else 0.0


def _numbers(cells: Sequence[str]) -> tuple[Number | None, ...]:
    """What the cells of a column hold, where most hold a number of one unit."""
    read_cells = [_number(cell) if cell else None for cell in cells]
    units = Counter(number.unit for number in read_cells if number)
    filled = sum(bool(cell) for cell in cells)
    if not units:
        return ()
    unit, _ = units.most_common(1)[0]
    # A bare number among amounts is one of them: the sign often stands in the first row alone.
    kept = tuple(number if number and number.unit in (unit, "") else None for number in read_cells)
    return kept if sum(number is not None for number in kept) >= max(2.0, _MOSTLY * filled) else ()


@lru_cache(maxsize=1 << 14)
def _number(cell: str) -> Number | None:
    scaled = _scales().get(cell.strip(" .*").casefold())
    if scaled is not None:
        return Number(Decimal(scaled), "scale")
    mentions = read(cell)
    if not mentions or mentions[0].span.start > 2:
        return None
    first = mentions[0]
    if isinstance(first, Period):
        return _date(first)
    if first.unit == "ordinal":
        return Number(first.value, "")
    if first.unit in ("second", "month"):
        days = first.value / _SECONDS_A_DAY if first.unit == "second" else first.value * _DAYS_A_MONTH
        return Number(days, "duration", first)
    return Number(first.value, f"{first.unit} {first.currency or ''}".strip(), first)


def _date(period: Period) -> Number | None:
    if period.year is None and period.month is None:
        return None
    month = period.month or 3 * (period.quarter or 0)
    return Number(Decimal((period.year or 0) * 372 + month * 31 + (period.day or 0)), "date")


@lru_cache(maxsize=1)
def _scales() -> Mapping[str, int]:
    """Words of rating scales with their places on them."""
    scales = json.loads(files("docmind.skills.tables").joinpath("scales.json").read_text(encoding="utf-8"))
    return {word: place for scale in scales for place, word in enumerate(scale, 1)}


def _totals(rows: Sequence[Row], columns: Sequence[Column]) -> frozenset[int]:
    """The rows that add up those before them, from the top or from the last such row on."""
    adding = [column for column in columns[1:] if column.adds_up]
    words_in = [column.place for column in columns[1:] if not column.is_numeric]
    found: list[int] = []
    begin = 0
    for place, row in enumerate(rows):
        if place - begin < 2 or any(row.cells[column] for column in words_in):
            continue
        sums = [_adds_up(column.numbers[begin:place], column.numbers[place]) for column in adding]
        checked = [one for one in sums if one is not None]
        if checked and 3 * sum(checked) >= 2 * len(checked):
            found.append(place)
            begin = place + 1
    return frozenset(found)


def _adds_up(parts: Sequence[Number | None], whole: Number | None) -> bool | None:
    """Whether a number is the sum of others but for rounding; none where that cannot be told."""
    held = [number.quantity for number in parts if number and number.quantity]
    if whole is None or whole.quantity is None or len(held) < 2:
        return None
    rounding = sum((one.step for one in held), whole.quantity.step) / 2
    return abs(sum(one.value for one in held) - whole.quantity.value) < rounding


def can_add(numbers: Iterable[Number]) -> bool:
    """Whether they are amounts of one unit, and none of them a range."""
    held = [number.quantity for number in numbers]
    units = {(one.unit, one.currency) for one in held if one and one.unit}
    return bool(held) and len(units) < 2 and all(one is not None and one.upper is None for one in held)


@lru_cache(maxsize=1 << 14)
def keys(text: str) -> frozenset[str]:
    """The content words of a text by what they are compared by."""
    return frozenset(word.key for word in words(text))


Fetch = Callable[[Sequence[str]], Awaitable[list[Hit]]]

_MOST_COMPLETED = 3
_MOST_PARTS = 3
"""Parts that are looked for on either side of one that was found."""


async def rest_of_tables(hits: Sequence[Hit], fetch: Fetch) -> list[Hit]:
    """The parts of the most relevant tables of the hits that are not among them."""
    tables = [hit.passage for hit in hits if hit.passage.kind == "table"][:_MOST_COMPLETED]
    known = {hit.passage.id for hit in hits}
    wanted = [one for one in dict.fromkeys(_parts_around(tables)) if one not in known]
    if not wanted:
        return []
    found = {hit.passage.id: hit for hit in await fetch(wanted)}
    parts = {hit.passage.id: hit for hit in hits} | found
    kept = dict.fromkeys(one for table in tables for one in _joined_parts(table, parts) if one in found)
    return [found[one] for one in kept]


def _parts_around(tables: Sequence[Passage]) -> Iterator[str]:
    for table in tables:
        for ordinal in range(max(0, table.ordinal - _MOST_PARTS), table.ordinal + _MOST_PARTS + 1):
            yield passage_id(table.document_id, ordinal)


def _joined_parts(table: Passage, parts: dict[str, Hit]) -> Iterator[str]:
    """The passages next to it on either side, as far as they are of the same table."""
    for way in (-1, 1):
        for distance in range(1, _MOST_PARTS + 1):
            if table.ordinal + way * distance < 0:
                break
            one = passage_id(table.document_id, table.ordinal + way * distance)
            if one not in parts or not _is_same_table(parts[one].passage, table):
                break
            yield one


def _is_same_table(one: Passage, other: Passage) -> bool:
    return one.kind == "table" and one.heading == other.heading
