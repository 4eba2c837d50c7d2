"""What speaks for and against two answers to one question being in conflict, as numbers.

Which of the two comes first makes no difference to any of them.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from docmind.quality.conflicts.answer import DocumentAnswer
from docmind.quality.grounding.content_words import words
from docmind.quality.quantities import Agreement, Mention, Period, Quantity, agrees, read, same_period

_SUREST = 8.0
"""The logit beyond which nothing is more certain."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What one document says of the other's statement once that has its own bare answer in it.

    Where both speak of the same thing, it supports the statement; where they speak of different periods, places or
    groups, it still does not.
    """

    supported: float
    """As a logit."""
    doubt: float
    """How doubtful the words other than the bare answer are, on average."""


def matter(question: str, one: DocumentAnswer, other: DocumentAnswer) -> dict[str, float]:
    """Whether both passages speak of what is asked, and of the same things and names."""
    sides = (one, other)
    asked = _keys(question)
    named = {word.key for word in words(question) if word.is_name or word.is_number}
    said = [_keys(side.text) | _keys(side.above) for side in sides]
    around = [_keys(side.passage.text) | _keys(side.above) for side in sides]
    return {
        "asked_least": min(_share(asked, some) for some in said),
        "asked_around_least": min(_share(asked, some) for some in around),
        "named_least": min(_share(named, some) for some in said),
        "statements_alike": _alike(*(_keys(side.rest) for side in sides)),
        "passages_alike": _alike(*around),
        "names_alike": _alike(*map(_names, sides)),
        "titles_alike": _alike(*(_keys(side.title) for side in sides)),
        "headings_alike": _alike(*(_keys(side.above) for side in sides)),
        "score_least": min(_clipped(side.score) for side in sides),
    }


def difference(one: DocumentAnswer, other: DocumentAnswer, exchanged: Sequence[Exchanged]) -> dict[str, float]:
    """What sets the bare answers apart, and whether the statements would be the same without them."""
    mine, theirs = read(one.value), read(other.value)
    told = [_numbers(_keys(side.value)) & _keys(facing.rest) for side, facing in ((one, other), (other, one))]
    return {
        "value_of_two_kinds": float(bool(mine) != bool(theirs)),
        "value_nearness": max((_nearness(a, b) for a in mine for b in theirs), default=0.0),
        "value_told_by_other": float(any(told)),
        "value_score_least": min(one.value_score, other.value_score),
        "times_apart": float(_apart(_periods(one.rest), _periods(other.rest))),
        "exchanged_least": min(_clipped(side.supported) for side in exchanged),
        "exchanged_most": max(_clipped(side.supported) for side in exchanged),
        "exchanged_doubt": sum(side.doubt for side in exchanged) / 2,
    }


def say_the_same(one: DocumentAnswer, other: DocumentAnswer) -> bool:
    """Whether two bare answers are the same words, or quantities and times that agree as precisely as written."""
    mine, theirs = read(one.value), read(other.value)
    if _keys(one.value) and _keys(one.value) == _keys(other.value):
        return True
    return bool(mine) and bool(theirs) and _covers(mine, theirs) and _covers(theirs, mine)


def _covers(some: Iterable[Mention], others: Iterable[Mention]) -> bool:
    return all(any(_compared(a, b) is Agreement.AGREE for a in some) for b in others)


def _compared(a: Mention, b: Mention) -> Agreement:
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return agrees(a, b)
    if isinstance(a, Period) and isinstance(b, Period):
        return same_period(a, b)
    return Agreement.INCOMPARABLE


def _nearness(a: Mention, b: Mention) -> float:
    """The smaller of two comparable quantities as a share of the larger: a part is far from its whole."""
    if not (isinstance(a, Quantity) and isinstance(b, Quantity)) or agrees(a, b) is Agreement.INCOMPARABLE:
        return 0.0
    small, large = sorted((abs(a.value), abs(b.value)))
    return float(small / large) if large else 1.0


def _periods(text: str) -> list[Period]:
    return [mention for mention in read(text) if isinstance(mention, Period)]


def _apart(some: Sequence[Period], others: Sequence[Period]) -> bool:
    return bool(some) and bool(others) and all(same_period(a, b) is Agreement.DISAGREE for a in some for b in others)


@lru_cache(maxsize=1024)
def _keys(text: str) -> frozenset[str]:
    """Remembered, because one answer is held against several."""
    return frozenset(word.key for word in words(text))


def _names(side: DocumentAnswer) -> frozenset[str]:
    return _named(f"{side.passage.text} . {side.above}")


@lru_cache(maxsize=256)
def _named(text: str) -> frozenset[str]:
    return frozenset(word.key for word in words(text) if word.is_name)


def _numbers(keys: Iterable[str]) -> set[str]:
    return {key for key in keys if key[0].isdecimal()}


def _alike(some: Set[str], others: Set[str]) -> float:
    return len(some & others) / len(some | others) if some or others else 0.0


def _share(some: Set[str], others: Set[str]) -> float:
    """Of some words the share that others have."""
    return len(some & others) / len(some) if some else 1.0


def _clipped(logit: float) -> float:
    return min(max(logit, -_SUREST), _SUREST) / _SUREST
