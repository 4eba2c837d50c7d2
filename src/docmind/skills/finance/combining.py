"""Calculations on answers: what other questions come to is put together as a composed question says."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

from docmind.quality.quantities import Computed, Operand, Refusal, average, difference, growth, ratio, share, total
from docmind.quality.quantities.computed import exact_value
from docmind.quality.quantities.derivation import APPROXIMATELY, Written, derive, rounded, written
from docmind.quality.quantities.quantity import WORKING_DIGITS
from docmind.quality.quantities.writing import latex_number, write, write_number
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.composed import Composed, Operator, read_composed
from docmind.skills.finance.operations import Operation, operation_of
from docmind.skills.finance.over_time import PLACES
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.finance.subject import subject_of

Ask = Callable[[FinanceQuestion], Analysis]
_OF_TWO = (Operator.LESS, Operator.OVER, Operator.SHARE, Operator.GROWTH)
_SIGNS = {Operator.PLUS: "+", Operator.LESS: "−", Operator.TIMES: "×", Operator.OVER: "/"}
_LATEX = {Operator.PLUS: "{a} + {b}", Operator.LESS: "{a} - {b}", Operator.TIMES: r"{a} \times {b}",
          Operator.OVER: r"\frac{{{a}}}{{{b}}}"}  # fmt: skip
_PERCENT = r" \times 100"
_JOINED = {Operator.LESS: (" − ", " - "), Operator.PLUS: (" + ", " + "), Operator.AVERAGE: (" + ", " + ")}
"""How parts are joined in text and in LaTeX."""


def combine(question: FinanceQuestion, made: Composed, ask: Ask) -> Analysis:
    """One analysis of all the parts, with their doubts; refused where a part has no number."""
    found: list[Operand | Decimal] = []
    doubts: list[str] = []
    for part in made.parts:
        if made.is_number(part):
            found.append(Decimal(part.replace(",", "")))
            continue
        answer = ask(read_question(part))
        if len(answer.results) != 1 or answer.quotes:
            return Analysis(question, refusal=answer.refusal or f"No single number answers “{part}”")
        found.append(_named(answer.results[0], part))
        doubts += answer.doubts
    outcome = calculated(made.operator, found)
    if isinstance(outcome, Refusal):
        return Analysis(question, refusal=outcome.reason)
    return Analysis(question, (spelt_out(made.operator, outcome),), doubts=tuple(dict.fromkeys(doubts)))


def _named(result: Operand, part: str) -> Operand:
    """A result by what it was asked for: EBITDA, the net margin, the change in revenue."""
    asked = subject_of(part)
    if not asked or not isinstance(result, Computed) or read_composed(part) is not None:
        return result
    kind = {Operation.DIFFERENCE: "change in ", Operation.GROWTH: "growth of "}.get(operation_of(part), "")
    return replace(result, label=f"{kind}{asked}")


def calculated(operator: Operator, parts: Sequence[Operand | Decimal]) -> Computed | Refusal:
    """The calculation on answers, or on one answer and a number that was given."""
    operands = [part for part in parts if not isinstance(part, Decimal)]
    if len(operands) == len(parts):
        return _of_answers(operator, operands)
    if len(operands) != 1 or len(parts) != 2 or operator not in _SIGNS:
        return Refusal("Such a calculation rests on no figure of a document.")
    return _with_number(operator, operands[0], parts)


def _of_answers(operator: Operator, operands: Sequence[Operand]) -> Computed | Refusal:
    if operator is Operator.PLUS:
        return total(operands)
    if operator is Operator.AVERAGE:
        return _shortened(average(operands))
    if operator not in _OF_TWO or len(operands) != 2:
        return Refusal("The calculation takes two numbers.")
    first, second = operands
    if operator is Operator.LESS:
        return difference(first, second)
    of_two = {Operator.SHARE: share, Operator.GROWTH: growth}.get(operator, ratio)
    return of_two(first, second, places=PLACES)


def _shortened(mean: Computed | Refusal) -> Computed | Refusal:
    """A mean of percentages to as many places as these have."""
    if isinstance(mean, Refusal) or mean.quantity.unit != "percent":
        return mean
    step = Decimal(1).scaleb(-PLACES)
    shown = replace(mean.quantity, value=rounded(mean.exact, step), step=step)
    text = write(shown)
    latex = mean.latex.replace(latex_number(mean.quantity.value, mean.quantity.step), latex_number(shown.value, step))
    return replace(
        mean, quantity=replace(shown, text=text), formula=f"{mean.formula.rpartition(' ')[0]} {text}", latex=latex
    )


def _with_number(operator: Operator, operand: Operand, parts: Sequence[Operand | Decimal]) -> Computed | Refusal:
    """A result worked on with a number of the question, in the scale and unit that the result is told in."""
    first, second = (_worth(part, operand.scale) for part in parts)
    if operator is Operator.OVER and not second:
        return Refusal("Nothing can be divided by zero.")
    match operator:
        case Operator.PLUS:
            value = first + second
        case Operator.LESS:
            value = first - second
        case Operator.TIMES:
            value = first * second
        case _:
            value = first / second
    a, b = (_told(part) for part in parts)
    formula = Written(f"{a.text} {_SIGNS[operator]} {b.text}", _LATEX[operator].format(a=a.latex, b=b.latex))
    with localcontext(prec=WORKING_DIGITS):
        step = operand.quantity.step if operator in (Operator.PLUS, Operator.LESS) else operand.quantity.step / 10_000
    worth = value * Fraction(operand.scale)
    return derive(operand.label, [operand], worth, operand.quantity, formula, step=step, scale=operand.scale)


def spelt_out(operator: Operator, outcome: Computed) -> Computed:
    """With the calculations of its parts in the formula, since their rounded results need not make it exactly."""
    parts = [operand for operand in outcome.operands if isinstance(operand, Computed)]
    if operator not in _JOINED or len(parts) < len(outcome.operands):
        return outcome
    text, latex = (sign.join(sides) for sign, sides in zip(_JOINED[operator], _left_sides(parts), strict=True))
    if operator is Operator.AVERAGE:
        text, latex = f"({text}) / {len(parts)}", rf"\frac{{{latex}}}{{{len(parts)}}}"
    if outcome.quantity.unit in ("percent", "point"):
        latex = rf"\left({latex}\right){_PERCENT}"
    made = outcome.latex.replace(APPROXIMATELY, "=").rpartition("=")[2]
    return replace(outcome, formula=f"{text} = {outcome.quantity.text}", latex=f"{latex} ={made}")


def _left_sides(parts: Sequence[Computed]) -> tuple[list[str], list[str]]:
    texts = [f"({part.formula.replace('≈', '=').rpartition(' = ')[0]})" for part in parts]
    latex = [part.latex.replace(APPROXIMATELY, "=").rpartition("=")[0].strip() for part in parts]
    return texts, [side.removesuffix(_PERCENT) for side in latex]


def _worth(part: Operand | Decimal, scale: Decimal) -> Fraction:
    return Fraction(part) if isinstance(part, Decimal) else exact_value(part) / Fraction(scale)


def _told(part: Operand | Decimal) -> Written:
    if isinstance(part, Decimal):
        step = Decimal(1).scaleb(min(int(part.as_tuple().exponent), 0))
        return Written(write_number(part, step), latex_number(part, step))
    return written([part])[0]
