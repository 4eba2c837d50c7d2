"""Passages made ready for checking: their sentences, the words in each, and where every word stands."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from docmind.domain.documents import Passage, Span
from docmind.models.embedding import Vectors
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding.initialisms import initialisms
from docmind.quality.grounding.words import Word, sequence, words
from docmind.quality.quantities import Mention, read, read_table
from docmind.quality.sentences import split


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

    def verbatim(self, claim: str) -> tuple[EvidenceSentence, ...] | None:
        """The whole sentences in a row whose words are those of the claim, one for one; none where there are none.

        Whole ones, because part of a sentence may say the opposite of it.
        """
        words_of_claim = f" {claim} "
        written, starts, ends = self._written
        position = written.find(words_of_claim)
        while position >= 0:
            first, last = starts.get(position), ends.get(position + len(words_of_claim) - 1)
            if first is not None and last is not None:
                return self.sentences[first : last + 1]
            position = written.find(words_of_claim, position + 1)
        return None

    @cached_property
    def _written(self) -> tuple[str, dict[int, int], dict[int, int]]:
        """Its words in one line, and which sentence starts and ends where in it."""
        parts: list[str] = []
        starts: dict[int, int] = {}
        ends: dict[int, int] = {}
        length = 0
        for number, sentence in enumerate(self.sentences):
            if written := " ".join(sequence(sentence.text)):
                starts[length] = number
                length += 1 + len(written)
                ends[length] = number
                parts.append(written)
        return f" {' '.join(parts)} ", starts, ends


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

    def verbatim(self, claim: str) -> tuple[EvidenceSentence, ...] | None:
        """The sentences of which the claim is a copy, if it is one."""
        written = " ".join(sequence(claim))
        found = (passage.verbatim(written) for passage in self.passages if written)
        return next((sentences for sentences in found if sentences is not None), None)

    def mentions(self) -> Iterator[Mention]:
        """All quantities and periods that the passages state."""
        return (mention for passage in self.passages for mention in passage.mentions)

    def nearness(self, claimed: Sequence[Word], vectors: Vectors, exact: NDArray[np.bool_]) -> Vectors:
        """For each sentence and each claimed word, how near the sentence's nearest word is: 1 where it is the same.

        `exact` marks words for which nothing near will do: a name or a number is the same or it is another.
        """
        near = np.zeros((len(self.sentences), len(claimed)), dtype=np.float32)
        if not len(self._columns) or not claimed:
            return near
        similar = np.where(exact[:, None], 0.0, np.clip(vectors @ self._vectors.T, 0.0, 1.0))
        for row, word in enumerate(claimed):
            if (place := self.places.get(word.key)) is not None:
                similar[row, place] = 1.0
        near[self._held] = np.maximum.reduceat(similar[:, self._columns], self._starts, axis=1).T
        return near


def _order(prepared: PreparedPassage) -> tuple[str, int, str, str]:
    passage = prepared.passage
    return passage.document_id, passage.ordinal, passage.id, passage.text
