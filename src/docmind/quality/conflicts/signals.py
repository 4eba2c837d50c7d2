"""What speaks for and against two answers to one question being in conflict, as numbers."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from docmind.quality.conflicts.answer import DocumentAnswer
from docmind.quality.grounding.words import words
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


def signals(
    question: str, one: DocumentAnswer, other: DocumentAnswer, exchanged: Sequence[Exchanged]
) -> dict[str, float]:
    """By name; which of the two comes first makes no difference."""
    sides = (one, other)
    asked = _keys(question)
    names = {word.key for word in words(question) if word.is_name or word.is_number}
    said = [_keys(side.text) | _keys(side.above) for side in sides]
    rest = [_keys(side.rest) for side in sides]
    own = [1 - _share(rest[at] - asked, said[1 - at]) for at in (0, 1)]
    told = [_numbers(_keys(sides[at].value)) & rest[1 - at] for at in (0, 1)]
    return {
        **_values(one, other),
        "value_told_by_other": float(any(told)),
        "value_score_least": min(side.value_score for side in sides),
        "names_least": min(_share(names, some) for some in said),
        "rest_alike": _alike(*rest),
        "own_words_least": min(own),
        "times_apart": float(_apart(_periods(one.rest), _periods(other.rest))),
        "score_least": min(_clipped(side.score) for side in sides),
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


def _values(one: DocumentAnswer, other: DocumentAnswer) -> dict[str, float]:
    """Whether both bare answers are figures or times, and how near they are."""
    mine, theirs = read(one.value), read(other.value)
    return {
        "value_of_two_kinds": float(bool(mine) != bool(theirs)),
        "value_nearness": max((_nearness(a, b) for a in mine for b in theirs), default=0.0),
    }


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


def _keys(text: str) -> set[str]:
    return {word.key for word in words(text)}


def _numbers(keys: Iterable[str]) -> set[str]:
    return {key for key in keys if key[0].isdecimal()}


def _alike(some: Set[str], others: Set[str]) -> float:
    return len(some & others) / len(some | others) if some or others else 0.0


def _share(some: Set[str], others: Set[str]) -> float:
    """Of some words the share that others have."""
    return len(some & others) / len(some) if some else 1.0


def _clipped(logit: float) -> float:
    return min(max(logit, -_SUREST), _SUREST) / _SUREST
