"""Checks an analysis before it is told: the sums done again, the sources read again, units, periods and totals."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.documents import Passage
from docmind.quality.latex import validate_formula
from docmind.quality.quantities import (
    Agreement,
    Computed,
    Figure,
    Operand,
    Refusal,
    Sums,
    TotalCheck,
    check_total,
    write,
)
from docmind.quality.quantities.fitness import alike, even_periods
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.tables import Row, Table

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


def _sources(result: Operand) -> tuple[Figure, ...]:
    return result.sources if isinstance(result, Computed) else (result,)


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
