"""Traces every number that a chart shows to the figure or computed result behind it, or says why it has none."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Any

from docmind.quality.charts.validation import MAX_DATASETS, MAX_LABELS, below, title_lines
from docmind.quality.quantities import (
    Agreement,
    Bound,
    Computed,
    Figure,
    Operand,
    Period,
    Quantity,
    Terms,
    agrees,
    read,
    read_terms,
    same_period,
    write,
)
from docmind.quality.quantities.quantity import APPROXIMATE_SHARE, WORKING_DIGITS
from docmind.quality.quantities.tokens import Tokens, vocabulary
from docmind.quality.quantities.unit_terms import NO_TERMS
from docmind.quality.quantities.units import CODES, LETTER_SCALES, MONEY_SCALES, PERCENT, POINT, SCALES, SYMBOLS, Unit

_SHORT = {**SCALES, **LETTER_SCALES, **MONEY_SCALES}


def chart_terms(texts: Iterable[str]) -> Terms:
    """What the texts state, the nearest to the numbers first.

    A text that names both a scale and a unit speaks of several series, and its unit is not for all of them.
    """
    terms = NO_TERMS
    for text in texts:
        stated = _read_part(text)
        if stated.unit is not None and stated.scale is None and terms == NO_TERMS:
            return Terms(unit=stated.unit)
        terms = Terms(terms.scale or stated.scale, terms.currency or stated.currency)
    return terms


def _read_part(text: str) -> Terms:
    """What is read above a table, and the shorter forms that charts use: EUR m, $B, in %."""
    terms, tokens = read_terms(text), Tokens(text)
    for index in range(len(tokens)):
        before, token = tokens.at(index - 1), tokens.at(index)
        if terms.scale is None and token.text in _SHORT and (before.text in CODES or before.text in SYMBOLS):
            terms = replace(terms, scale=_SHORT[token.text])
        if terms.unit is None:
            terms = replace(terms, unit=_stated_unit(tokens, index))
    return terms


def _stated_unit(tokens: Tokens, index: int) -> Unit | None:
    token = tokens.at(index)
    if token.lower == "pp" or (token.lower == "percentage" and tokens.at(index + 1).lower == "points"):
        return POINT
    # After a number it belongs to that number: "the 50% owned business".
    alone = token.text == "%" and not tokens.at(index - 1).is_digits
    return PERCENT if alone or (token.lower == "percent" and not tokens.at(index - 1).is_digits) else None


FLOAT_DIGITS = 15
"""Digits of a float that mean something; what follows them comes from its binary form."""
MAX_DIGITS = 400
"""A whole number with more is not finite in a browser."""


@dataclass(frozen=True, slots=True)
class Point:
    """One plotted number, as it stands in the configuration."""

    path: str
    series: str
    label: str
    number: Decimal
    step: Decimal
    """Worth of its last digit."""
    terms: Terms
    periods: tuple[Period, ...]
    """The times that the chart says it is of: a quarter and a year may stand apart."""

    @property
    def scale(self) -> Decimal:
        return self.terms.scale or Decimal(1)

    def quantity(self, unit: str = "", factor: Decimal = Decimal(1)) -> Quantity:
        """The number in base scale; a negative factor turns its sign."""
        with localcontext(prec=WORKING_DIGITS):
            return Quantity(self.number * factor, self.step * abs(factor), unit)


def plotted_points(config: object) -> list[Point]:
    """Every number that a chart plots, in order; whatever is not one is passed over."""
    return list(_points(config))


def _points(config: object) -> Iterator[Point]:
    options = _at(config, "options")
    title = _at(options, "plugins", "title")
    titles = [*title_lines(title), *title_lines(_at(options, "plugins", "subtitle"))]
    labels = [str(label)[:MAX_DIGITS] if _is_label(label) else "" for label in _list(_at(config, "data", "labels"))]
    datasets = _list(_at(config, "data", "datasets"))[:MAX_DATASETS]
    of_labels = [_periods(label) for label in labels[:MAX_LABELS]]
    for index, dataset in enumerate(datasets):
        name = _at(dataset, "label")
        series = name if isinstance(name, str) else ""
        terms = chart_terms([series, *title_lines(_axis(options, dataset)), *titles])
        path = below(below("data.datasets", index), "data")
        for place, value in enumerate(_list(_at(dataset, "data"))[:MAX_LABELS]):
            number = _number(value)
            if number is None:
                continue
            periods = of_labels[place] if place < len(of_labels) else ()
            for text in (series, " ".join(titles)):
                periods = periods if any(period.year for period in periods) else periods + _periods(text)
            label = labels[place] if place < len(labels) else ""
            yield Point(below(path, place), series, label, number, _step(number), terms, periods)


def _axis(options: object, dataset: object) -> object:
    """The title of the axis that the values of a dataset are read from."""
    axis = "x" if _at(options, "indexAxis") == "y" else "y"
    named = _at(dataset, f"{axis}AxisID")
    return _at(options, "scales", named if isinstance(named, str) else axis, "title")


def _at(value: object, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_label(label: object) -> bool:
    return isinstance(label, str) or (_number(label) is not None)


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return Decimal(value) if value.bit_length() < 3 * MAX_DIGITS else None
    number = Decimal(repr(value))
    return number if number.is_finite() else None


def _step(number: Decimal) -> Decimal:
    exponent = number.as_tuple().exponent
    written = min(exponent, 0) if isinstance(exponent, int) else 0
    return Decimal(1).scaleb(max(written, number.adjusted() - FLOAT_DIGITS + 1))


def _periods(text: str) -> tuple[Period, ...]:
    """The one time that a text names; of several none is meant."""
    found = [mention for mention in read(text) if isinstance(mention, Period)]
    return (found[0],) if len(found) == 1 else ()


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
