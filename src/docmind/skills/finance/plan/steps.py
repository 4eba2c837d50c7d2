"""The steps of a plan: each calculates with figures, with results before it, or with a number of the question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

from docmind.domain.documents import Span
from docmind.quality.quantities import (
    Computed,
    Figure,
    Operand,
    Ranking,
    Refusal,
    average,
    days,
    less,
    rank,
    ratio,
    share,
    stretch,
    total,
)
from docmind.quality.quantities.computed import APPROXIMATELY, Notation, derive, exact_value, written
from docmind.quality.quantities.quantity import WORKING_DIGITS, latex_number, write_number
from docmind.skills.finance.catalogue import Sign
from docmind.skills.finance.compute.calculations import PLACES, comparable, moved, movement, newest_first, sizes
from docmind.skills.finance.evidence.series import Series
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.plan.plan import Calculation, Plan, Step, number_in

_WRITTEN = {
    Sign.PLUS: ("+", "{a} + {b}"),
    Sign.LESS: ("−", "{a} - {b}"),
    Sign.TIMES: ("×", r"{a} \times {b}"),
    Sign.OVER: ("/", r"\frac{{{a}}}{{{b}}}"),
}


def with_number(sign: Sign, operand: Operand, parts: Sequence[Operand | Decimal]) -> Computed | Refusal:
    """The result in the scale and unit that the operand is told in; `parts` are both in their order."""
    first, second = (_worth(part, operand.scale) for part in parts)
    if sign is Sign.OVER and not second:
        return Refusal("Nothing can be divided by zero.")
    match sign:
        case Sign.PLUS:
            value = first + second
        case Sign.LESS:
            value = first - second
        case Sign.TIMES:
            value = first * second
        case Sign.OVER:
            value = first / second
    a, b = (_told(part) for part in parts)
    text, latex = _WRITTEN[sign]
    formula = Notation(f"{a.text} {text} {b.text}", latex.format(a=a.latex, b=b.latex))
    with localcontext(prec=WORKING_DIGITS):
        step = operand.quantity.step if sign in (Sign.PLUS, Sign.LESS) else operand.quantity.step / 10_000
    worth = value * Fraction(operand.scale)
    return derive(operand.label, [operand], worth, operand.quantity, formula, step=step, scale=operand.scale)


def _worth(part: Operand | Decimal, scale: Decimal) -> Fraction:
    return Fraction(part) if isinstance(part, Decimal) else exact_value(part) / Fraction(scale)


def _told(part: Operand | Decimal) -> Notation:
    if isinstance(part, Decimal):
        step = Decimal(1).scaleb(min(int(part.as_tuple().exponent), 0))
        return Notation(write_number(part, step), latex_number(part, step))
    return written([part])[0]


Outcome = tuple[Operand, ...] | Ranking | Refusal
"""What a step comes to."""
OPERATIONS = {
    Calculation.CHANGE: Operation.DIFFERENCE,
    Calculation.LESS: Operation.DIFFERENCE,
    Calculation.GROWTH: Operation.GROWTH,
    Calculation.SHARE: Operation.SHARE,
    Calculation.RATIO: Operation.RATIO,
    Calculation.DAYS: Operation.RATIO,
    Calculation.PRODUCT: Operation.COMPOSED,
    Calculation.SUM: Operation.SUM,
    Calculation.AVERAGE: Operation.AVERAGE,
    Calculation.CAGR: Operation.CAGR,
    Calculation.HIGHEST: Operation.RANK,
    Calculation.LOWEST: Operation.RANK,
    Calculation.SERIES: Operation.DEVELOPMENT,
    Calculation.STRETCH: Operation.COMPOSED,
}
RANKING = (Calculation.HIGHEST, Calculation.LOWEST)
_NO_NUMBER = (*RANKING, Calculation.SERIES)
"""What these come to is not calculated with."""
_OF_TWO = {Calculation.SHARE: share, Calculation.RATIO: ratio, Calculation.DAYS: days}
_ADDED_UP = {Calculation.SUM: total, Calculation.AVERAGE: average, Calculation.LESS: less, Calculation.STRETCH: stretch}
_SIGNS = {
    Calculation.SUM: Sign.PLUS,
    Calculation.LESS: Sign.LESS,
    Calculation.CHANGE: Sign.LESS,
    Calculation.PRODUCT: Sign.TIMES,
    Calculation.RATIO: Sign.OVER,
}
_JOINED = {
    Calculation.CHANGE: (" − ", " - "),
    Calculation.LESS: (" − ", " - "),
    Calculation.SUM: (" + ", " + "),
    Calculation.AVERAGE: (" + ", " + "),
}
"""How the calculations of parts are joined in text and in LaTeX."""
_PERCENT = r" \times 100"


def outcome_of(
    step: Step,
    plan: Plan,
    values: Mapping[str, Sequence[Operand]],
    rows: Mapping[str, Series],
    companies: Sequence[str] = (),
    *,
    unsigned: bool = False,
) -> Outcome:
    """What a step comes to; `rows` are the series that lookups were taken from, by their ids."""
    before = {one.id: one.operation for one in plan.steps}
    if any(before.get(taken) in _NO_NUMBER for taken in step.of):
        return Refusal("The plan calculates with what is no number.")
    if any(number_in(taken) is not None for taken in step.of):
        return _with_number(step, values)
    operands = [operand for taken in step.of for operand in values[taken]]
    if step.operation in RANKING:
        return rank(operands)
    if step.operation is Calculation.SERIES:
        return _series(operands, rows.get(step.of[0]))
    result = _calculated(step, operands, unsigned=unsigned)
    if isinstance(result, Refusal):
        return result
    if step.name and isinstance(result, Computed):
        result = replace(result, label=_under_owner(step.name, result, companies), named=True)
    if step.operation is Calculation.STRETCH and isinstance(result, Computed):
        # Its name says when: it is of none of the times of its parts.
        result = replace(result, period=None)
    return (result,)


def _with_number(step: Step, values: Mapping[str, Sequence[Operand]]) -> Outcome:
    """One result worked on with a number of the question."""
    parts = [number_in(taken) or values.get(taken, ()) for taken in step.of]
    operands = [operand for part in parts if not isinstance(part, Decimal) for operand in part]
    sign = _SIGNS.get(step.operation)
    if len(operands) != 1 or len(parts) != 2 or sign is None:
        return Refusal("Such a calculation rests on no figure of a document.")
    given = [part if isinstance(part, Decimal) else operands[0] for part in parts]
    result = with_number(sign, operands[0], given)
    return result if isinstance(result, Refusal) else (result,)


def _calculated(step: Step, operands: Sequence[Operand], *, unsigned: bool) -> Operand | Refusal:
    if step.operation in _ADDED_UP:
        if len(operands) == 1:
            # What it is added to, or taken from, counts as nothing.
            return operands[0]
        given = sizes(operands) if step.operation in (Calculation.SUM, Calculation.AVERAGE) else operands
        return _spelt_out(step, _ADDED_UP[step.operation](given))
    return _of_two(step, operands) if step.operation in _OF_TWO else _moved(step, operands, unsigned=unsigned)


def _of_two(step: Step, operands: Sequence[Operand]) -> Operand | Refusal:
    if step.operation is Calculation.SHARE and operands and operands[0].quantity.unit == "percent":
        # The report states the share itself.
        return operands[0]
    if len(operands) != 2:
        return Refusal(f"A {step.operation} takes two figures, and the plan names {len(operands)}.")
    first, second = operands
    if isinstance(first, Figure) and isinstance(second, Figure) and _place(first) == _place(second):
        return Refusal(f"One figure was found for both sides: {first.label}.")
    top = first if step.operation is Calculation.RATIO else sizes([first])[0]
    return _OF_TWO[step.operation](top, second, places=PLACES)


def _place(figure: Figure) -> tuple[str, Span]:
    return figure.source, figure.span


def _moved(step: Step, operands: Sequence[Operand], *, unsigned: bool) -> Computed | Refusal:
    """From the oldest to the newest of one thing; of two things the first less the second."""
    if len(operands) < 2:
        return Refusal(f"A {step.operation} takes two figures, and the plan names one.")
    things = {operand.label for operand in operands}
    if len(things) > 1 and len(operands) > 2:
        return Refusal(f"A {step.operation} takes two figures, and the plan names {len(operands)}.")
    ordered = newest_first(operands) if len(things) == 1 else list(operands)
    outcome = moved(OPERATIONS[step.operation], ordered[0], ordered[-1], unsigned=unsigned)
    if isinstance(outcome, Computed) and len(things) == 1 and step.operation is Calculation.CHANGE:
        outcome = replace(outcome, label=f"change in {things.pop()}")
    return _spelt_out(step, outcome)


def _spelt_out(step: Step, outcome: Computed | Refusal) -> Computed | Refusal:
    """With the calculations of its parts in the formula, since their rounded results need not make it exactly."""
    if isinstance(outcome, Refusal) or step.operation not in _JOINED:
        return outcome
    parts = [operand for operand in outcome.operands if isinstance(operand, Computed)]
    if len(parts) < len(outcome.operands):
        return outcome
    text, latex = (sign.join(sides) for sign, sides in zip(_JOINED[step.operation], _left_sides(parts), strict=True))
    if step.operation is Calculation.AVERAGE:
        text, latex = f"({text}) / {len(parts)}", rf"\frac{{{latex}}}{{{len(parts)}}}"
    if outcome.quantity.unit in ("percent", "point"):
        latex = rf"\left({latex}\right){_PERCENT}"
    made = outcome.latex.replace(APPROXIMATELY, "=").rpartition("=")[2]
    return replace(outcome, formula=f"{text} = {outcome.quantity.text}", latex=f"{latex} ={made}")


def _left_sides(parts: Sequence[Computed]) -> tuple[list[str], list[str]]:
    texts = [f"({part.formula.replace('≈', '=').rpartition(' = ')[0]})" for part in parts]
    latex = [part.latex.replace(APPROXIMATELY, "=").rpartition("=")[0].strip() for part in parts]
    return texts, [rf"\left({side.removesuffix(_PERCENT)}\right)" for side in latex]


def _series(operands: Sequence[Operand], row: Series | None) -> Outcome:
    """How one thing moved: over the periods that were looked up, over all of its row where that is one or none."""
    if len(operands) < 2 and row is not None:
        operands = comparable(row.figures)
    if len(operands) < 2 or len({operand.label for operand in operands}) > 1:
        return Refusal("The figures are not of one thing at several times.")
    return movement(operands)


def _under_owner(name: str, result: Computed, companies: Sequence[str]) -> str:
    """The name under the company that the figures were put under, where all are of one."""
    owner = owner_of(result, companies)
    return f"{owner}: {name}" if owner else name


def owner_of(result: Operand, companies: Sequence[str]) -> str:
    """The company that all figures of a result were put under; empty where they are of several or of none."""
    figures = result.sources if isinstance(result, Computed) else (result,)
    owners = (one for one in companies if all(figure.label.startswith(f"{one}: ") for figure in figures))
    return next(owners, "")
