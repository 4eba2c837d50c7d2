"""Figures held against each other or against a limit: which is the greatest, which pass, how many."""

import re
from collections.abc import Sequence

from docmind.domain.documents import Span
from docmind.quality.quantities import Figure, Ranking, Refusal, rank
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.joined_series import over_tables
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.series import Series
from docmind.skills.finance.terms import terms

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
