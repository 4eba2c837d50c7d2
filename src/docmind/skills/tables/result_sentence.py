"""What a program comes to as a sentence, for the reader to tell whether that answers the question."""

from collections.abc import Sequence

from docmind.quality.excerpts import heading_of
from docmind.skills.tables.conditions import Comparison, Condition
from docmind.skills.tables.program import Operation, Program
from docmind.skills.tables.results import result
from docmind.skills.tables.table import Table

_FORMS = {
    Operation.MAX: "{told} has the {high} {name} {rows}",
    Operation.MIN: "{told} has the {low} {name} {rows}",
    Operation.TOP: "The {high} {name} {rows} have {told}",
    Operation.BOTTOM: "The {low} {name} {rows} have {told}",
    Operation.COUNT: "There are {told} {rows}",
    Operation.SUM: "Altogether the {name} {rows} is {told}",
    Operation.MEAN: "The average {name} {rows} is {told}",
    Operation.DIFFERENCE: "The difference {columns} {rows} is {told}",
    Operation.RISE: "Of all, {told} went up the most from {against} to {name}",
    Operation.FALL: "Of all, {told} went down the most from {against} to {name}",
    Operation.LIST: "{told} are the ones {rows}",
    Operation.CELL: "The {name} {rows} is {told}",
    Operation.TIMES: "The {name} of {times} is {told} together",
}
_ENDS = {"date": ("latest", "earliest"), "duration": ("longest", "shortest")}


def state(program: Program) -> str:
    """The sentence below the headings of its table, as a passage of it would be shown."""
    return f"{heading_of(program.table.hits[0].passage)}\n\n{' '.join(_sentence(program).split())}."


def _sentence(program: Program) -> str:
    column = program.column
    name = (column.name or "number") if column else ""
    high, low = _ENDS.get(column.unit if column else "", ("highest", "lowest"))
    return _FORMS[program.operation].format(
        told=result(program),
        name=name,
        columns=f"between {name} and {program.against.name}" if program.against else f"in {name}",
        against=program.against.name if program.against else "",
        high=high,
        low=low,
        rows=_chosen(program.condition, program.table, program.rows) if program.condition else "",
        times=" and ".join(
            f"{factor} x {program.table.name(row)}" for factor, row in zip(program.factors, program.rows, strict=False)
        ),
    )


def _chosen(condition: Condition, table: Table, rows: Sequence[int]) -> str:
    name = table.columns[condition.column].name or "name"
    match condition.test:
        case Comparison.NAMED:
            return f"of {' and '.join(table.name(row) for row in condition.rows)}"
        case Comparison.MORE | Comparison.LESS:
            return f"with {condition.test} {name} than {condition.wanted}"
        case Comparison.WITHIN:
            ranges = dict.fromkeys(table.rows[row].cells[condition.column] for row in rows)
            own = dict.fromkeys(table.name(row) for row in rows) if condition.column != table.naming else ()
            return f"for {condition.wanted} ({', '.join((*ranges, *own))})"
        case _:
            return f"where {name} {condition.test} {condition.wanted}"
