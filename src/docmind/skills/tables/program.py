"""A program over a table: what is worked out from which rows and column."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from docmind.skills.tables.conditions import Comparison, Condition
from docmind.skills.tables.table import Column, Number, Table


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
