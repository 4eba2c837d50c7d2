"""Programs over a table: which rows, which column, and what is worked out from them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import combinations

from docmind.quality.quantities import Quantity, read_quantities
from docmind.skills.tables.conditions import (
    Comparison,
    Condition,
    between_columns,
    comparable_columns,
    conditions_of,
    named_rows,
    within_ranges,
)
from docmind.skills.tables.table import Column, Number, Table, can_add, keys


class Operation(StrEnum):
    MAX = "max"
    MIN = "min"
    TOP = "top"
    BOTTOM = "bottom"
    COUNT = "count"
    SUM = "sum"
    MEAN = "mean"
    DIFFERENCE = "difference"
    """Of two rows in a column, or of two columns in a row."""
    RISE = "rise"
    """The rows that went up furthest from one column to another, and those that went down furthest."""
    FALL = "fall"
    LIST = "list"
    CELL = "cell"
    """What stands in a column of rows that a number of the question chooses."""
    TIMES = "times"
    """Cells of a column, each times a number of the question, added up."""


@dataclass(frozen=True, slots=True)
class Program:
    table: Table
    operation: Operation
    column: Column | None
    condition: Condition | None
    rows: tuple[int, ...]
    """The rows that the result is or rests on, in the order they are shown."""
    value: Decimal | None = None
    against: Column | None = None
    """The column that it is taken from, where two columns are compared."""
    factors: tuple[Decimal, ...] = ()
    """How often the cell of each row counts."""

    @property
    def is_computed(self) -> bool:
        return self.operation in _COMPUTED

    @property
    def is_by_number(self) -> bool:
        """Whether a number of the question chooses the rows or says how often they count."""
        chosen = self.condition is not None and self.condition.test is Comparison.WITHIN
        return chosen or self.operation is Operation.TIMES

    @property
    def numbers(self) -> list[Number]:
        """The numbers that were worked with, in the order of the rows."""
        columns = [column for column in (self.column, self.against) if column and column.is_numeric]
        return [one for row in self.rows for column in columns if (one := column.numbers[row])]


_COMPUTED = frozenset((Operation.COUNT, Operation.SUM, Operation.MEAN, Operation.DIFFERENCE, Operation.TIMES))


_MOST_CELLS = 3
"""Rows whose cells are told together."""
_MOST_TIMES = Decimal(10_000)
_FEW_ROWS = 8
"""Rows of a table of which any may be meant by "six of the small ones"."""


def by_numbers(question: str, table: Table, conditions: Sequence[Condition]) -> Iterator[Program]:
    """`conditions` are other ways in which the question chooses rows."""
    within = list(within_ranges(question, table, conditions))
    for condition in within:
        yield from _cells(table, condition)
    yield from _times(question, table, within)


def _cells(table: Table, condition: Condition) -> Iterator[Program]:
    """The rows in whose range a number falls, and what they say in each column."""
    if len(condition.rows) < len(table.items):
        yield Program(table, Operation.LIST, None, condition, condition.rows)
    for column in table.columns:
        if column.place != condition.column and len(condition.rows) <= _MOST_CELLS:
            yield Program(table, Operation.CELL, column, condition, condition.rows)


def _times(question: str, table: Table, within: Sequence[Condition]) -> Iterator[Program]:
    """Cells times the whole numbers of the question: of one row, and of a row for each number that names one."""
    counts = [count for one in read_quantities(question) if (count := _count(one))]
    named = named_rows(question, table)
    few = table.items if len(table.items) <= _FEW_ROWS else ()
    chosen = dict.fromkeys([*named, *(row for one in within for row in one.rows), *few])
    sets: list[tuple[tuple[int, ...], tuple[Decimal, ...]]] = [
        ((row,), (count.value,)) for count in counts if count.value > 1 for row in chosen
    ]
    together = _counted_rows(question, table, counts)
    if together:
        whole = (row for row in named if row not in together and keys(table.name(row)) <= keys(question))
        together |= dict.fromkeys(whole, Decimal(1))
    if len(together) > 1:
        sets.append((tuple(together), tuple(together.values())))
    for rows, factors in sets:
        condition = Condition(Comparison.NAMED, table.naming, "", rows)
        for column in table.columns[1:]:
            numbers = [column.numbers[row] for row in rows] if column.is_numeric else []
            held = [number for number in numbers if number and number.quantity]
            if len(held) == len(rows) and can_add(held):
                values = [number.quantity.value for number in held if number.quantity]
                value = sum((one * factor for one, factor in zip(values, factors, strict=True)), Decimal())
                yield Program(table, Operation.TIMES, column, condition, rows, value, factors=factors)


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number of the question, as it is written: four days are 4."""

    value: Decimal
    start: int
    end: int


