"""Programs over a table: which rows, which column, and what is worked out from them."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from docmind.quality.quantities import read_quantities
from docmind.skills.tables.conditions import (
    Comparison,
    Condition,
    between_columns,
    comparable_columns,
    conditions_of,
    named_rows,
)
from docmind.skills.tables.numbers_asked import by_numbers
from docmind.skills.tables.program import Operation, Program
from docmind.skills.tables.table import Column, Number, Table, can_add, keys

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
