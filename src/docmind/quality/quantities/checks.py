"""Checks that a source can be put to by itself: whether parts make their total, and in what order figures stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from docmind.quality.quantities.arithmetic import total
from docmind.quality.quantities.computed import Computed, Operand, Refusal, exact_value
from docmind.quality.quantities.derivation import common_scale, rounded
from docmind.quality.quantities.fitness import alike, fit, of_one_period
from docmind.quality.quantities.writing import write


class Sums(StrEnum):
    """Whether parts add up: to the digit, but for rounding, or not."""

    EXACTLY = "exactly"
    ROUNDED = "but for rounding"
    NOT = "not"


@dataclass(frozen=True, slots=True)
class TotalCheck:
    """What a stated total says and what its parts make."""

    verdict: Sums
    computed: Computed
    stated: Operand
    gap: Decimal
    """Stated less computed, in base scale."""


def check_total(parts: Sequence[Operand | None], stated: Operand | None) -> TotalCheck | Refusal:
    """Add the parts and hold the sum against the total; each rounded figure may be off by half its last digit."""
    computed = total(parts)
    if isinstance(computed, Refusal):
        return computed
    given = fit((*parts, stated), alike, of_one_period)
    if isinstance(given, Refusal):
        return given
    gap = exact_value(given[-1]) - computed.exact
    slack = sum((Fraction(operand.quantity.step) for operand in given), Fraction(0)) / 2
    verdict = Sums.EXACTLY if gap == 0 else Sums.ROUNDED if abs(gap) <= slack else Sums.NOT
    step = min(operand.quantity.step for operand in given)
    return TotalCheck(verdict, computed, given[-1], rounded(gap, step))


@dataclass(frozen=True, slots=True)
class Ranking:
    """Figures from the greatest to the least, with their places; equal ones share a place."""

    order: tuple[Operand, ...]
    places: tuple[int, ...]
    text: str
    """As a line: 2024: EUR 655,230 thousand > 2023: EUR 601,020 thousand."""


def rank(operands: Sequence[Operand | None]) -> Ranking | Refusal:
    """Order figures of one kind, of several things or of several periods."""
    given = fit(operands, alike)
    if isinstance(given, Refusal):
        return given
    order = tuple(sorted(given, key=exact_value, reverse=True))
    values = [exact_value(operand) for operand in order]
    places = tuple(values.index(value) + 1 for value in values)
    scale = common_scale(order)
    text = ""
    for position, operand in enumerate(order):
        joint = "" if not position else " = " if values[position] == values[position - 1] else " > "
        text += f"{joint}{_name(operand)}: {write(operand.quantity, scale)}"
    return Ranking(order, places, text)


def _name(operand: Operand) -> str:
    column = "" if isinstance(operand, Computed) else operand.column
    return f"{operand.label}, {column}" if column else operand.label
