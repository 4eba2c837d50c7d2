"""Passages made ready for checking: their sentences, the numbers in each, and what they state."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from docmind.domain.documents import Passage, Span
from docmind.quality.grounding.content_words import words
from docmind.quality.grounding.copies import Copies, written
from docmind.quality.quantities import Mention, read, read_table
from docmind.quality.sentences import passage_sentences


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
