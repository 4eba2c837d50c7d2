"""Words that say the opposite of one another about the same thing: rose and fell, above and below."""

from collections.abc import Iterator

from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.antonyms import compare_ends, has_opposite
from docmind.quality.disagreements.finding import differ
from docmind.quality.disagreements.likeness import Likeness, Slot, crossed
from docmind.quality.disagreements.pairing import MOST_PLACES, Placed, opposed
from docmind.quality.disagreements.reading import Reading


def direction_disagreements(claim: Reading, quote: Reading) -> Iterator[Disagreement]:
    """For each word of the claim with an opposite, the opposite that stands in its place in the quote."""
    for claimed, stated in opposed(_placed(claim), _placed(quote), compare_ends, _of_one_thing):
        mine, theirs = claim.span(*claimed.slot[:2]), quote.span(*stated.slot[:2])
        yield differ(DisagreementKind.DIRECTION, claim, mine, quote, theirs)


def _placed(reading: Reading) -> list[Placed[str]]:
    """The words with an opposite; a denied one has none, since not to rise is not to fall."""
    places = [n for n, word in enumerate(reading.words) if has_opposite(word.key) and n not in reading.denied]
    return [Placed(reading.words[place].key, Slot.of(reading, place, place + 1)) for place in places[:MOST_PLACES]]


def _of_one_thing(a: Placed[str], b: Placed[str], alike: Likeness) -> bool:
    return alike.is_one_place and not crossed(a.slot, b.slot)
