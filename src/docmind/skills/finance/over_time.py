"""One thing over its periods: how much it grew or changed, its sum, its average."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from docmind.quality.quantities import (
    Computed,
    Figure,
    Operand,
    Period,
    Refusal,
    average,
    cagr,
    difference,
    growth,
    total,
)
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.finance.series import Series
from docmind.skills.finance.terms import terms

PLACES = 2
"""Decimals of a percentage or a ratio."""
Dated = TypeVar("Dated", bound=Operand)
_COSTS = frozenset(terms("expense cost depreciation amortization amortisation allowance"))


def compute(question: FinanceQuestion, series: Series) -> Computed | Refusal:
    """The calculation a question asks for, over the periods it names."""
    if question.operation in (Operation.AVERAGE, Operation.SUM):
        return _over_all(question, series)
    two = _two(question, series)
    if isinstance(two, Refusal):
        return two
    return moved(question.operation, *two, unsigned=question.unsigned)


def moved(operation: Operation, new: Operand, old: Operand, *, unsigned: bool = False) -> Computed | Refusal:
    """The change, the growth or the compound growth from one figure to the other."""
    new, old = sizes([new, old])
    if operation is Operation.CAGR:
        return cagr(new, old, places=PLACES)
    if operation is Operation.DIFFERENCE or new.quantity.unit == "percent":
        return apart(new, old) if unsigned else difference(new, old)
    if isinstance(new, Figure) and isinstance(old, Figure) and new.quantity.value < 0 and old.quantity.value < 0:
        # Two amounts in brackets are outflows, whose growth is that of their sizes.
        new, old = (replace(figure, quantity=figure.quantity.size) for figure in (new, old))
    return growth(new, old, places=PLACES)


def apart(a: Operand, b: Operand) -> Computed | Refusal:
    """The difference between two figures, which has no sign: the greater less the lesser."""
    return difference(b, a) if a.quantity.value < b.quantity.value else difference(a, b)


def sizes(operands: Sequence[Operand]) -> list[Operand]:
    """Costs stand in brackets where they are taken off, and are spoken of without: expenses of 21 rose to 28."""
    figures = [operand for operand in operands if isinstance(operand, Figure)]
    costs = all(figure.quantity.value <= 0 and _COSTS & set(terms(figure.label)) for figure in figures)
    if not costs or len(figures) < len(operands):
        return list(operands)
    return [replace(figure, quantity=figure.quantity.size) for figure in figures]


def _two(question: FinanceQuestion, series: Series) -> tuple[Figure, Figure] | Refusal:
    """The later and the earlier figure: those asked for, that and the one of the year before, or the newest two."""
    if question.periods:
        first, last = question.periods[0], question.periods[-1]
        found = [series.at(first), series.at(last) if last is not first else _before(series, first)]
    else:
        found = list(newest_first(series.figures)[:2])
    given = [figure for figure in found if figure is not None]
    if len(given) < 2 or given[0] is given[1]:
        return Refusal(f"The figures of {series.label} do not cover both periods.")
    new, old = newest_first(given)
    return new, old


def _before(series: Series, asked: Period) -> Figure | None:
    return series.at(replace(asked, year=(asked.year or 0) - 1))


def newest_first(figures: Sequence[Dated]) -> list[Dated]:
    """By period where all have one; else as the table has them, which is newest first as a rule."""
    if any(figure.period is None or figure.period.year is None for figure in figures):
        return list(figures)
    return sorted(figures, key=_when, reverse=True)


def _when(figure: Operand) -> tuple[int, int, int]:
    period = figure.period or Period()
    return period.year or 0, period.month or 3 * (period.quarter or 0), period.day or 0


def _over_all(question: FinanceQuestion, series: Series) -> Computed | Refusal:
    figures = _chosen(question, series)
    if len(figures) == 1 and question.operation is Operation.AVERAGE and question.periods:
        # The average of a balance over a year is that of its opening and its closing.
        figures = [*figures, _before(series, question.periods[0])]
    given = [figure for figure in figures if figure is not None]
    if len(given) < len(figures):
        return Refusal(f"The figures of {series.label} do not cover all the periods.")
    return average(sizes(given)) if question.operation is Operation.AVERAGE else total(sizes(given))


def _chosen(question: FinanceQuestion, series: Series) -> list[Figure | None]:
    """Figures of the periods named, of all from one to the other where they are the ends of a stretch, or of all."""
    if not question.periods:
        return list(series.figures)
    found = [series.at(period) for period in question.periods]
    ends = [series.figures.index(figure) for figure in found if figure is not None]
    if question.is_stretch and len(found) == len(ends) == 2:
        return list(series.figures[min(ends) : max(ends) + 1])
    return found
