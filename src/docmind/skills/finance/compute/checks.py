"""What speaks against an analysis: doubts told with it, and flaws found when it is calculated and read again."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from docmind.domain.documents import Passage, Span
from docmind.quality.latex import validate_formula
from docmind.quality.quantities import (
    Agreement,
    Computed,
    Figure,
    Operand,
    Refusal,
    Sums,
    TotalCheck,
    agrees,
    check_total,
    write,
)
from docmind.quality.quantities.arithmetic import alike, even_periods
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.evidence.evidence import Evidence, Match
from docmind.skills.finance.evidence.series import Series
from docmind.skills.finance.evidence.tables import Row, Table
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import terms
from docmind.skills.finance.question import FinanceQuestion

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


_OF_LIKE = (Operation.GROWTH, Operation.DIFFERENCE, Operation.SUM, Operation.AVERAGE, Operation.CAGR)
NEAR_MISS = 10
"""Parts that miss a total by less than one in so many were meant to make it; others were never its parts."""


class Flaw(StrEnum):
    """What can be wrong with an analysis, or with the document it rests on."""

    FORMULA = "formula"
    ROUNDING = "rounding"
    SOURCE = "source"
    UNIT = "unit"
    PERIOD = "period"
    TOTAL = "total"
    """A total of the source does not add up: a flaw of the document, to be told with the answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    flaw: Flaw
    message: str
    figure: Figure | None = None
    """Where it shows, if it shows at one place."""

    @property
    def is_of_document(self) -> bool:
        return self.flaw is Flaw.TOTAL


def validate(analysis: Analysis, evidence: Evidence) -> list[Finding]:
    """Everything found wrong; an analysis with findings that are not of the document must not be told as certain."""
    findings: list[Finding] = []
    passages = {passage.id: passage for passage in evidence.passages}
    for result in analysis.results:
        if isinstance(result, Computed):
            findings += _recomputed(result)
            findings += _fitting(result, analysis.question.operation)
        for figure in _sources(result):
            findings += _read_again(figure, passages)
    used = {figure.span for result in analysis.results for figure in _sources(result)}
    for table in evidence.tables:
        if any(figure.span in used for row in table.rows for figure in row.figures):
            findings += _totals(table)
    return findings


def _recomputed(result: Computed) -> Iterator[Finding]:
    """The formula is worked out from its text alone, by code that knows nothing of how it came about."""
    for problem in validate_formula(result.latex):
        yield Finding(Flaw.FORMULA, f"The formula of {result.label} is wrong: {problem.reason}")
    if result.confirms(result.quantity) is not Agreement.AGREE:
        yield Finding(Flaw.ROUNDING, f"{result.label} is shown as {result.quantity.text}, which it is not.")


def _fitting(result: Computed, operation: Operation) -> Iterator[Finding]:
    if operation not in _OF_LIKE or len(result.operands) < 2:
        return
    for flaw, refused in ((Flaw.UNIT, alike(result.operands)), (Flaw.PERIOD, even_periods(result.operands))):
        if refused is not None:
            yield Finding(flaw, refused.reason)


def _read_again(figure: Figure, passages: dict[str, Passage]) -> Iterator[Finding]:
    passage = passages.get(figure.source)
    if passage is None:
        yield Finding(Flaw.SOURCE, f"The passage that “{figure.quantity.text}” was read from is not there.", figure)
        return
    start = figure.span.start - passage.span.start
    if passage.text[start : start + len(figure.quantity.text)] != figure.quantity.text:
        yield Finding(Flaw.SOURCE, f"“{figure.quantity.text}” does not stand where it was read.", figure)


def _totals(table: Table) -> Iterator[Finding]:
    """Totals of a table that its rows nearly make and do not make."""
    for at, row in enumerate(table.rows):
        if not row.closes or not row.figures:
            continue
        parts = _parts(table.rows[:at])
        subtotals = [one for one in table.rows[:at] if one.closes and one.figures]
        for stated in row.figures:
            sums = [_sum(rows, stated) for rows in (parts, [*subtotals, *parts])]
            checked = sums[0]
            if checked is None or any(one is not None and one.verdict is not Sums.NOT for one in sums):
                continue
            if abs(checked.gap) * NEAR_MISS < abs(stated.quantity.value):
                given, made = write(stated.quantity, stated.scale), checked.computed.quantity.text
                yield Finding(
                    Flaw.TOTAL, f"{stated.label} is given as {given}, but its parts add up to {made}.", stated
                )


def _parts(above: tuple[Row, ...]) -> list[Row]:
    """The rows since the heading or the total before."""
    parts: list[Row] = []
    for row in reversed(above):
        if row.closes or not row.figures:
            break
        parts.insert(0, row)
    return parts


def _sum(parts: list[Row], stated: Figure) -> TotalCheck | None:
    """What the parts make in the column of the total; none where they do not all have a figure there."""
    in_column = [next((f for f in row.figures if f.column == stated.column), None) for row in parts]
    found = [figure for figure in in_column if figure is not None]
    if len(found) < 2 or len(found) < len(parts):
        return None
    checked = check_total(found, stated)
    return None if isinstance(checked, Refusal) else checked
