"""Numbers of a claim against the cells of a table row, each against the cell whose column or period it names."""

from collections.abc import Iterator
from decimal import Decimal

from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.finding import differ
from docmind.quality.disagreements.pairing import MOST_PLACES
from docmind.quality.disagreements.reading import Reading
from docmind.quality.disagreements.words import read_words
from docmind.quality.quantities import Agreement, Figure, Period, Quantity, agrees, same_period

_SCALES = (Decimal(1), Decimal(1000), Decimal(10) ** 6, Decimal(10) ** 9)
"""A cell may be in thousands or millions, which only its table's caption says."""
_OF_CHANGE = frozenset({"by", "from", "of"})
_BETWEEN = 3
"""Words that may stand between a number and its period: "117,154 in the year 2023"."""


def row_disagreements(claim: Reading, row: Reading) -> Iterator[Disagreement]:
    """The numbers of the claim that are told for a cell of the row, where the cell holds another one."""
    cells = [cell for cell in row.cells[:MOST_PLACES] if _is_named(cell.label, claim)]
    for quantity in claim.quantities[:MOST_PLACES] if cells else ():
        meant = _meant(claim, quantity, cells)
        verdicts = [_compare(quantity, cell) for cell in meant]
        if verdicts and all(verdict is Agreement.DISAGREE for verdict in verdicts):
            yield differ(DisagreementKind.NUMBER, claim, quantity.span, row, meant[0].span)


def _is_named(label: str, claim: Reading) -> bool:
    """Whether the claim speaks of what a row or column is about: at least half of its words are in it."""
    keys = {word.key for word in read_words(label) if word.carries}
    return bool(keys) and 2 * sum(key in claim.places for key in keys) >= len(keys)


def _meant(claim: Reading, quantity: Quantity, cells: list[Figure]) -> list[Figure]:
    """The cells that a number of the claim is told for, by its period or else by the column's name."""
    first, _ = claim.range_of(quantity.span)
    if first and claim.words[first - 1].lower in _OF_CHANGE:
        return []
    period = _period_of(claim, quantity)
    if period is not None:
        return [cell for cell in cells if cell.period and same_period(period, cell.period) is Agreement.AGREE]
    if len(cells) == 1 and cells[0].period is None:
        return cells
    named = [cell for cell in cells if cell.period is None and _is_named(cell.column, claim)]
    return named if len(named) == 1 and len(claim.quantities) == 1 else []


def _period_of(claim: Reading, quantity: Quantity) -> Period | None:
    """The period that stands with a number, or the only one of a claim with one number."""
    if len(claim.quantities) == len(claim.periods) == 1:
        return claim.periods[0]
    end = claim.range_of(quantity.span)[1]
    for period in claim.periods[:MOST_PLACES]:
        start = claim.range_of(period.span)[0]
        if start >= end and start - end <= _BETWEEN and not any(word.carries for word in claim.words[end:start]):
            return period
    return None


def _compare(claimed: Quantity, cell: Figure) -> Agreement:
    """Whether a number is that of a cell, in any scale where the row says none."""
    unscaled = cell.scale == 1 and cell.quantity.unit in ("", "money")
    scales = _SCALES if unscaled else _SCALES[:1]
    verdicts = [agrees(claimed.size, cell.quantity.size.times(scale)) for scale in scales]
    return Agreement.AGREE if Agreement.AGREE in verdicts else verdicts[0]
