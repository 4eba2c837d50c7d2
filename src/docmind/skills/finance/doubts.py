"""Why figures may not be those that were asked for: words that no label has, and other rows that fit as well."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from docmind.domain.documents import Span
from docmind.quality.quantities import Agreement, Computed, Figure, Operand, agrees
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.evidence import Evidence
from docmind.skills.finance.finder import Match
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.finance.series import Series
from docmind.skills.finance.terms import terms

_UNITS = frozenset(terms("percent"))
"""Says how the answer is wanted, and need not stand in a label."""
AS_WELL = 0.99
"""How near another row has to come to the best to fit as well."""


def with_doubts(analysis: Analysis, evidence: Evidence) -> Analysis:
    """The same analysis, saying what makes its figures uncertain; quotes show by themselves what they are."""
    if analysis.refusal or analysis.quotes:
        return analysis
    used = {figure.span for result in analysis.results for figure in _sources(result)}
    found = (doubt for phrase in _phrases(analysis.question) for doubt in _of(phrase, analysis, evidence, used))
    return replace(analysis, doubts=tuple(dict.fromkeys(found)))


def _sources(result: Operand) -> Sequence[Figure]:
    return result.sources if isinstance(result, Computed) else (result,)


def _phrases(question: FinanceQuestion) -> tuple[str, ...]:
    return question.sides or (question.text,)


def _of(phrase: str, analysis: Analysis, evidence: Evidence, used: set[Span]) -> Iterator[str]:
    matches = evidence.find(phrase, changes=True, ignored=analysis.question.unsought)
    taken = next((match for match in matches if any(f.span in used for f in match.series.figures)), None)
    if taken is None:
        return
    unsaid = [word for word in phrase.split() if set(terms(word)) & (taken.missing - _UNITS)]
    if unsaid:
        yield f"No label says “{' '.join(unsaid).strip(' ?,.')}”; the nearest row is “{taken.series.label}”."
    rival = next((match.series for match in matches if _rivals(match, taken, analysis.question)), None)
    if rival is not None:
        yield f"Another row fits as well: “{_placed(rival)}”."


def _rivals(match: Match, taken: Match, question: FinanceQuestion) -> bool:
    """Whether another row fits as well and says something else."""
    one, other = match.series, taken.series
    if one.row is other.row or one.is_change or match.score < AS_WELL * taken.score:
        return False
    return any(
        a is not None and b is not None and agrees(a.quantity, b.quantity) is not Agreement.AGREE
        for a, b in zip(_said(one, question), _said(other, question), strict=True)
    )


def _said(series: Series, question: FinanceQuestion) -> Sequence[Figure | None]:
    return [series.at(period) for period in question.periods] if question.periods else series.figures[:1]


def _placed(series: Series) -> str:
    section = series.row.section if series.row is not None else ""
    return f"{section}: {series.label}" if section else series.label
