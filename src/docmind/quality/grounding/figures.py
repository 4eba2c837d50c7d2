"""Whether the numbers and dates of a claim stand in its evidence, compared as quantities and not as characters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.grounding.words import Word
from docmind.quality.quantities import Agreement, Computed, Mention, Period, Quantity, agrees, read, same_period


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Which words of a claim are numbers that were found, and the calculations that were needed for it."""

    places: tuple[int, ...]
    formulas: tuple[str, ...]


def confirm(
    claim: str, missing: Sequence[tuple[int, Word]], stated: Iterable[Mention], computed: Sequence[Computed]
) -> Confirmed:
    """Of the number words that the evidence does not hold as written, those that it holds as a quantity."""
    claimed = read(claim)
    stated = list(stated)
    places: list[int] = []
    formulas: list[str] = []
    for place, word in missing:
        mention = next((mention for mention in claimed if _within(word.span, mention.span)), None)
        if mention is None:
            continue
        if any(_same(mention, other) for other in stated):
            places.append(place)
        elif isinstance(mention, Quantity):
            found = [one.formula for one in computed if one.confirms(mention) is Agreement.AGREE]
            if found:
                places.append(place)
                formulas += found[:1]
    return Confirmed(tuple(places), tuple(dict.fromkeys(formulas)))


def _same(claimed: Mention, stated: Mention) -> bool:
    if isinstance(claimed, Quantity) and isinstance(stated, Quantity):
        return agrees(claimed, stated) is Agreement.AGREE
    if isinstance(claimed, Period) and isinstance(stated, Period):
        return same_period(claimed, stated) is Agreement.AGREE
    return False


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
