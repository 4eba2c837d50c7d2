"""Calculations on one result and a number that the question gives: that divided by 1,000."""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

from docmind.quality.quantities import Computed, Operand, Refusal
from docmind.quality.quantities.computed import exact_value
from docmind.quality.quantities.derivation import Notation, derive, written
from docmind.quality.quantities.quantity import WORKING_DIGITS
from docmind.quality.quantities.writing import latex_number, write_number
from docmind.skills.finance.formula import Sign

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