def _count(quantity: Quantity) -> Count | None:
    written = read_quantities(re.split(r"[\s-]", quantity.text)[0])
    value = written[0].value if written and quantity.unit else quantity.value
    if quantity.unit in ("money", "percent", "ordinal") or quantity.upper is not None:
        return None
    is_whole = value == value.to_integral_value() and 1 <= value <= _MOST_TIMES
    return Count(value, quantity.span.start, quantity.span.end) if is_whole else None


def _counted_rows(question: str, table: Table, counts: Sequence[Count]) -> dict[int, Decimal]:
    """The row that each number of the question counts, told by the words between it and the next number."""
    found: dict[int, Decimal] = {}
    for place, count in enumerate(counts, 1):
        said = keys(question[count.end : counts[place].start if place < len(counts) else None])
        shared = {row: len(said & keys(table.name(row))) for row in table.items}
        best = max(shared, key=shared.__getitem__, default=None)
        if best is not None and shared[best]:
            found[best] = found.get(best, Decimal()) + count.value
    return found


MOST_TOP = 3
"""Rows of a ranking that is asked for without a number, with those that share the last place as far as they are few."""
_MOST_LISTED = 12
_MOST_COMPUTED = 10
"""Conditions of which more than a list and a count is worked out, those that fit the question best."""


def candidates(question: str, table: Table) -> list[Program]:
    """Every program over the table that the question's words and numbers leave open."""
    found: dict[tuple[object, ...], Program] = {}
    named = named_rows(question, table)
    for program in _all(question, table):
        # Who names one row asks for something of it, and not which row it is.
        if len(named) == 1 and program.rows == named and not program.is_computed:
            continue
        places = [column and column.place for column in (program.column, program.against)]
        test = program.condition and program.condition.test
        key = (program.operation, *places, program.rows, program.value, program.factors, test)
        found.setdefault(key, program)
    return list(found.values())


def _all(question: str, table: Table) -> Iterator[Program]:
    pairs = comparable_columns(table)
    conditions = [None, *conditions_of(question, table)]
    wanted = _small_number(question)
    for place, condition in enumerate((*conditions, *between_columns(table, pairs))):
        rows = table.items if condition is None else tuple(row for row in condition.rows if row not in table.totals)
        if not rows:
            continue
        if condition is not None and condition.test is not Comparison.NAMED:
            yield Program(table, Operation.COUNT, None, condition, rows, Decimal(len(rows)))
        elif condition is None:
            yield Program(table, Operation.COUNT, None, None, rows, Decimal(len(rows)))
        if condition is not None and len(rows) <= _MOST_LISTED and len(rows) < len(table.items):
            yield Program(table, Operation.LIST, None, condition, rows)
        for column in table.columns if place <= _MOST_COMPUTED else ():
            yield from _over(table, column, condition, rows, wanted)
    yield from by_numbers(question, table, [one for one in conditions if one])
    yield from _pairs(question, table)
    yield from _changes(question, table, pairs)
    yield from _furthest(table, pairs)


