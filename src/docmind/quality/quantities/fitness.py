"""Whether figures may enter one calculation: values, units, currencies and periods have to fit, or it is refused."""

from collections.abc import Callable, Sequence

from docmind.quality.quantities.agreement import Agreement, same_period
from docmind.quality.quantities.computed import Operand, Refusal, exact_value
from docmind.quality.quantities.quantity import Bound, Quantity

Operands = tuple[Operand, ...]
Check = Callable[[Operands], Refusal | None]
_NAMES = {"": "a plain number", "percent": "a percentage", "point": "percentage points", "times": "a multiple"}


def fit(operands: Sequence[Operand | None], *checks: Check) -> Operands | Refusal:
    """The operands, all there and all values; or what stands first against computing with them."""
    given = tuple(operand for operand in operands if operand is not None)
    if len(given) < len(operands) or not given:
        return Refusal("A figure that the calculation needs was not found.")
    for operand in given:
        quantity = operand.quantity
        if quantity.upper is not None or quantity.bound is not Bound.EXACT:
            return Refusal(f"“{quantity.text}” is a range or a limit, not a value to compute with.")
        if quantity.unit == "ordinal":
            return Refusal(f"“{quantity.text}” is a place in an order, not an amount.")
    for check in checks:
        refused = check(given)
        if refused is not None:
            return refused
    return given


def alike(operands: Operands) -> Refusal | None:
    """Refuse what does not measure the same thing in the same currency."""
    first = operands[0].quantity
    for operand in operands[1:]:
        other = operand.quantity
        if first.currency and other.currency and first.currency != other.currency:
            return Refusal(f"The figures are in different currencies, {first.currency} and {other.currency}.")
        if (first.unit, first.per) != (other.unit, other.per) or _counts_differ(first, other):
            return Refusal(f"The figures do not measure the same: {_kind(first)} and {_kind(other)}.")
    return None


def no_percentages(operands: Operands) -> Refusal | None:
    """Refuse a percentage of percentages, which readers take for percentage points."""
    if any(operand.quantity.unit in ("percent", "point") for operand in operands):
        return Refusal("A percentage of percentages misleads; take their difference in percentage points instead.")
    return None


def of_one_period(operands: Operands) -> Refusal | None:
    """Refuse figures of different periods, unless they are one thing at different times."""
    if len({operand.label for operand in operands}) == 1:
        return even_periods(operands)
    known = [operand.period for operand in operands if operand.period is not None]
    if any(same_period(known[0], period) is not Agreement.AGREE for period in known[1:]):
        return Refusal("The figures are of different periods.")
    return None


def even_periods(operands: Operands) -> Refusal | None:
    """Refuse periods of different length, or fiscal beside calendar ones: a quarter does not compare with a year."""
    known = [operand.period for operand in operands if operand.period is not None]
    if len({period.fiscal for period in known}) > 1:
        return Refusal("Some figures are of fiscal and some of calendar periods.")
    if len({period.length for period in known}) > 1:
        return Refusal("The figures are of periods of different length.")
    return None


def at_two_times(operands: Operands) -> Refusal | None:
    """Refuse a change between two figures of the very same period."""
    first, second = (operand.period for operand in operands)
    if first is not None and second is not None and first.key == second.key:
        return Refusal("Both figures are of the same period, so that nothing can have changed between them.")
    return None


def divisor_not_zero(operands: Operands) -> Refusal | None:
    divisor = operands[1]
    return Refusal(f"{divisor.label or 'The divisor'} is zero.") if exact_value(divisor) == 0 else None


def from_above_zero(operands: Operands) -> Refusal | None:
    if exact_value(operands[1]) <= 0:
        return Refusal("Growth from zero or from a negative amount has no meaning.")
    return None


def all_above_zero(operands: Operands) -> Refusal | None:
    if any(exact_value(operand) <= 0 for operand in operands):
        return Refusal("Compound growth needs two amounts above zero.")
    return None


def _counts_differ(a: Quantity, b: Quantity) -> bool:
    return a.counted is not None and b.counted is not None and a.counted != b.counted


def _kind(quantity: Quantity) -> str:
    if quantity.unit == "money":
        name = f"an amount in {quantity.currency}"
    elif quantity.counted:
        name = f"a number of {quantity.counted}s"
    else:
        name = _NAMES.get(quantity.unit, f"an amount in {quantity.unit}s")
    return f"{name} per {quantity.per}" if quantity.per else name
