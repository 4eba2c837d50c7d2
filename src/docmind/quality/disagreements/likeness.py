"""How far two places, one in each sentence, speak of the same thing: told by the words around them."""

from enum import IntEnum
from typing import NamedTuple

from docmind.quality.disagreements.reading import Reading


class Nearness(IntEnum):
    """How near the nearest shared word stands on one side of two places."""

    NONE = 0
    OPEN = 1
    """One of them has no word there, and so cannot tell."""
    FAR = 2
    """A shared word, or the sentence begins or ends there in both."""
    NEAR = 3
    NEXT = 4
    SAME = 5
    """The next two words, or all that there are."""


class Slot(NamedTuple):
    """A stretch of words of a sentence, from `first` to before `end`, and the meaningful words around it."""

    first: int
    end: int
    before: tuple[str, ...]
    after: tuple[str, ...]

    @classmethod
    def of(cls, reading: Reading, first: int, end: int) -> "Slot":
        return cls(first, end, reading.before(first), reading.after(end))


class Likeness(NamedTuple):
    """How alike two places are on either side."""

    before: Nearness
    after: Nearness

    @property
    def total(self) -> int:
        return self.before + self.after

    @property
    def is_one_place(self) -> bool:
        """Whether whatever stands at both places takes the same part in the same statement."""
        low, high = sorted(self)
        return (high is Nearness.SAME and low >= Nearness.OPEN) or (high >= Nearness.NEXT and low >= Nearness.FAR)


def likeness(a: Slot, b: Slot) -> Likeness:
    return Likeness(_nearness(a.before, b.before), _nearness(a.after, b.after))


def crossed(a: Slot, b: Slot) -> bool:
    """Whether the words around them come in another order: "A before B" and "B after A"."""
    return (
        _leads(a.before, b.after)
        or _leads(a.after, b.before)
        or _swapped(a.before, b.before)
        or _swapped(a.after, b.after)
    )


def _leads(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    return bool(a and b) and a[0] == b[0]


def _swapped(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    return bool(a and b) and a[0] != b[0] and a[0] in b and b[0] in a


def _nearness(a: tuple[str, ...], b: tuple[str, ...]) -> Nearness:
    if not a or not b:
        return Nearness.OPEN if a or b else Nearness.FAR
    if a[0] == b[0]:
        return Nearness.SAME if a[:2] == b[:2] else Nearness.NEXT
    if a[0] in b or b[0] in a:
        return Nearness.NEAR
    return Nearness.NONE if set(a).isdisjoint(b) else Nearness.FAR
