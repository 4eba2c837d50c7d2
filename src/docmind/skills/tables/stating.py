"""What a program comes to as a sentence, for the reader to tell whether that answers the question."""

from docmind.skills.tables.conditions import Comparison, Condition
from docmind.skills.tables.programs import Operation, Program
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
    Operation.LIST: "{told} are the ones {rows}",
}
_ENDS = {"date": ("latest", "earliest"), "duration": ("longest", "shortest")}


def state(program: Program) -> str:
    """The sentence below the heading of its table."""
    heading = program.table.caption[-1] if program.table.caption else ""
    return f"{heading}\n\n{' '.join(_sentence(program).split())}."


def _sentence(program: Program) -> str:
    column = program.column
    name = (column.name or "number") if column else ""
    high, low = _ENDS.get(column.unit if column else "", ("highest", "lowest"))
    return _FORMS[program.operation].format(
        told=result(program),
        name=name,
        columns=f"between {name} and {program.against.name}" if program.against else f"in {name}",
        high=high,
        low=low,
        rows=_chosen(program.condition, program.table) if program.condition else "",
    )


def _chosen(condition: Condition, table: Table) -> str:
    name = table.columns[condition.column].name or "name"
    match condition.test:
        case Comparison.NAMED:
            return f"of {' and '.join(table.name(row) for row in condition.rows)}"
        case Comparison.MORE | Comparison.LESS:
            return f"with {condition.test} {name} than {condition.wanted}"
        case _:
            return f"where {name} {condition.test} {condition.wanted}"
