"""Whether the numbers and dates of a claim stand in its evidence, compared as quantities and not as characters."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.grounding.content_words import Word
from docmind.quality.grounding.derivable import follows
from docmind.quality.grounding.evidence import Evidence
from docmind.quality.quantities import Agreement, Computed, Mention, Period, Quantity, agrees, read, same_period

_OF_ONE_KIND = frozenset({"money", "percent"})
"""Units that are always written: the same digits with another unit are another number."""
_MOST_MISSING = 64
"""A claim that lacks more numbers than this is not looked at further: it was not taken from its evidence."""


@dataclass(frozen=True, slots=True)
class NumberWord:
    """A number of a claim: its place among the words, and whether its digits stand in the evidence."""

    place: int
    word: Word
    held: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """The places of numbers that are found against what their digits say, and of those that cannot be right."""

    confirmed: tuple[int, ...]
    refuted: tuple[int, ...]
    formulas: tuple[str, ...]
    """The calculations that were needed for it."""


def compare(claim: str, numbers: Sequence[NumberWord], evidence: Evidence, computed: Sequence[Computed]) -> Compared:
    """The numbers of a claim against the quantities of the evidence, and against those computed from it."""
    claimed = sorted(read(claim), key=_start)
    stated: list[Mention] | None = None
    confirmed: list[int] = []
    refuted: list[int] = []
    formulas: list[str] = []
    missing = 0
    for number in numbers:
        mention = around(number.word.span, claimed)
        if number.held and not (mention and _is_of_another_kind(mention, number.word, evidence)):
            continue
        missing += 1
        if mention is None or missing > _MOST_MISSING:
            found = None
        else:
            stated = list(evidence.mentions()) if stated is None else stated
            found = _find(mention, stated, computed)
        if found is not None:
            confirmed.append(number.place)
            formulas += found
        elif computed or not _may_follow(mention, stated or ()):
            # Where something was computed, a figure is one of the results or stands somewhere.
            refuted.append(number.place)
    return Compared(tuple(confirmed), tuple(refuted), tuple(dict.fromkeys(formulas)))


def _may_follow(claimed: Mention | None, stated: Sequence[Mention]) -> bool:
    """Whether a figure that stands nowhere can be worked out from those that do; a date never is."""
    if not isinstance(claimed, Quantity):
        return False
    return follows(claimed.value, (one.value for one in stated if isinstance(one, Quantity)))


def _is_of_another_kind(claimed: Mention, word: Word, evidence: Evidence) -> bool:
    """Whether the evidence has these digits only for something else: 9 directors for a growth of 9%."""
    if isinstance(claimed, Period) or claimed.unit not in _OF_ONE_KIND:
        return False
    stated = list(evidence.mentions_of(word.key))
    return bool(stated) and all(isinstance(one, Period) or _measures_else(claimed, one) for one in stated)


def _measures_else(claimed: Quantity, stated: Quantity) -> bool:
    return bool(stated.unit or stated.counted) and stated.unit != claimed.unit


def _find(claimed: Mention, stated: Sequence[Mention], computed: Sequence[Computed]) -> list[str] | None:
    """The formula that a number follows from, nothing where it is stated, or none where it is neither."""
    if any(_same(claimed, other) for other in stated):
        return []
    if isinstance(claimed, Quantity):
        found = (one.formula for one in computed if one.confirms(claimed) is Agreement.AGREE)
        formula = next(found, None)
        return None if formula is None else [formula]
    return None


def _same(claimed: Mention, stated: Mention) -> bool:
    if isinstance(claimed, Quantity) and isinstance(stated, Quantity):
        return agrees(claimed, stated) is Agreement.AGREE
    if isinstance(claimed, Period) and isinstance(stated, Period):
        return same_period(claimed, stated) is Agreement.AGREE
    return False


def around(word: Span, mentions: Sequence[Mention]) -> Mention | None:
    """The mention that a number word stands in; mentions come in their order."""
    before = bisect_right(mentions, word.start, key=_start)
    mention = mentions[before - 1] if before else None
    return mention if mention and word.end <= mention.span.end else None


def _start(mention: Mention) -> int:
    return mention.span.start
