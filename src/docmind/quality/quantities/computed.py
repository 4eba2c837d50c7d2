"""A number that was computed: its formula with the numbers put in, what it rests on, and how it was rounded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

from docmind.quality.quantities.quantity import (
    NOWHERE,
    WORKING_DIGITS,
    Agreement,
    Figure,
    Period,
    Quantity,
    agrees,
    latex_number,
    latex_unit,
    write,
    write_number,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a number was not computed, as a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Computed:
    """A result with its whole derivation; it is evidence because everything in it can be checked again."""

    label: str
    formula: str
    """As text: (655,230 − 601,020) / 601,020 = 9.0%."""
    latex: str
    operands: "tuple[Operand, ...]"
    quantity: Quantity
    """The result as it is shown."""
    exact: Fraction
    """The result before rounding, in base scale; of a root that is not rational, as many digits as `rounding` says."""
    rounding: str
    period: Period | None = None
    scale: Decimal = Decimal(1)
    named: bool = False
    """Whether the label is a name of its own, such as free cash flow, and not what was done with which figures."""

    @property
    def sources(self) -> tuple[Figure, ...]:
        """The figures it rests on in the end, through whatever was computed in between."""
        return tuple(
            figure
            for operand in self.operands
            for figure in (operand.sources if isinstance(operand, Computed) else (operand,))
        )

    def confirms(self, claimed: Quantity) -> Agreement:
        """Whether a number in an answer is this result, as precisely as the answer writes it."""
        with localcontext(prec=WORKING_DIGITS):
            exact = Decimal(self.exact.numerator) / Decimal(self.exact.denominator)
        return agrees(replace(self.quantity, value=exact, step=Decimal(0)), claimed)


Operand = Figure | Computed


def exact_value(operand: Operand) -> Fraction:
    """Its value without any rounding, so that a calculation on a result loses nothing."""
    return operand.exact if isinstance(operand, Computed) else Fraction(operand.quantity.value)


APPROXIMATELY = r"\approx"
ROOT_DIGITS = 40
"""Significant digits of a root that has no exact value."""


@dataclass(frozen=True, slots=True)
class Notation:
    """A formula, or a number in it, as text and as LaTeX."""

    text: str
    latex: str


def common_scale(operands: Sequence[Operand]) -> Decimal:
    """The scale that all were written in, or one."""
    scales = {operand.scale for operand in operands}
    return scales.pop() if len(scales) == 1 else Decimal(1)


def written(operands: Sequence[Operand]) -> list[Notation]:
    """The operands as they stand in a formula, in the scale they share."""
    scale = common_scale(operands)
    return [_written(operand.quantity, scale) for operand in operands]


def _written(quantity: Quantity, scale: Decimal) -> Notation:
    with localcontext(prec=WORKING_DIGITS):
        value, step = quantity.value / scale, quantity.step / scale
    text, latex = write_number(value, step), latex_number(value, step)
    return Notation(f"({text})", f"({latex})") if value < 0 else Notation(text, latex)


def derive(
    label: str,
    operands: Sequence[Operand],
    value: Fraction,
    like: Quantity,
    formula: Notation,
    *,
    step: Decimal | None = None,
    scale: Decimal = Decimal(1),
    note: str = "",
) -> Computed:
    """A result in the unit of `like`, rounded to `step`; without one it keeps all digits its operands have.

    What is kept is not always what is known: a sum with one operand in millions is known to millions.
    """
    shown_step = min(operand.quantity.step for operand in operands) if step is None else step
    known_step = max(operand.quantity.step for operand in operands) if step is None else step
    shown = rounded(value, shown_step)
    approximate = any(operand.quantity.approximate for operand in operands)
    quantity = replace(like, value=shown, step=shown_step, approximate=approximate, scaled=True, span=NOWHERE)
    text = write(quantity, scale)
    with localcontext(prec=WORKING_DIGITS):
        latex = latex_number(shown / scale, shown_step / scale) + latex_unit(quantity, scale)
    rounding = "not rounded" if Fraction(shown) == value else f"rounded half up to {shown_step:f}"
    about = any(map(_shown_rounded, operands))
    return Computed(
        label=label,
        formula=f"{formula.text} {'≈' if about else '='} {text}",
        latex=f"{formula.latex} {APPROXIMATELY if about else '='} {latex}",
        operands=tuple(operands),
        quantity=replace(quantity, step=known_step, text=text),
        exact=value,
        rounding=rounding + note,
        period=operands[0].period,
        scale=scale,
    )


def _shown_rounded(operand: Operand) -> bool:
    """Whether a formula shows less of it than is calculated with, so that the formula holds only about."""
    return isinstance(operand, Computed) and Fraction(operand.quantity.value) != operand.exact


def rounded(value: Fraction, step: Decimal) -> Decimal:
    """To a multiple of `step`, halves away from zero."""
    units = abs(value) / Fraction(step)
    whole = (2 * units.numerator + units.denominator) // (2 * units.denominator)
    with localcontext(prec=max(WORKING_DIGITS, len(str(whole)) + len(step.as_tuple().digits))):
        return (Decimal(whole) * step).copy_sign(-1 if value < 0 and whole else 1)


def root(value: Fraction, degree: int) -> tuple[Fraction, bool]:
    """The root of a positive number, and whether it is exact or cut after `ROOT_DIGITS` digits."""
    top, bottom = _whole_root(value.numerator, degree), _whole_root(value.denominator, degree)
    if top is not None and bottom is not None:
        return Fraction(top, bottom), True
    with localcontext(prec=ROOT_DIGITS + 10):
        power = (Decimal(value.numerator) / Decimal(value.denominator)) ** (Decimal(1) / degree)
    with localcontext(prec=ROOT_DIGITS, rounding=ROUND_HALF_UP):
        return Fraction(+power), False


def _whole_root(value: int, degree: int) -> int | None:
    """By bisection on whole numbers, since a decimal guess may be off by one in its last digit."""
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle - 1)
    return low if low**degree == value else None
