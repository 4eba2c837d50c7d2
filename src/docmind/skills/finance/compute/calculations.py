"""Calculations on what passages hold: over the periods of one thing, with two operands, in order or by a limit."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from docmind.domain.documents import Span
from docmind.quality.quantities import (
    Computed,
    Figure,
    Operand,
    Period,
    Ranking,
    Refusal,
    average,
    cagr,
    difference,
    growth,
    rank,
    ratio,
    share,
    total,
)
from docmind.skills.finance.analysis import NOT_FOUND, Analysis, Quote
from docmind.skills.finance.evidence.choice import WantedFigure, best_row
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.series import Series, over_tables
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import sought, terms
from docmind.skills.finance.question import FinanceQuestion, read_question

PLACES = 2
"""Decimals of a percentage or a ratio."""
Dated = TypeVar("Dated", bound=Operand)
_COSTS = frozenset(terms("expense cost depreciation amortization amortisation allowance"))


def compute_over_time(question: FinanceQuestion, series: Series) -> Computed | Refusal:
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


def compute_of_two(question: FinanceQuestion, evidence: Evidence, phrases: tuple[str, str]) -> Computed | Refusal:
    """The calculation between the figures that two phrases name."""
    found = [_figure(phrase, question, evidence) for phrase in phrases]
    left, right = found
    if left is None or right is None:
        missing = phrases[found.index(None)].strip()
        return Refusal(f"No table of the passages has a figure for “{missing}” at that time.")
    if (left.span, left.source) == (right.span, right.source):
        return Refusal(f"Both sides of the calculation are {left.label}.")
    match question.operation:
        case Operation.SHARE:
            return share(sizes([left])[0], right, places=PLACES)
        case Operation.RATIO | Operation.AVERAGE:
            return ratio(left, right, places=PLACES)
        case Operation.SUM:
            # What a measure adds back stands in brackets where it was taken off.
            return total([left, right] if question.sides else [left, *sizes([right])])
    return apart(left, right) if question.unsigned else difference(left, right)


def name_one_thing(phrases: tuple[str, str], question: FinanceQuestion, evidence: Evidence) -> bool:
    """Whether what looks like two things is the label of one: computer equipment and software."""
    series = evidence.best(question.text)
    return series is not None and all(series.name.intersection(terms(phrase)) for phrase in phrases)


def _figure(phrase: str, question: FinanceQuestion, evidence: Evidence) -> Figure | None:
    series = best_row(WantedFigure(phrase, "", question.periods, phrase), evidence)
    if series is None:
        return evidence.prose.figure(replace(read_question(phrase), periods=question.periods))
    return series.told_at(question.periods[0]) if question.periods else series.figures[0]


def developed(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The change from the first period to the last as an amount and in per cent, then every figure, oldest first."""
    # One period alone is what others are held against: the latest quarter beside those before it.
    asked = question.periods if len(question.periods) > 1 else ()
    series = evidence.best(question.text, at=asked, ignored=question.unsought)
    if series is None:
        return Analysis(question, refusal=NOT_FOUND)
    figures = comparable(series.figures)
    if asked:
        wanted = [series.at(period) for period in question.stretch]
        figures = [figure for figure in wanted if figure is not None]
    if len(figures) < 2:
        return Analysis(question, refusal=f"The figures of {series.label} are of one period only.")
    return Analysis(question, movement(figures))


def movement(figures: Sequence[Operand]) -> tuple[Operand, ...]:
    """The change of two figures or more as an amount and in per cent, then all of them, oldest first."""
    old, *_, new = sizes(list(reversed(newest_first(figures))))
    moved = (difference(new, old, label=f"change in {new.label}"), growth(new, old, places=PLACES))
    told = tuple(one for one in moved if isinstance(one, Computed))
    return (*told, *reversed(newest_first(figures)))


def comparable(figures: Sequence[Figure]) -> list[Figure]:
    """One figure a period, of periods of one length: that of most of them, of several the shortest."""
    dated = {figure.period.key: figure for figure in figures if figure.period is not None and figure.period.year}
    lengths = Counter(period.length for period in dated)
    usual = max(lengths, key=lambda length: (lengths[length], -(length or 12)), default=None)
    return [figure for period, figure in dated.items() if period.length == usual]


