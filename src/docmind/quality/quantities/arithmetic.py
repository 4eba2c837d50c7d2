"""Calculations on figures that fit together, exact to the last digit, each with its derivation or why it is refused."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from enum import StrEnum
from fractions import Fraction

from docmind.quality.quantities.computed import (
    ROOT_DIGITS,
    Computed,
    Notation,
    Operand,
    Refusal,
    common_scale,
    derive,
    exact_value,
    root,
    rounded,
    written,
)
from docmind.quality.quantities.quantity import DAY, WORKING_DIGITS, Agreement, Bound, Quantity, same_period, write

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


Outcome = Computed | Refusal
_PERCENT = Quantity(Decimal(0), Decimal(1), "percent")
_TIMES = Quantity(Decimal(0), Decimal(1), "times")
_SECONDS = Quantity(Decimal(0), Decimal(1), "second")
YEAR_DAYS = 365


def growth(new: Operand | None, old: Operand | None, *, places: int = 1, label: str = "") -> Outcome:
    """Change from `old` to `new` as a percentage of `old`."""
    both = fit((new, old), alike, no_percentages, even_periods, at_two_times, from_above_zero)
    if isinstance(both, Refusal):
        return both
    after, before = map(exact_value, both)
    a, b = written(both)
    formula = Notation(f"({a.text} − {b.text}) / {b.text}", rf"\frac{{{a.latex} - {b.latex}}}{{{b.latex}}} \times 100")
    name = label or f"Growth of {both[0].label}"
    return derive(name, both, (after - before) / before * 100, _PERCENT, formula, step=_step(places))


def difference(a: Operand | None, b: Operand | None, *, label: str = "") -> Outcome:
    """`a` less `b`; of two percentages it is in percentage points."""
    both = fit((a, b), alike, even_periods)
    if isinstance(both, Refusal):
        return both
    like = both[0].quantity
    if like.unit == "percent":
        like = replace(like, unit="point")
    left, right = written(both)
    formula = Notation(f"{left.text} − {right.text}", f"{left.latex} - {right.latex}")
    value = exact_value(both[0]) - exact_value(both[1])
    name = label or f"{both[0].label} less {both[1].label}"
    return derive(name, both, value, like, formula, scale=common_scale(both))


def less(parts: Sequence[Operand | None], *, label: str = "") -> Outcome:
    """The first less all the others."""
    given = fit(parts, alike, of_one_period)
    if isinstance(given, Refusal):
        return given
    first, *others = given
    numbers = written(given)
    formula = Notation(" − ".join(one.text for one in numbers), " - ".join(one.latex for one in numbers))
    name = label or " less ".join(dict.fromkeys(operand.label for operand in given))
    value = exact_value(first) - _sum(others)
    return derive(name, given, value, first.quantity, formula, scale=common_scale(given))


def stretch(parts: Sequence[Operand | None], *, label: str = "") -> Outcome:
    """All but the last added up, less the last: one thing over a stretch of time that others make up."""
    given = fit(parts, alike)
    if isinstance(given, Refusal):
        return given
    if even_periods(given) is None:
        return Refusal("Stretches of one length make up no other.")
    *added, last = given
    *texts, off = written(given)
    text = f"{' + '.join(one.text for one in texts)} − {off.text}"
    formula = Notation(text, f"{' + '.join(one.latex for one in texts)} - {off.latex}")
    value = _sum(added) - exact_value(last)
    return derive(label or given[0].label, given, value, given[0].quantity, formula, scale=common_scale(given))


def days(a: Operand | None, b: Operand | None, *, places: int = 1, label: str = "") -> Outcome:
    """`a` divided by what `b` is a day: so many days of sales are outstanding."""
    both = fit((a, b), alike, no_percentages, of_one_period, divisor_not_zero)
    if isinstance(both, Refusal):
        return both
    left, right = written(both)
    formula = Notation(
        f"{left.text} / {right.text} × {YEAR_DAYS}", rf"\frac{{{left.latex}}}{{{right.latex}}} \times {YEAR_DAYS}"
    )
    value = exact_value(both[0]) / exact_value(both[1]) * YEAR_DAYS * Fraction(DAY)
    name = label or f"Days of {both[1].label} in {both[0].label}"
    return derive(name, both, value, _SECONDS, formula, step=_step(places) * DAY, scale=DAY)


def ratio(a: Operand | None, b: Operand | None, *, places: int = 2, label: str = "") -> Outcome:
    """`a` divided by `b`: a multiple where both measure the same, else so much per thing (EUR per employee)."""
    both = fit((a, b), no_percentages, of_one_period, divisor_not_zero)
    if isinstance(both, Refusal):
        return both
    top, bottom = both[0].quantity, both[1].quantity
    per_thing = top.unit == "money" and not top.per and bottom.counted is not None
    unlike = alike(both)
    if unlike is not None and not per_thing:
        return unlike
    like = _TIMES if unlike is None else replace(top, per=bottom.counted)
    left, right = written(both)
    formula = Notation(f"{left.text} / {right.text}", rf"\frac{{{left.latex}}}{{{right.latex}}}")
    value = exact_value(both[0]) / exact_value(both[1])
    return derive(label or f"{both[0].label} / {both[1].label}", both, value, like, formula, step=_step(places))


def share(part: Operand | None, whole: Operand | None, *, places: int = 1, label: str = "") -> Outcome:
    """`part` as a percentage of `whole`: a margin, a segment's share."""
    both = fit((part, whole), alike, no_percentages, of_one_period, divisor_not_zero)
    if isinstance(both, Refusal):
        return both
    a, b = written(both)
    formula = Notation(f"{a.text} / {b.text}", rf"\frac{{{a.latex}}}{{{b.latex}}} \times 100")
    value = exact_value(both[0]) / exact_value(both[1]) * 100
    name = label or f"{both[0].label} as a share of {both[1].label}"
    return derive(name, both, value, _PERCENT, formula, step=_step(places))


