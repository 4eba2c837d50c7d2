"""Traces every plotted number to the figure or computed result it shows, or says why it has none."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import lru_cache

from docmind.quality.charts.plotted import Point, plotted_points
from docmind.quality.quantities import (
    Agreement,
    Bound,
    Computed,
    Figure,
    Operand,
    Quantity,
    agrees,
    same_period,
    write,
)
from docmind.quality.quantities.agreement import APPROXIMATE_SHARE
from docmind.quality.quantities.quantity import WORKING_DIGITS
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.quantities.unit_terms import NO_TERMS

MOST_CANDIDATES = 64
"""Sources of one precision that are looked at for one value; more have the same value over and over."""
_WORD = re.compile(r"[^\W\d_]{3,40}+")
_OUTFLOWS = vocabulary(
    "cost costs expense expenses expenditure expenditures loss losses tax taxes outflow outflows payment payments "
    "dividend dividends depreciation amortisation amortization repayment repayments impairment decrease decline"
)
"""What stands negative in a table and is plotted as an amount."""
_ROUND = ("pie", "doughnut")


@dataclass(frozen=True, slots=True)
class Traced:
    """A plotted number with where it comes from."""

    point: Point
    source: Operand | None
    reason: str = ""
    """Why it has no source, as a sentence."""


def trace_points(config: object, known: Iterable[Operand]) -> list[Traced]:
    """Every plotted number with the figure or result that it shows, in the scale and unit the chart states.

    A number without source is one that the evidence does not hold, or holds for another time, scale or unit.
    """
    usable = [operand for operand in known if _is_value(operand.quantity)]
    by_value = _Index((_value(operand), operand) for operand in usable)
    as_written = _Index((_value(operand) / operand.scale, operand) for operand in usable if operand.scale != 1)
    is_round = isinstance(config, dict) and config.get("type") in _ROUND
    return [_trace(point, by_value, as_written, is_round) for point in plotted_points(config)]


def _trace(point: Point, by_value: "_Index", as_written: "_Index", is_round: bool) -> Traced:
    words = _words(f"{point.series} {point.label}")
    # A slice has no sign, and costs are plotted as amounts.
    signs = (1, -1) if point.number > 0 and (is_round or not words.isdisjoint(_OUTFLOWS)) else (1,)
    values = {point.quantity(factor=factor * sign) for factor in _factors(point) for sign in signs}
    near = [operand for value in sorted(values, key=_by_value) for operand in by_value.near(value)]
    same = [operand for operand in near if any(_shows(point, operand, sign, words) for sign in signs)]
    sources = [operand for operand in same if _at_its_time(point, operand) is not Agreement.DISAGREE]
    if sources:
        return Traced(point, max(sources, key=lambda operand: _fit(point, operand, words)))
    number = format(point.number, "f")
    name = f"The point {number[:40]} of {point.series[:40]!r} at {point.label[:40]!r}"
    if same:
        periods = sorted({operand.period.text or str(operand.period.year) for operand in same if operand.period})
        return Traced(point, None, f"{name} is known for another time: {', '.join(periods[:3])}.")
    unscaled = next(as_written.near(point.quantity()), None)
    if unscaled is not None:
        shown = write(unscaled.quantity, unscaled.scale)
        return Traced(point, None, f"{name} is known as {shown}, and the chart does not state that scale.")
    if near:
        return Traced(point, None, f"{name} is known as {write(near[0].quantity)}, which the chart does not say it is.")
    return Traced(point, None, f"{name} is neither a figure of the sources nor a computed result.")


def _factors(point: Point) -> set[Decimal]:
    """What a plotted number may stand for: in the chart's unit, in its scale, or as it is."""
    return {point.terms.unit.factor} if point.terms.unit is not None else {point.scale, Decimal(1)}


def _shows(point: Point, operand: Operand, sign: int, words: frozenset[str]) -> bool:
    claimed = _as_meant(point, operand, sign, words)
    if claimed is None:
        return False
    if isinstance(operand, Computed):
        return operand.confirms(claimed) is Agreement.AGREE
    return agrees(operand.quantity, claimed) is Agreement.AGREE


def _as_meant(point: Point, operand: Operand, sign: int, words: frozenset[str]) -> Quantity | None:
    """The plotted number as a quantity of the source's kind, as far as the chart leaves that open."""
    terms, like = point.terms, operand.quantity
    if terms.unit is not None:
        return point.quantity(terms.unit.base, sign * terms.unit.factor)
    if like.unit in ("", "money") and not (like.counted or like.per):
        stated = point.quantity("money" if terms.currency else like.unit, sign * point.scale)
        return replace(stated, currency=terms.currency or like.currency)
    # A scale or currency is stated for amounts; counts and percentages beside them have to be recognised by name.
    if terms != NO_TERMS and words.isdisjoint(_words(operand.label)):
        return None
    plain = point.quantity(like.unit, Decimal(sign))
    return replace(plain, currency=like.currency, counted=like.counted, per=like.per)


def _at_its_time(point: Point, operand: Operand) -> Agreement:
    """Whether the source is of the time that the chart says; incomparable where either says none."""
    if operand.period is None or not point.periods:
        return Agreement.INCOMPARABLE
    found = {same_period(period, operand.period) for period in point.periods}
    return Agreement.DISAGREE if Agreement.DISAGREE in found else found.pop()


def _fit(point: Point, operand: Operand, words: frozenset[str]) -> tuple[bool, int]:
    """How well a source of the right value also fits in time and name."""
    return _at_its_time(point, operand) is Agreement.AGREE, len(words & _words(operand.label))


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


def _is_value(quantity: Quantity) -> bool:
    return quantity.upper is None and quantity.bound is Bound.EXACT and quantity.unit != "ordinal"


def _by_value(quantity: Quantity) -> Decimal:
    return quantity.value


def _value(operand: Operand) -> Decimal:
    if isinstance(operand, Figure):
        return operand.quantity.value
    with localcontext(prec=WORKING_DIGITS):
        return Decimal(operand.exact.numerator) / Decimal(operand.exact.denominator)


def _precision(operand: Operand) -> Decimal | None:
    """Worth of the last digit that is known; none of what is only about right, and nothing of what was computed."""
    if operand.quantity.approximate:
        return None
    return Decimal(0) if isinstance(operand, Computed) else operand.quantity.step


class _Index:
    """Sources by value: grouped by how precise they are, so that the near ones are found without trying all."""

    def __init__(self, entries: Iterable[tuple[Decimal, Operand]]) -> None:
        groups: defaultdict[Decimal | None, list[tuple[Decimal, Operand]]] = defaultdict(list)
        for value, operand in entries:
            groups[_precision(operand)].append((value, operand))
        self._groups: list[tuple[Decimal | None, list[Decimal], Sequence[Operand]]] = []
        for step, members in groups.items():
            members.sort(key=lambda member: member[0])
            self._groups.append((step, [value for value, _ in members], [operand for _, operand in members]))

    def near(self, number: Quantity) -> Iterator[Operand]:
        for step, values, operands in self._groups:
            with localcontext(prec=WORKING_DIGITS):
                about = abs(number.value) * APPROXIMATE_SHARE / (1 - APPROXIMATE_SHARE)
                reach = max(number.step / 2, about if step is None else step / 2)
                first = bisect_left(values, number.value - reach)
                last = number.value + reach
            for at in range(first, min(first + MOST_CANDIDATES, len(values))):
                if values[at] > last:
                    break
                yield operands[at]