NO_FIGURE = "No table of the passages has the figure that is asked for."
_KIND = re.compile(
    r"^(?:in |for |of )?(?:which|what) (?:\w{1,20} ){0,3}?(\w{3,20}) (?:of|had|has|have|was|is|were|are|made)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"\b(?:change|growth|increase|decrease)\b")


def ranked(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The period, or the thing, with the most or the least."""
    candidates = _candidates(question, evidence)
    if isinstance(candidates, Refusal):
        return Analysis(question, refusal=candidates.reason)
    order = rank([figure for figure, _ in candidates])
    if not isinstance(order, Ranking):
        return Analysis(question, refusal=order.reason)
    best = order.order[-1 if question.least else 0]
    name = next(quote for figure, quote in candidates if figure is best)
    return Analysis(question, results=order.order, quotes=(name,))


def passing(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The periods, or the things, whose figures pass the limit."""
    candidates = _candidates(question, evidence)
    if isinstance(candidates, Refusal):
        return Analysis(question, refusal=candidates.reason)
    limit = question.limit
    if limit is None:
        return Analysis(question, refusal="The question names no limit to hold the figures against.")
    kept = [quote for figure, quote in candidates if limit.passed_by(figure.quantity, figure.scale)]
    return Analysis(question, tuple(figure for figure, _ in candidates), tuple(kept), count=len(kept))


def periods_of(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The periods that the figures asked for are of; where none is named, those of the fullest row."""
    fullest = max(evidence.series, key=lambda series: len(series.figures), default=None)
    series = evidence.best(question.text) or fullest
    if series is None:
        return Analysis(question, refusal=NO_FIGURE)
    quotes = [period_quote(figure, series.figures) for figure in series.figures]
    return Analysis(question, series.figures, tuple(quotes))


def _candidates(question: FinanceQuestion, evidence: Evidence) -> list[tuple[Figure, Quote]] | Refusal:
    found = evidence.find(question.text, changes=_CHANGE.search(question.text.lower()) is not None)
    of_kind = None if question.of_periods else _by_kind(question, evidence)
    series = of_kind or (found[0].series if found else _by_column(question, evidence))
    if series is None:
        return Refusal(NO_FIGURE)
    if question.of_periods:
        # What other reports tell of it belongs to it: the best of the years of one report need not be the best of all.
        figures = over_tables(series, evidence.series).figures
        return [(figure, period_quote(figure, figures)) for figure in figures]
    rows = _fellows(series, evidence.series, question)
    return rows or Refusal("The passages have no figures of several things to compare.")


def _by_kind(question: FinanceQuestion, evidence: Evidence) -> Series | None:
    """A series of the table that is of the kind of things asked about: which region had the most revenue."""
    kind = _KIND.search(question.text)
    wanted = frozenset(terms(kind[1])) if kind else frozenset()
    measure = frozenset(sought(question.text, frozenset())) - wanted
    fitting = [one for one in evidence.series if wanted and wanted <= one.context and measure & one.context]
    dated = [one for one in fitting if not one.is_change and all(one.at(period) for period in question.periods)]
    return max(dated, key=lambda one: len(one.context & measure), default=None)


def _by_column(question: FinanceQuestion, evidence: Evidence) -> Series | None:
    """A series of the column that the question names, where it names no row: which segment has the higher growth."""
    asked = frozenset(terms(question.text))
    named = [one for one in evidence.series if one.column and one.column <= asked]
    return max(named, key=lambda one: len(one.column), default=None)


def _fellows(series: Series, every: Sequence[Series], question: FinanceQuestion) -> list[tuple[Figure, Quote]]:
    """The rows beside a row in its column, totals aside."""
    section = series.row.section if series.row is not None else ""
    beside = [one for one in every if one.table == series.table and one.column == series.column]
    picked = []
    for one in beside:
        figure = one.at(question.periods[0]) if question.periods else one.figures[0]
        if figure is not None and one.row is not None and not one.row.closes and one.row.section == section:
            picked.append((figure, Quote(one.label, one.row.label_span, one.row.source)))
    return picked


def period_quote(figure: Figure, others: Sequence[Figure]) -> Quote:
    """A figure's period as the name of its column: its year where that tells it from the others."""
    end = figure.span.start - len(": ")
    start = end - len(figure.column)
    years = [other.period.year for other in others if other.period is not None]
    year = str(figure.period.year) if figure.period is not None and len(set(years)) == len(others) else ""
    at = figure.column.rfind(year) if year else -1
    if at >= 0:
        return Quote(year, Span(start + at, start + at + len(year)), figure.source)
    return Quote(year or figure.column, Span(max(start, 0), max(end, 0)), figure.source)
