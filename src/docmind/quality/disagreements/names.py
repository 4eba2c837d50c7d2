"""Names that differ in the same place: another company, person or town than the passage speaks of."""

from collections.abc import Iterator

from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.finding import differ
from docmind.quality.disagreements.kinship import may_be_one_name
from docmind.quality.disagreements.likeness import Likeness, Nearness, Slot, likeness
from docmind.quality.disagreements.pairing import MOST_PLACES, Placed, opposed
from docmind.quality.disagreements.reading import Reading
from docmind.quality.disagreements.words import Word
from docmind.quality.quantities import Agreement
from docmind.quality.quantities.tokens import vocabulary

_CALENDAR = vocabulary(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday"
)
_JOINTS = frozenset(" \t\n-–.&'’")

Name = tuple[Word, ...]


def name_disagreements(claim: Reading, quote: Reading) -> Iterator[Disagreement]:
    """For each name of the claim, the name that stands in its place in the quote, where it is another one."""

    def in_one_place(a: Placed[Name], b: Placed[Name], _whole: Likeness) -> bool:
        mine, theirs = _differing(a, b)
        said, told = claim.words[slice(*mine)], quote.words[slice(*theirs)]
        # What the claim names too is told elsewhere in it, in another role.
        if any(word.key in claim.places for word in told):
            return False
        low, high = sorted(likeness(Slot.of(claim, *mine), Slot.of(quote, *theirs)))
        firmly = (high is Nearness.SAME and low >= Nearness.FAR) or (high is Nearness.NEXT and low >= Nearness.NEAR)
        return firmly and not may_be_one_name(said, told)

    for claimed, stated in opposed(_placed(claim), _placed(quote), _compare, in_one_place):
        mine, theirs = _differing(claimed, stated)
        yield differ(DisagreementKind.NAME, claim, claim.span(*mine), quote, quote.span(*theirs))


def _placed(reading: Reading) -> list[Placed[Name]]:
    runs = list(_runs(reading))[:MOST_PLACES]
    return [Placed(reading.words[first:end], Slot.of(reading, first, end)) for first, end in runs]


def _runs(reading: Reading) -> Iterator[tuple[int, int]]:
    """Capitalised words that stand together and that nothing denies."""
    first = None
    for index in range(len(reading.words) + 1):
        named = index < len(reading.words) and index not in reading.denied and _is_name(reading, index)
        if first is not None and not (named and _goes_on(reading, index)):
            yield first, index
            first = None
        if named and first is None:
            first = index


def _is_name(reading: Reading, index: int) -> bool:
    """A capital, unless the sentence begins there, where it says nothing but before another one."""
    word = reading.words[index]
    if not word.is_capital or not word.carries or word.lower in _CALENDAR:
        return False
    opens = index == 0 or reading.words[index - 1].stops
    return not opens or (index + 1 < len(reading.words) and reading.words[index + 1].is_capital)


def _goes_on(reading: Reading, index: int) -> bool:
    return _JOINTS.issuperset(reading.text[reading.words[index - 1].end : reading.words[index].start])


def _compare(a: Name, b: Name) -> Agreement:
    first, last = _shared_ends(a, b)
    mine, theirs = len(a) - first - last, len(b) - first - last
    # With a part in common, one may have more of the same name: "Billy Herman" and "William Jennings Herman".
    uneven = bool(first or last) and mine != theirs
    return Agreement.DISAGREE if mine and theirs and not uneven else Agreement.AGREE


def _differing(a: Placed[Name], b: Placed[Name]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The stretch of each in which two names differ: "Mary" and "John" of two Smiths."""
    first, last = _shared_ends(a.item, b.item)
    return (a.slot.first + first, a.slot.end - last), (b.slot.first + first, b.slot.end - last)


def _shared_ends(a: Name, b: Name) -> tuple[int, int]:
    """How many words two names begin and end with in common."""
    shortest = min(len(a), len(b))
    first = 0
    while first < shortest and a[first].key == b[first].key:
        first += 1
    last = 0
    while last < shortest - first and a[-1 - last].key == b[-1 - last].key:
        last += 1
    return first, last
