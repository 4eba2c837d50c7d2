"""Passages made ready for checking: their sentences, the numbers in each, what they state, and what copies them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from docmind.domain.documents import Passage, Span
from docmind.quality.quantities import Mention, read, read_table
from docmind.quality.quantities.periods import MONTHS
from docmind.quality.sentences import passage_sentences
from docmind.quality.words import sequence, words

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


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence or table row of a passage."""

    passage: Passage
    span: Span
    """In the passage's text."""

    @property
    def text(self) -> str:
        return self.span.of(self.passage.text)


class PreparedPassage:
    """What reading one passage yields; it does not depend on what else was retrieved, so it can be kept."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self.sentences = tuple(EvidenceSentence(passage, sentence.span) for sentence in passage_sentences(passage.text))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The words that stand in it and in its headings, by what they are compared by."""
        return frozenset(word.key for word in words(self.passage.indexed_text))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers among them."""
        return frozenset(key for key in self.keys if key[0].isdecimal())

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The quantities and periods it states, its table cells in the scale that is stated for them."""
        cells = read_table(self.passage.text, " ".join(self.passage.heading)) if self.passage.kind == "table" else []
        return (*read(self.passage.text), *(figure.quantity for figure in cells))

    @cached_property
    def mentions_by_key(self) -> dict[str, list[Mention]]:
        """The same by the number words they are written with."""
        found: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            for word in words(mention.text):
                if word.is_number:
                    found.setdefault(word.key, []).append(mention)
        return found

    @cached_property
    def written(self) -> tuple[str, ...]:
        """Its sentences as copies of them are recognised by."""
        return tuple(written(sentence.text) for sentence in self.sentences)


class Evidence:
    """Passages side by side. In what order they were given makes no difference to anything that is found in them."""

    def __init__(self, passages: Iterable[PreparedPassage]) -> None:
        self.passages = tuple(sorted((p for p in passages if p.sentences), key=_order))
        self.sentences = tuple(sentence for passage in self.passages for sentence in passage.sentences)

    @cached_property
    def copies(self) -> Copies:
        """Its sentences, by their places in `sentences`."""
        return Copies([sentence for passage in self.passages for sentence in passage.written])

    def missing(self, claim: str) -> int:
        """How many words of a claim stand in none of the passages."""
        return sum(not any(word.key in passage.keys for passage in self.passages) for word in words(claim))

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(number for passage in self.passages for number in passage.numbers)

    def mentions(self) -> Iterator[Mention]:
        """All quantities and periods that the passages state."""
        return (mention for passage in self.passages for mention in passage.mentions)

    def mentions_of(self, key: str) -> Iterator[Mention]:
        """Those that are written with this number word."""
        return (mention for passage in self.passages for mention in passage.mentions_by_key.get(key, ()))


def _order(prepared: PreparedPassage) -> tuple[str, int, str, str, tuple[str, ...], str]:
    passage = prepared.passage
    return passage.document_id, passage.ordinal, passage.id, passage.text, passage.heading, passage.kind
