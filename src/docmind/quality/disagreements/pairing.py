"""Pairs what a claim says with what stands in its place in the quote, so that only true counterparts are compared."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from docmind.quality.disagreements.likeness import Likeness, Nearness, Slot, likeness
from docmind.quality.quantities import Agreement

Item = TypeVar("Item")
MOST_PLACES = 24
"""Places of one kind that are compared in a sentence, so that a page of them takes no longer than it is long."""
_MARGIN = 2
"""How much more alike the place of an opposite must be than a place where the quote says what the claim says."""


class Placed(NamedTuple, Generic[Item]):
    """Something that a sentence says, and where."""

    item: Item
    slot: Slot


class _Match(NamedTuple):
    total: int
    claimed: int
    stated: int


def opposed(
    claimed: Sequence[Placed[Item]],
    stated: Sequence[Placed[Item]],
    compare: Callable[[Item, Item], Agreement],
    in_one_place: Callable[[Placed[Item], Placed[Item], Likeness], bool],
) -> Iterator[tuple[Placed[Item], Placed[Item]]]:
    """What a claim says with what disagrees with it in its own place of the quote.

    What agrees is paired first, most alike places first, and is then out of the question: a number of the quote that
    the claim repeats does not contradict another number of the claim.
    """
    agreed, against = _matches(claimed[:MOST_PLACES], stated[:MOST_PLACES], compare, in_one_place)
    repeated: dict[int, int] = {}
    settled: set[int] = set()
    taken: set[int] = set()
    for total, mine, theirs in sorted(agreed, key=_alike_first):
        repeated[mine] = max(repeated.get(mine, 0), total)
        if total >= Nearness.NEAR and mine not in settled and theirs not in taken:
            settled.add(mine)
            taken.add(theirs)
    for total, mine, theirs in sorted(against, key=_alike_first):
        if mine not in settled and theirs not in taken and total >= repeated.get(mine, -_MARGIN) + _MARGIN:
            settled.add(mine)
            taken.add(theirs)
            yield claimed[mine], stated[theirs]


def _matches(
    claimed: Sequence[Placed[Item]],
    stated: Sequence[Placed[Item]],
    compare: Callable[[Item, Item], Agreement],
    in_one_place: Callable[[Placed[Item], Placed[Item], Likeness], bool],
) -> tuple[list[_Match], list[_Match]]:
    agreed, against = [], []
    for mine, one in enumerate(claimed):
        for theirs, other in enumerate(stated):
            verdict = compare(one.item, other.item)
            if verdict is Agreement.INCOMPARABLE:
                continue
            alike = likeness(one.slot, other.slot)
            if verdict is Agreement.AGREE:
                agreed.append(_Match(alike.total, mine, theirs))
            elif in_one_place(one, other, alike):
                against.append(_Match(alike.total, mine, theirs))
    return agreed, against


def _alike_first(match: _Match) -> int:
    return -match.total
