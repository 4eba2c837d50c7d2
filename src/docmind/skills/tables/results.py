"""What a program comes to: in figures, as a sentence for the reader to judge, and as an answer with its rows."""

import re
from collections.abc import Sequence
from decimal import Decimal

from docmind.quality.excerpts import heading_of
from docmind.quality.grounding.worked_out import write_count, write_difference, write_mean, write_sum, write_times
from docmind.quality.quantities import read_quantities
from docmind.quality.quantities.quantity import write_number
from docmind.skills.extract.compose import cited, lead
from docmind.skills.extract.statements import Statement
from docmind.skills.tables.conditions import Comparison, Condition
from docmind.skills.tables.programs import Operation, Program
from docmind.skills.tables.table import Number, Table

_NUMERAL = re.compile(r"\d(?:[\d.,'\u00a0]*\d)?")
_MOST_DECIMALS = Decimal("0.01")


def result(program: Program) -> str:
    """The answer in a few words: a name, names, or a number with its unit; empty where it cannot be written."""
    match program.operation:
        case Operation.COUNT:
            return str(len(program.rows))
        case Operation.SUM | Operation.MEAN | Operation.DIFFERENCE | Operation.TIMES:
            return written_value(program)
        case Operation.CELL:
            place = program.column.place if program.column else 0
            return ", ".join(
                dict.fromkeys(cell for row in program.rows if (cell := program.table.rows[row].cells[place]))
            )
        case _:
            return ", ".join(name for row in program.rows if (name := program.table.name(row)))


def written_value(program: Program) -> str:
    """A computed number as the cells it was computed from are written; empty where they are written differently."""
    forms = {form for number in program.numbers if (form := _form(number))}
    if program.value is None or len(forms) != 1:
        return ""
    before, after, factor = forms.pop()
    steps = [number.quantity.step for number in program.numbers if number.quantity]
    step = min(steps) / factor if steps else Decimal(1)
    value = program.value / factor
    if program.operation is Operation.MEAN:
        step = min(step, _MOST_DECIMALS if value != value.to_integral_value() else step)
    return f"{before}{write_number(value, step)}{after}"


def operand(number: Number) -> str:
    """A number that was worked with, as it stands in its cell, without its unit."""
    found = _NUMERAL.search(number.quantity.text) if number.quantity else None
    sign = "-" if number.quantity and number.quantity.value < 0 else ""
    return f"{sign}{found.group()}" if found else ""


def _form(number: Number) -> tuple[str, str, Decimal] | None:
    """What stands before and after the digits, and what one written unit is worth."""
    quantity = number.quantity
    found = _NUMERAL.search(quantity.text) if quantity else None
    if quantity is None or found is None:
        return None
    digits = read_quantities(found.group())
    if not digits or not digits[0].value:
        return None
    text = quantity.text
    return text[: found.start()].strip("-−–+( "), text[found.end() :].rstrip(")"), abs(quantity.value / digits[0].value)


_SENTENCES = {
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
_EXTREMES = {"date": ("latest", "earliest"), "duration": ("longest", "shortest")}


def result_sentence(program: Program) -> str:
    """The sentence below the headings of its table, as a passage of it would be shown."""
    return f"{heading_of(program.table.hits[0].passage)}\n\n{' '.join(_sentence(program).split())}."


def _sentence(program: Program) -> str:
    column = program.column
    name = (column.name or "number") if column else ""
    high, low = _EXTREMES.get(column.unit if column else "", ("highest", "lowest"))
    return _SENTENCES[program.operation].format(
        told=result(program),
        name=name,
        columns=f"between {name} and {program.against.name}" if program.against else f"in {name}",
        against=program.against.name if program.against else "",
        high=high,
        low=low,
        rows=_rows_chosen(program.condition, program.table, program.rows) if program.condition else "",
        times=" and ".join(
            f"{factor} x {program.table.name(row)}" for factor, row in zip(program.factors, program.rows, strict=False)
        ),
    )


def _rows_chosen(condition: Condition, table: Table, rows: Sequence[int]) -> str:
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


MOST_QUOTED = 8


def write_answer(program: Program) -> str:
    """The answer in Markdown; empty where the result cannot be written as the table would."""
    told = result(program)
    lines = quoted_rows(program)
    if not told or not lines:
        return ""
    marks = "".join(f"[{number}]" for number in dict.fromkeys(line.number for line in lines))
    sentence = _derivation(program, told)
    if program.is_computed and not sentence:
        return ""
    items = "\n".join(f"- {cited(line)}" for line in lines[:MOST_QUOTED])
    derived = f"{sentence.removesuffix('.')} {marks}.\n\n" if sentence else ""
    return f"{lead(told)}{derived}{items}"


def quoted_rows(program: Program) -> list[Statement]:
    """The rows of the table that the result rests on, as they stand there."""
    condition = program.condition
    columns = [column.place for column in (program.column, program.against) if column]
    columns += [condition.column, condition.other] if condition else []
    return program.table.quoted(program.rows, columns)


def _derivation(program: Program, told: str) -> str:
    operands = [operand(number) for number in program.numbers]
    match program.operation:
        case Operation.COUNT:
            return write_count([program.table.name(row) for row in program.rows])
        case Operation.SUM:
            return write_sum(told, operands)
        case Operation.MEAN:
            return write_mean(told, operands)
        case Operation.TIMES:
            return write_times(told, [str(factor) for factor in program.factors], operands)
        case Operation.DIFFERENCE:
            less, more = sorted(zip((number.value for number in program.numbers), operands, strict=True))
            return write_difference(told, more[1], less[1])
        case _:
            return ""
