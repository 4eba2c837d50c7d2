"""The numbers that a chart shows, each with what the chart says it is: its series, label, scale, unit and time."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

from docmind.quality.charts.chart_terms import chart_terms
from docmind.quality.charts.options import title_lines
from docmind.quality.charts.problem import below
from docmind.quality.charts.validation import MAX_DATASETS, MAX_LABELS
from docmind.quality.quantities import Period, Quantity, Terms, read
from docmind.quality.quantities.quantity import WORKING_DIGITS

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
