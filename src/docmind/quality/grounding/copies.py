"""Claims that copy a passage: word for word, which settles them, or with digits or months changed, which does too."""

from collections.abc import Sequence
from itertools import pairwise

from docmind.domain.documents import Span
from docmind.quality.grounding.content_words import sequence
from docmind.quality.quantities.dates import MONTHS

_DIGITS = str.maketrans("123456789", "000000000")
_MONTH = "january"
_FEWEST_WORDS = 3
"""What is shorter, a cell or a line of a broken table, says nothing beside a sentence from elsewhere."""


class Copies:
    """Sentences, as `written`, ready to be recognised; they are told by their places.

    Only whole ones are, because part of a sentence may say the opposite of it.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._places: dict[str, int] = {}
        self._masked: dict[str, list[int]] = {}
        for place, sentence in enumerate(sentences):
            if sentence:
                self._places.setdefault(sentence, place)
                self._masked.setdefault(_mask(sentence), []).append(place)
        self._lengths = sorted({len(sentence) for sentence in self._places}, reverse=True)

    def of(self, claim: str) -> list[int]:
        """The sentences that the claim consists of, or none: one, or some that were run together."""
        found: list[int] = []
        position = 0
        while position < len(claim):
            place = self._longest(claim, position)
            if place is None:
                return []
            found.append(place)
            position += len(self._sentences[place]) + 1
        in_a_row = all(second == first + 1 for first, second in pairwise(found))
        return found if in_a_row or all(self._sentences[p].count(" ") + 1 >= _FEWEST_WORDS for p in found) else []

    def altered(self, claim: str) -> Sequence[int]:
        """The sentences that say the same as a claim that is no copy, but for digits and months."""
        return self._masked.get(_mask(claim), ())

    def _longest(self, claim: str, position: int) -> int | None:
        """The longest sentence that the claim goes on with at `position`."""
        for length in self._lengths:
            end = position + length
            if claim[end : end + 1] in ("", " ") and (place := self._places.get(claim[position:end])) is not None:
                return place
        return None


def _mask(sentence: str) -> str:
    """A sentence with nothing left of its digits and months but that they are there."""
    return " ".join(_MONTH if word.lower() in MONTHS else word for word in sentence.translate(_DIGITS).split(" "))


def written(text: str) -> str:
    """The words of a text and the signs of its numbers, in one line, without what only sets them in type."""
    return " ".join(token for token, _ in sequence(text))


def changes(claim: str, sentence: str) -> list[Span]:
    """The words of a claim in which it differs from the sentence that it alters."""
    pairs = zip(sequence(claim), sequence(sentence), strict=True)
    return [mine[1] for mine, theirs in pairs if mine[0] != theirs[0]]
