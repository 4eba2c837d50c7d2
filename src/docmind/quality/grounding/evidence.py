"""Passages made ready for checking: their sentences, the words in each, and where every word stands."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from docmind.domain.documents import Passage, Span
from docmind.models.embedding import Vectors
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding.copies import Copies, written
from docmind.quality.grounding.initialisms import initialisms, is_short
from docmind.quality.grounding.words import Word, words
from docmind.quality.quantities import Mention, read, read_table
from docmind.quality.sentences import split

_WORDS_AT_ONCE = 256
"""Of a claim: more than any has that a person would read, and few enough that a hostile one fits into memory."""


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence or table row of a passage."""

    passage: Passage
    span: Span
    """In the passage's text."""
    words: tuple[Word, ...]
    keys: tuple[str, ...]
    """What its words, and the headings it stands under, are found by."""

    @property
    def text(self) -> str:
        return self.span.of(self.passage.text)


class PreparedPassage:
    """What reading one passage yields; it does not depend on what else was retrieved, so it can be kept."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        above = words(" ".join(passage.heading))
        self.sentences = tuple(_read(passage, above))
        self.representatives = {
            word.key: word.text.lower() for sentence in self.sentences for word in (*sentence.words, *above)
        }

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


def _read(passage: Passage, above: Sequence[Word]) -> Iterable[EvidenceSentence]:
    heading = {word.key for word in above}
    for sentence in split(passage.text):
        found = tuple(words(sentence.text))
        keys = dict.fromkeys((*(word.key for word in found), *initialisms(sentence.text, found), *heading))
        yield EvidenceSentence(passage, sentence.span, found, tuple(keys))


class Evidence:
    """Passages side by side. In what order they were given makes no difference to anything that is found in them."""

    def __init__(self, passages: Iterable[PreparedPassage], vectors: WordVectors) -> None:
        self.passages = tuple(sorted((p for p in passages if p.sentences), key=_order))
        self.sentences = tuple(sentence for passage in self.passages for sentence in passage.sentences)
        self.passage_starts = np.cumsum([0, *(len(p.sentences) for p in self.passages)][:-1], dtype=np.intp)
        """The first sentence of each passage."""
        self.places = {key: n for n, key in enumerate(dict.fromkeys(k for s in self.sentences for k in s.keys))}
        forms = {key: form for passage in self.passages for key, form in passage.representatives.items()}
        self._vectors, _ = vectors.look_up([forms.get(key, key) for key in self.places])
        held = [sentence for sentence in self.sentences if sentence.keys]
        self._held = np.array([bool(sentence.keys) for sentence in self.sentences], dtype=bool)
        self._columns = np.array([self.places[key] for s in held for key in s.keys], dtype=np.intp)
        self._starts = np.cumsum([0, *(len(s.keys) for s in held)][:-1], dtype=np.intp)

    @cached_property
    def called_for_short(self) -> dict[str, list[int]]:
        """The initials that stand for a name, and the places of the sentences that have them."""
        found: dict[str, list[int]] = {}
        for place, sentence in enumerate(self.sentences):
            for key in {word.key for word in sentence.words if is_short(word)}:
                found.setdefault(key, []).append(place)
        return found

    @cached_property
    def copies(self) -> Copies:
        """Its sentences, by their places in `sentences`."""
        return Copies([sentence for passage in self.passages for sentence in passage.written])

    def mentions(self) -> Iterator[Mention]:
        """All quantities and periods that the passages state."""
        return (mention for passage in self.passages for mention in passage.mentions)

    def mentions_of(self, key: str) -> Iterator[Mention]:
        """Those that are written with this number word."""
        return (mention for passage in self.passages for mention in passage.mentions_by_key.get(key, ()))

    def nearness(self, claimed: Sequence[Word], vectors: Vectors, exact: NDArray[np.bool_]) -> Vectors:
        """For each sentence and each claimed word, how near the sentence's nearest word is: 1 where it is the same.

        `exact` marks words for which nothing near will do: a name or a number is the same or it is another.
        """
        near = np.zeros((len(self.sentences), len(claimed)), dtype=np.float32)
        if not len(self._columns) or not claimed:
            return near
        for start in range(0, len(claimed), _WORDS_AT_ONCE):
            block = slice(start, start + _WORDS_AT_ONCE)
            similar = np.where(exact[block, None], 0.0, np.clip(vectors[block] @ self._vectors.T, 0.0, 1.0))
            for row, word in enumerate(claimed[block]):
                if (place := self.places.get(word.key)) is not None:
                    similar[row, place] = 1.0
            near[self._held, block] = np.maximum.reduceat(similar[:, self._columns], self._starts, axis=1).T
        return near


def _order(prepared: PreparedPassage) -> tuple[str, int, str, str, tuple[str, ...], str]:
    passage = prepared.passage
    return passage.document_id, passage.ordinal, passage.id, passage.text, passage.heading, passage.kind
