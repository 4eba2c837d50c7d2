"""Why figures may not be those that were asked for: words that no label has, and other rows that fit as well."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from docmind.domain.documents import Span
from docmind.quality.quantities import Agreement, Computed, Figure, Operand, agrees
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.finder import Match
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.finance.series import Series
from docmind.skills.finance.terms import terms

_UNITS = frozenset(terms("percent"))
"""Says how the answer is wanted, and need not stand in a label."""
_ASKS_A_SHARE = re.compile(r"\bwhat (?:percent(?:age)?|portion|proportion|share)\b(?! change)", re.IGNORECASE)
AS_WELL = 0.99
"""How near another row has to come to the best to fit as well."""


def with_doubts(analysis: Analysis, evidence: Evidence) -> Analysis:
    """The same analysis, saying what makes its figures uncertain; quotes show by themselves what they are."""
    if analysis.refusal or analysis.quotes:
        return analysis
    if _ASKS_A_SHARE.search(analysis.question.text) and not any(map(_is_share, analysis.results)):
        return Analysis(analysis.question, refusal="The passages hold amounts, and not the share that is asked for.")
    used = {figure.span for result in analysis.results for figure in _sources(result)}
    question = analysis.question
    found = (doubt for phrase in _phrases(question) for doubt in doubts_on(phrase, question, evidence, used))
    return replace(analysis, doubts=tuple(dict.fromkeys((*analysis.doubts, *found))))


def _is_share(result: Operand) -> bool:
    return result.quantity.unit in ("percent", "point", "times")


def _sources(result: Operand) -> tuple[Figure, ...]:
    return result.sources if isinstance(result, Computed) else (result,)


def _phrases(question: FinanceQuestion) -> tuple[str, ...]:
    return question.sides or (question.text,)


def doubts_on(phrase: str, question: FinanceQuestion, evidence: Evidence, used: Collection[Span]) -> Iterator[str]:
    """Why the figures used for a phrase may not be those it means."""
    matches = evidence.find(phrase, changes=True, ignored=question.unsought)
    taken = next((match for match in matches if any(f.span in used for f in match.series.figures)), None)
    if taken is None:
        return
    unsaid = [word for word in phrase.split() if set(terms(word)) & (taken.missing - _UNITS)]
    if unsaid:
        yield f"No label says “{' '.join(unsaid).strip(' ?,.')}”; the nearest row is “{taken.series.label}”."
    rival = next((match.series for match in matches if _rivals(match, taken, question)), None)
    if rival is not None:
        yield f"Another row fits as well: “{_placed(rival)}”."


def _rivals(match: Match, taken: Match, question: FinanceQuestion) -> bool:
    """Whether another row fits as well and says something else."""
    one, other = match.series, taken.series
    if one.row is other.row or one.is_change or match.score < AS_WELL * taken.score or _told_apart(one, other):
        return False
    return any(
        a is not None and b is not None and agrees(a.quantity, b.quantity) is not Agreement.AGREE
        for a, b in _said(one, other, question)
    )


def _told_apart(one: Series, other: Series) -> bool:
    """Whether the document tags both as the same thing of different parts of the company, so that it is no guess."""
    parts = [{figure.members for figure in series.figures} for series in (one, other)]
    return bool(one.concept) and one.concept == other.concept and parts[0].isdisjoint(parts[1])


def _said(one: Series, other: Series, question: FinanceQuestion) -> list[tuple[Figure | None, Figure | None]]:
    """What both say of the periods asked about; of none in particular, of those that both tell of."""
    asked = question.periods or tuple(f.period.key for f in other.figures if f.period is not None and f.period.year)
    if asked and (question.periods or one.name == other.name):
        return [(one.at(period), other.at(period)) for period in asked]
    return [(one.figures[0], other.figures[0])]


def _placed(series: Series) -> str:
    section = series.row.section if series.row is not None else ""
    return f"{section}: {series.label}" if section else series.label
