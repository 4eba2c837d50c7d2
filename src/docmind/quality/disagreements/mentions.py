"""The quantities and periods of a sentence in their places, and which of them stand together."""

from collections.abc import Sequence
from typing import TypeVar

from docmind.quality.disagreements.likeness import Slot
from docmind.quality.disagreements.pairing import MOST_PLACES, Placed
from docmind.quality.disagreements.reading import Reading
from docmind.quality.quantities import Period, Quantity

Told = TypeVar("Told")
_TOGETHER = 5
"""Words between a number and the period that it is told for."""


def placed_quantities(reading: Reading) -> list[Placed[Quantity]]:
    return [_placed(reading, quantity) for quantity in reading.quantities[:MOST_PLACES]]


def placed_periods(reading: Reading) -> list[Placed[Period]]:
    return [_placed(reading, period) for period in reading.periods[:MOST_PLACES]]


def beside(slot: Slot, others: Sequence[Placed[Told]]) -> Told | None:
    """What stands nearest to a place, if near enough to belong to it."""
    nearest = min(others, key=lambda other: _words_between(slot, other.slot), default=None)
    return nearest.item if nearest is not None and _words_between(slot, nearest.slot) <= _TOGETHER else None


def _words_between(a: Slot, b: Slot) -> int:
    return max(a.first, b.first) - min(a.end, b.end)


Mentioned = TypeVar("Mentioned", Quantity, Period)


def _placed(reading: Reading, mention: Mentioned) -> Placed[Mentioned]:
    return Placed(mention, Slot.of(reading, *reading.range_of(mention.span)))
