"""Programs over a table: which rows, which column, and what is worked out from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import combinations

from docmind.quality.quantities import Quantity, read_quantities
from docmind.skills.tables.table import Column, Number, Table, can_add, keys

MOST_TOP = 5
"""Rows of a ranking that is asked for without a number."""
_MOST_LISTED = 12
_MOST_CONDITIONS = 24
_MOST_COMPUTED = 10
"""Conditions of which more than a list and a count is worked out, those that fit the question best."""
_MOST_PAIRS = 10
_ONE_SIZE = Decimal(8)
"""How many times the other's the numbers of one column may be for the two to be compared."""
_MOST_NAMED = 6
_FEW_VALUES = 6
"""A column of no more different words sorts the rows into kinds."""


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
    LIST = "list"


class Comparison(StrEnum):
    IS = "is"
    IS_NOT = "is not"
    ABOVE = "above"
    AT_LEAST = "at least"
    BELOW = "below"
    AT_MOST = "at most"
    NAMED = "named"
    """The rows that the question names."""
    MORE = "more"
    """The rows that have more in a column than in one before it."""
    LESS = "less"


@dataclass(frozen=True, slots=True)
class Condition:
    """Which rows are meant."""

    test: Comparison
    column: int
    wanted: str
    """The value of a cell, the number of the question, or the name of the column that it is compared with."""
    rows: tuple[int, ...]
    other: int = 0
    """The column that it is compared with, where it is with one."""


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
    """The column that it is taken from, where a difference is one of two columns."""

    @property
    def is_computed(self) -> bool:
        return self.operation in _COMPUTED

    @property
    def numbers(self) -> list[Number]:
        """The numbers that were worked with, in the order of the rows."""
        columns = [column for column in (self.column, self.against) if column]
        return [one for row in self.rows for column in columns if (one := column.numbers[row])]


_COMPUTED = frozenset((Operation.COUNT, Operation.SUM, Operation.MEAN, Operation.DIFFERENCE))


def candidates(question: str, table: Table) -> list[Program]:
    """Every program over the table that the question's words and numbers leave open."""
    found: dict[tuple[object, ...], Program] = {}
    for program in _all(question, table):
        places = [column and column.place for column in (program.column, program.against)]
        test = program.condition and program.condition.test
        key = (program.operation, *places, program.rows, program.value, test)
        found.setdefault(key, program)
    return list(found.values())


def _all(question: str, table: Table) -> Iterator[Program]:
    pairs = _comparable_columns(table)
    conditions = [None, *_conditions(question, table)]
    wanted = _small_number(question)
    for place, condition in enumerate((*conditions, *_between(table, pairs))):
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
    yield from _pairs(question, table)
    yield from _changes(question, table, pairs)


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
    yield Program(table, Operation.SUM, column, condition, kept, sum(values, Decimal()))
    yield Program(table, Operation.MEAN, column, condition, kept, sum(values, Decimal()) / len(values))
    if len(held) == 2:
        yield Program(table, Operation.DIFFERENCE, column, condition, kept, abs(values[0] - values[1]))


def _having(held: Sequence[tuple[int, Number]], value: Decimal) -> tuple[int, ...]:
    return tuple(row for row, number in held if number.value == value)