def _over(
    table: Table, column: Column, condition: Condition | None, rows: Sequence[int], wanted: int
) -> Iterator[Program]:
    """What can be worked out from one column of the rows."""
    if not column.is_numeric:
        return
    held = [(row, number) for row in rows if (number := column.numbers[row])]
    if len(held) < 2:
        return
    ranked = sorted(held, key=lambda one: one[1].value)
    low, high = ranked[0][1].value, ranked[-1][1].value
    if low != high:
        yield Program(table, Operation.MAX, column, condition, _having(held, high), high)
        yield Program(table, Operation.MIN, column, condition, _having(held, low), low)
        for operation, ordered in ((Operation.TOP, ranked[::-1]), (Operation.BOTTOM, ranked)):
            if len(ordered) > 2 and (not condition or condition.test is not Comparison.NAMED):
                yield Program(table, operation, column, condition, _first(ordered, wanted))
    if column.place == 0 or not can_add(number for _, number in held):
        return
    kept = tuple(row for row, _ in held)
    values = [number.quantity.value for _, number in held if number.quantity]
    named = condition is not None and condition.test is Comparison.NAMED
    if not table.turned or named or len(kept) != 2 or _of_one_kind(table, kept):
        yield Program(table, Operation.SUM, column, condition, kept, sum(values, Decimal()))
        yield Program(table, Operation.MEAN, column, condition, kept, sum(values, Decimal()) / len(values))
    if len(held) == 2:
        yield Program(table, Operation.DIFFERENCE, column, condition, kept, abs(values[0] - values[1]))


def _of_one_kind(table: Table, rows: Sequence[int]) -> bool:
    """Whether the names of the rows share a word or all have a number: a stock and a reorder level do not add up."""
    names = [table.name(row) for row in rows]
    return bool(frozenset.intersection(*map(keys, names))) or all(any(map(str.isdigit, name)) for name in names)


def _having(held: Sequence[tuple[int, Number]], value: Decimal) -> tuple[int, ...]:
    return tuple(row for row, number in held if number.value == value)


def _first(ordered: Sequence[tuple[int, Number]], wanted: int) -> tuple[int, ...]:
    """The first of a ranking: as many as are wanted, else those down to the best place with no tie left out."""
    if wanted:
        return tuple(row for row, _ in ordered[:wanted])
    most = min(MOST_TOP, max(2, (len(ordered) + 1) // 2))
    last = ordered[most - 1][1].value
    tied = tuple(row for place, (row, number) in enumerate(ordered) if place < most or number.value == last)
    return tied if len(tied) <= 2 * most else tuple(row for row, _ in ordered[:most])


def _pairs(question: str, table: Table) -> Iterator[Program]:
    """Differences between any two of more rows that the question names."""
    named = named_rows(question, table)
    if len(named) < 3:
        return
    for pair in combinations(named, 2):
        condition = Condition(Comparison.NAMED, table.naming, "", pair)
        for column in table.columns[1:]:
            first, second = (column.numbers[row] for row in pair) if column.is_numeric else (None, None)
            if first and second and can_add((first, second)):
                yield Program(table, Operation.DIFFERENCE, column, condition, pair, _apart(first, second))


def _changes(question: str, table: Table, pairs: Sequence[tuple[Column, Column]]) -> Iterator[Program]:
    """How far two columns are apart in a row that the question names."""
    for row in named_rows(question, table):
        condition = Condition(Comparison.NAMED, table.naming, "", (row,))
        for before, column in pairs:
            first, second = before.numbers[row], column.numbers[row]
            if first and second and can_add((first, second)):
                yield Program(
                    table, Operation.DIFFERENCE, column, condition, (row,), _apart(first, second), against=before
                )


def _furthest(table: Table, pairs: Sequence[tuple[Column, Column]]) -> Iterator[Program]:
    """The rows that went up, and down, furthest from one column to another."""
    for before, column in pairs:
        if column.unit in ("date", "scale"):
            continue
        moved = {
            row: second.value - first.value
            for row in table.items
            if (first := before.numbers[row]) and (second := column.numbers[row])
        }
        for operation, furthest in (
            (Operation.RISE, max(moved.values(), default=Decimal())),
            (Operation.FALL, min(moved.values(), default=Decimal())),
        ):
            rows = tuple(row for row, change in moved.items() if change == furthest)
            if len(rows) < len(moved) and (furthest > 0) == (operation is Operation.RISE) and furthest:
                yield Program(table, operation, column, None, rows, furthest, against=before)


def _apart(first: Number, second: Number) -> Decimal:
    values = [one.quantity.value for one in (first, second) if one.quantity]
    return abs(values[0] - values[-1])


def _small_number(question: str) -> int:
    """How many are asked for, where a small whole number says it."""
    for quantity in read_quantities(question):
        if quantity.bare and quantity.value == quantity.value.to_integral_value() and 2 <= quantity.value <= 10:
            return int(quantity.value)
    return 0
