"""Calculations on figures, exact to the last digit: each gives its result with its derivation, or says why not."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

from docmind.quality.quantities.computed import Computed, Operand, Refusal, exact_value
from docmind.quality.quantities.derivation import ROOT_DIGITS, Notation, common_scale, derive, root, written
from docmind.quality.quantities.fitness import (
    alike,
    all_above_zero,
    at_two_times,
    divisor_not_zero,
    even_periods,
    fit,
    from_above_zero,
    no_percentages,
    of_one_period,
)
from docmind.quality.quantities.quantity import DAY, WORKING_DIGITS, Quantity

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