def _first(ordered: Sequence[tuple[int, Number]], wanted: int) -> tuple[int, ...]:
    """The first of a ranking: as many as are wanted, else those down to the best place with no tie left out."""
    if wanted:
        return tuple(row for row, _ in ordered[:wanted])
    most = min(MOST_TOP, max(2, (len(ordered) + 1) // 2))
    return tuple(row for row, _ in ordered[:most])


def _pairs(question: str, table: Table) -> Iterator[Program]:
    """Differences between any two of more rows that the question names."""
    named = _named_rows(question, table)
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
    for row in _named_rows(question, table):
        condition = Condition(Comparison.NAMED, table.naming, "", (row,))
        for before, column in pairs:
            first, second = before.numbers[row], column.numbers[row]
            if first and second and can_add((first, second)):
                yield Program(
                    table, Operation.DIFFERENCE, column, condition, (row,), _apart(first, second), against=before
                )


def _comparable_columns(table: Table) -> list[tuple[Column, Column]]:
    """Two columns of one unit each whose numbers are of one size, the earlier first."""
    numeric = [column for column in table.columns[1:] if column.is_numeric]
    pairs = [
        (one, other) for one, other in combinations(numeric, 2) if one.unit == other.unit and _of_one_size(one, other)
    ]
    return pairs[:_MOST_PAIRS]


def _of_one_size(one: Column, other: Column) -> bool:
    sizes = sorted(sum(abs(number.value) for number in column.numbers if number) for column in (one, other))
    return bool(sizes[0]) and sizes[1] / sizes[0] < _ONE_SIZE


def _between(table: Table, pairs: Sequence[tuple[Column, Column]]) -> Iterator[Condition]:
    """The rows with more, or less, in one column than in one before it."""
    for before, column in pairs:
        for test, sign in ((Comparison.MORE, 1), (Comparison.LESS, -1)):
            rows = tuple(
                place
                for place in table.items
                if (number := column.numbers[place])
                and (other := before.numbers[place])
                and sign * (number.value - other.value) > 0
            )
            yield Condition(test, column.place, before.name, rows, before.place)


def _apart(first: Number, second: Number) -> Decimal:
    values = [one.quantity.value for one in (first, second) if one.quantity]
    return abs(values[0] - values[-1])


def _conditions(question: str, table: Table) -> list[Condition]:
    """Ways to choose rows: by a cell that shares words with the question, by its numbers, by the rows it names."""
    asked = keys(question)
    found: list[tuple[int, Condition]] = []
    for column in table.columns:
        values: dict[str, list[int]] = {}
        for place in table.items:
            if cell := table.rows[place].cells[column.place]:
                values.setdefault(cell.casefold(), []).append(place)
        few = column.place > 0 and 2 <= len(values) <= _FEW_VALUES and len(values) < len(table.items)
        for value, rows in values.items():
            shared = len(asked & keys(value))
            if shared or few:
                found.append((3 * shared + few, Condition(Comparison.IS, column.place, value, tuple(rows))))
                others = tuple(place for place in table.items if place not in rows)
                if column.place > 0 or shared:
                    found.append((3 * shared - 1, Condition(Comparison.IS_NOT, column.place, value, others)))
        found += [(3, condition) for condition in _sharing(asked, column, table)]
        found += [(2, condition) for condition in _compared(question, column, table)]
    named = _named_rows(question, table)
    closely = tuple(row for row in named if 2 * len(keys(table.name(row)) & asked) > len(keys(table.name(row))))
    for meant in dict.fromkeys((named, closely)):
        if 1 < len(meant) < len(table.items):
            found.append((9, Condition(Comparison.NAMED, table.naming, "", meant)))
    found.sort(key=lambda one: -one[0])
    return [condition for _, condition in found[:_MOST_CONDITIONS]]


def _sharing(asked: frozenset[str], column: Column, table: Table) -> Iterator[Condition]:
    """Rows whose cells hold the same word of the question, where several different cells do."""
    by_word: dict[str, list[int]] = {}
    cells: dict[str, set[str]] = {}
    for place in table.items:
        cell = table.rows[place].cells[column.place]
        for key in keys(cell) & asked:
            by_word.setdefault(key, []).append(place)
            cells.setdefault(key, set()).add(cell.casefold())
    for key, rows in by_word.items():
        if len(cells[key]) > 1 and len(rows) < len(table.items):
            yield Condition(Comparison.IS, column.place, key, tuple(rows))


def _compared(question: str, column: Column, table: Table) -> Iterator[Condition]:
    if not column.is_numeric or column.unit in ("date", "scale"):
        return
    for quantity in read_quantities(question)[:3]:
        limit = _comparable(quantity, column)
        if limit is None:
            continue
        for test in (Comparison.ABOVE, Comparison.AT_LEAST, Comparison.BELOW, Comparison.AT_MOST):
            rows = tuple(
                place
                for place in table.items
                if (number := column.numbers[place]) and _holds(test, number.value, limit)
            )
            if 0 < len(rows) < len(table.items):
                yield Condition(test, column.place, quantity.text, rows)


def _comparable(quantity: Quantity, column: Column) -> Decimal | None:
    """The number of the question in the unit of the column, where it can be of it."""
    units = {number.unit for number in column.numbers if number}
    if not quantity.unit:
        return quantity.value
    if quantity.unit == "second" and "duration" in units:
        return quantity.value / 86400
    if quantity.unit == "month" and "duration" in units:
        return quantity.value * Decimal("30.44")
    return quantity.value if quantity.unit.split()[0] in {unit.split(" ")[0] for unit in units} or "" in units else None


def _holds(test: Comparison, value: Decimal, limit: Decimal) -> bool:
    match test:
        case Comparison.ABOVE:
            return value > limit
        case Comparison.AT_LEAST:
            return value >= limit
        case Comparison.BELOW:
            return value < limit
        case _:
            return value <= limit


def _named_rows(question: str, table: Table) -> tuple[int, ...]:
    """The rows with a word in their key that the question has and few other rows do, as far as they are no more."""
    asked = keys(question)
    names = {place: keys(table.name(place)) for place in table.items}
    spread: dict[str, int] = {}
    for own in names.values():
        for key in own:
            spread[key] = spread.get(key, 0) + 1
    # A word that most rows are called by names none of them.
    telling = {key for key, count in spread.items() if key in asked and 2 * count <= max(2, len(names))}
    rows = tuple(place for place, own in names.items() if own & telling)
    return rows if len(rows) <= _MOST_NAMED else ()


def _small_number(question: str) -> int:
    """How many are asked for, where a small whole number says it."""
    for quantity in read_quantities(question):
        if quantity.bare and quantity.value == quantity.value.to_integral_value() and 2 <= quantity.value <= 10:
            return int(quantity.value)
    return 0
