"""Ways to choose rows of a table: by a cell, a number or a range, by name, or by comparing two columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import combinations

from docmind.quality.quantities import Quantity, read, read_quantities
from docmind.skills.tables.bands import bands_of
from docmind.skills.tables.table import Column, Table, keys

_MOST_CONDITIONS = 24
_MOST_NAMED = 6
_FEW_VALUES = 6
"""A column of no more different words sorts the rows into kinds."""
_MOST_PAIRS = 10
_MOST_ASKED = 3
"""Numbers and dates of a question that rows are chosen by."""
_ONE_SIZE = Decimal(8)
"""How many times the other's the numbers of one column may be for the two to be compared."""


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
    WITHIN = "within"
    """The rows in whose range a number or a date of the question falls."""


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


def conditions_of(question: str, table: Table) -> list[Condition]:
    """Ways to choose rows: by a cell that shares words with the question, by its numbers, by the rows it names."""
    asked, limits = keys(question), read_quantities(question)[:_MOST_ASKED]
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
        found += [(2, condition) for condition in _compared(limits, column, table)]
    named = named_rows(question, table)
    closely = tuple(row for row in named if 2 * len(keys(table.name(row)) & asked) > len(keys(table.name(row))))
    for meant in dict.fromkeys((named, closely)):
        if 1 < len(meant) < len(table.items):
            found.append((9, Condition(Comparison.NAMED, table.naming, "", meant)))
    found.sort(key=lambda one: -one[0])
    return [condition for _, condition in found[:_MOST_CONDITIONS]]


def within_ranges(question: str, table: Table, others: Sequence[Condition]) -> Iterator[Condition]:
    """The rows whose range holds a number or a date of the question, all of them or those that it chooses besides."""
    asked, said = read(question)[:_MOST_ASKED], keys(question)
    chosen = [one.rows for one in others if one.test is Comparison.NAMED]
    chosen += [one.rows for one in others if one.test is Comparison.IS and keys(one.wanted) & said]
    for bands in bands_of(table) if asked else ():
        for mention in asked:
            for rows in (table.items, *chosen):
                if held := bands.rows_with(mention, [row for row in rows if row not in table.totals]):
                    yield Condition(Comparison.WITHIN, bands.column, mention.text, held)


def named_rows(question: str, table: Table) -> tuple[int, ...]:
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


def comparable_columns(table: Table) -> list[tuple[Column, Column]]:
    """Two columns of one unit each whose numbers are of one size, the earlier first."""
    numeric = [column for column in table.columns[1:] if column.is_numeric]
    pairs = [
        (one, other) for one, other in combinations(numeric, 2) if one.unit == other.unit and _of_one_size(one, other)
    ]
    return pairs[:_MOST_PAIRS]


def between_columns(table: Table, pairs: Sequence[tuple[Column, Column]]) -> Iterator[Condition]:
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


def _sharing(asked: frozenset[str], column: Column, table: Table) -> Iterator[Condition]:
    """Rows whose cells hold the same word of the question, where several different cells do."""
    by_word: dict[str, list[int]] = {}
    cells: dict[str, set[str]] = {}
    for place in table.items:
        cell = table.rows[place].cells[column.place]
        # In one order in every process: which of two equally good programs is taken must not depend on it.
        for key in sorted(keys(cell) & asked):
            by_word.setdefault(key, []).append(place)
            cells.setdefault(key, set()).add(cell.casefold())
    for key, rows in by_word.items():
        if len(cells[key]) > 1 and len(rows) < len(table.items):
            yield Condition(Comparison.IS, column.place, key, tuple(rows))


def _compared(limits: Sequence[Quantity], column: Column, table: Table) -> Iterator[Condition]:
    if not column.is_numeric or column.unit in ("date", "scale"):
        return
    for quantity in limits:
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


def _of_one_size(one: Column, other: Column) -> bool:
    sizes = sorted(sum(abs(number.value) for number in column.numbers if number) for column in (one, other))
    return bool(sizes[0]) and sizes[1] / sizes[0] < _ONE_SIZE
