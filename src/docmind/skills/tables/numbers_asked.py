"""Programs that a number of the question leads to: the rows in whose range it falls, and cells taken so many times."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docmind.quality.quantities import Quantity, read_quantities
from docmind.skills.tables.conditions import Comparison, Condition, named_rows, within_ranges
from docmind.skills.tables.program import Operation, Program
from docmind.skills.tables.table import Table, can_add, keys

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
