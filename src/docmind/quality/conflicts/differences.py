"""Whether two statements of one topic cannot both be right."""

from decimal import Decimal, localcontext

from docmind.quality.conflicts.norms import OPPOSED
from docmind.quality.conflicts.statement import Stance, Statement
from docmind.quality.quantities import Agreement, Period, Quantity, agrees, same_period
from docmind.quality.quantities.quantity import WORKING_DIGITS

_SCALES = tuple(Decimal(1000) ** power for power in (1, 2, 3))
ROUND_ZEROS = 3
"""A whole number that ends in so many zeros may be rounded to them."""
FINER = 2
"""Digits that another value must have more than a round one to be what it was rounded from."""


def differ(a: Statement, b: Statement) -> bool:
    """Whether the values disagree, and neither rounding nor a scale that was not read explains it."""
    first, second = a.value, b.value
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        if turned(a, b):
            return True
        unscaled = not (a.scale_known and b.scale_known)
        return _quantities_differ(first, second) and not (unscaled and _differ_in_scale(first, second))
    if isinstance(first, Period) and isinstance(second, Period):
        return same_period(first, second) is Agreement.DISAGREE
    return isinstance(first, Stance) and isinstance(second, Stance) and frozenset({first, second}) in OPPOSED


def turned(a: Statement, b: Statement) -> bool:
    """Whether one tells of a rise and the other of a fall."""
    if not (isinstance(a.value, Quantity) and isinstance(b.value, Quantity) and a.directed and b.directed):
        return False
    return (a.value.value < 0 < b.value.value) or (b.value.value < 0 < a.value.value)


def _quantities_differ(a: Quantity, b: Quantity) -> bool:
    if agrees(a, b) is not Agreement.DISAGREE:
        return False
    # Costs stand in brackets in one place and plain in another.
    if agrees(a.size, b.size) is not Agreement.DISAGREE:
        return False
    return not (_rounds_to(a, b) or _rounds_to(b, a))


def _rounds_to(fine: Quantity, round_: Quantity) -> bool:
    """Whether a round number that was written out is the other one rounded: 4,000 and 4,213, but not 4.0 million."""
    digits, zeros = _digits(round_.value)
    if round_.step != 1 or zeros < ROUND_ZEROS or _digits(fine.value)[0] < digits + FINER:
        return False
    with localcontext(prec=WORKING_DIGITS):
        return abs(abs(fine.value) - abs(round_.value)) <= Decimal(10) ** zeros / 2


def _digits(value: Decimal) -> tuple[int, int]:
    """How many significant digits a value has, and how many zeros follow them before the decimal point."""
    _, digits, exponent = value.normalize().as_tuple()
    return len(digits), exponent if isinstance(exponent, int) and exponent > 0 else 0


def _differ_in_scale(a: Quantity, b: Quantity) -> bool:
    """Whether one is the other in thousands or millions, which its table may have said where it was not seen."""
    small, large = sorted((a.size, b.size), key=lambda quantity: quantity.value)
    return any(agrees(small.times(scale), large) is Agreement.AGREE for scale in _SCALES)
