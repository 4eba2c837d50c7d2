"""The result of a program in words and figures, as the table writes them."""

import re
from decimal import Decimal

from docmind.quality.quantities import read_quantities
from docmind.quality.quantities.writing import write_number
from docmind.skills.tables.program import Operation, Program
from docmind.skills.tables.table import Number

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