def total(parts: Sequence[Operand | None], *, label: str = "") -> Outcome:
    """The sum of parts of one period, or of one thing over several periods."""
    given = fit(parts, alike, of_one_period)
    if isinstance(given, Refusal):
        return given
    name = label or "Total of " + ", ".join(dict.fromkeys(operand.label for operand in given))
    return derive(name, given, _sum(given), given[0].quantity, _added(given), scale=common_scale(given))


def average(parts: Sequence[Operand | None], *, label: str = "") -> Outcome:
    """The mean, to as many digits as it has, at most two more than its figures."""
    given = fit(parts, alike, of_one_period)
    if isinstance(given, Refusal):
        return given
    sums, count = _added(given), len(given)
    formula = Notation(f"({sums.text}) / {count}", rf"\frac{{{sums.latex}}}{{{count}}}")
    name, mean = label or f"Average of {given[0].label}", _sum(given) / count
    step = _step_of_mean(mean, min(operand.quantity.step for operand in given))
    return derive(name, given, mean, given[0].quantity, formula, step=step, scale=common_scale(given))


def cagr(
    last: Operand | None, first: Operand | None, *, years: int | None = None, places: int = 1, label: str = ""
) -> Outcome:
    """Compound annual growth from `first` to `last`; the years come from their periods where not given."""
    both = fit((last, first), alike, no_percentages, even_periods, all_above_zero)
    if isinstance(both, Refusal):
        return both
    span = years if years is not None else _years_between(*both)
    if span is None or span < 1:
        return Refusal("The number of years between the figures is not known.")
    factor, exact = root(exact_value(both[0]) / exact_value(both[1]), span)
    a, b = written(both)
    formula = Notation(
        f"({a.text} / {b.text})^(1/{span}) − 1",
        rf"\left(\left(\frac{{{a.latex}}}{{{b.latex}}}\right)^{{1/{span}}} - 1\right) \times 100",
    )
    note = "" if exact else f"; the root to {ROOT_DIGITS} digits"
    name = label or f"Compound annual growth of {both[0].label}"
    return derive(name, both, (factor - 1) * 100, _PERCENT, formula, step=_step(places), note=note)


def _sum(operands: Sequence[Operand]) -> Fraction:
    return sum((exact_value(operand) for operand in operands), Fraction(0))


def _added(operands: Sequence[Operand]) -> Notation:
    numbers = written(operands)
    return Notation(" + ".join(number.text for number in numbers), " + ".join(number.latex for number in numbers))


def _step_of_mean(mean: Fraction, step: Decimal) -> Decimal:
    with localcontext(prec=WORKING_DIGITS):
        finer = (step, step / 10, step / 100)
    return next((one for one in finer if (mean / Fraction(one)).denominator == 1), finer[-1])


def _years_between(last: Operand, first: Operand) -> int | None:
    a, b = last.period, first.period
    return a.year - b.year if a and b and a.year and b.year else None


def _step(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)


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
