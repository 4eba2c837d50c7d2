"""The answer that a program gives: the result on a line of its own, how it was worked out, and the rows it rests on."""

from docmind.quality.grounding.worked_out import write_count, write_difference, write_mean, write_sum, write_times
from docmind.skills.extract.compose import cited, lead
from docmind.skills.extract.statements import Statement
from docmind.skills.tables.program import Operation, Program
from docmind.skills.tables.results import operand, result

MOST_QUOTED = 8


def write(program: Program) -> str:
    """The answer in Markdown; empty where the result cannot be written as the table would."""
    told = result(program)
    lines = quoted(program)
    if not told or not lines:
        return ""
    marks = "".join(f"[{number}]" for number in dict.fromkeys(line.number for line in lines))
    sentence = _derivation(program, told)
    if program.is_computed and not sentence:
        return ""
    items = "\n".join(f"- {cited(line)}" for line in lines[:MOST_QUOTED])
    derived = f"{sentence.removesuffix('.')} {marks}.\n\n" if sentence else ""
    return f"{lead(told)}{derived}{items}"


def quoted(program: Program) -> list[Statement]:
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
