"""Words that one sentence denies and the other affirms of the same thing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.denial import is_cue
from docmind.quality.disagreements.finding import differ
from docmind.quality.disagreements.likeness import Likeness, Slot
from docmind.quality.disagreements.pairing import MOST_PLACES, Placed, opposed
from docmind.quality.disagreements.reading import Reading
from docmind.quality.disagreements.words import Word
from docmind.quality.quantities import Agreement
from docmind.quality.quantities.tokens import vocabulary

_TURNING = vocabulary(
    "none nothing nobody few little hardly rarely seldom lack lacks lacking lacked absence absent missing dispute "
    "disputes disputed doubt doubts unable prevent prevents prevented avoid avoids except unlike besides until till "
    "unless instead rather against only impossible unlikely any false untrue unsuccessful unsuccessfully failed failing"
)
"""Words that turn what is said near them in ways that are not weighed here: beside them nothing is concluded."""
_BESIDE = 6
"""Words on either side within which they may bear on a word."""


class _Said(NamedTuple):
    """A word as a sentence affirms or denies it."""

    key: str
    denied: bool
    doubtful: bool
    span: Span
    """From the cue that denies it to the word."""


def polarity_disagreements(claim: Reading, quote: Reading) -> Iterator[Disagreement]:
    """The words that stand in the same place of both, denied in one of them; each denial is told once."""
    if not claim.denied and not quote.denied:
        return
    keys = {reading.words[place].key for reading in (claim, quote) for place in reading.denied}
    told: set[tuple[int, bool]] = set()
    for claimed, stated in opposed(_said(claim, keys), _said(quote, keys), _compare, _in_one_place):
        denial = (claimed if claimed.item.denied else stated).item.span.start, claimed.item.denied
        if denial not in told:
            told.add(denial)
            yield differ(DisagreementKind.NEGATION, claim, claimed.item.span, quote, stated.item.span)


def _said(reading: Reading, keys: set[str]) -> list[Placed[_Said]]:
    places = sorted(place for key in keys for place in reading.places.get(key, ())[:MOST_PLACES])
    return [Placed(_as_said(reading, place), Slot.of(reading, place, place + 1)) for place in places[:MOST_PLACES]]


def _as_said(reading: Reading, place: int) -> _Said:
    cue = reading.denied.get(place)
    # Who is left out of one thing is not denied in all others.
    named = place > 0 and reading.words[place].is_capital
    doubtful = named or _is_doubtful(reading.words, place, cue)
    return _Said(
        reading.words[place].key, cue is not None, doubtful, reading.span(place if cue is None else cue, place + 1)
    )


def _is_doubtful(words: Sequence[Word], place: int, own: int | None) -> bool:
    """Whether something else than its own cue may turn what is said of a word."""
    beside = range(max(place - _BESIDE, 0), min(place + _BESIDE + 1, len(words)))
    return any(
        index not in (own, place) and (words[index].lower in _TURNING or is_cue(words[index])) for index in beside
    )


def _compare(a: _Said, b: _Said) -> Agreement:
    if a.key != b.key:
        return Agreement.INCOMPARABLE
    if a.denied == b.denied:
        return Agreement.AGREE
    return Agreement.INCOMPARABLE if a.doubtful or b.doubtful else Agreement.DISAGREE


def _in_one_place(_a: Placed[_Said], _b: Placed[_Said], alike: Likeness) -> bool:
    return alike.is_one_place
