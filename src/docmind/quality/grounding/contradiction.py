"""Where the evidence that speaks of the same thing as a claim says otherwise."""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

import numpy as np

from docmind.domain.documents import Span
from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.models.embedding import Vectors
from docmind.quality.disagreements import Reading, disagreements
from docmind.quality.disagreements.subjects import subject_disagreements
from docmind.quality.grounding.copies import changes, written
from docmind.quality.grounding.coverage import Coverage
from docmind.quality.grounding.evidence import Evidence, EvidenceSentence
from docmind.quality.grounding.misplaced import misplaced
from docmind.quality.grounding.missing import runs
from docmind.quality.quantities import Agreement, Quantity, agrees

_SAME_THING = 0.5
"""A sentence that holds this much of a claim speaks of the same thing, so that it can contradict it."""
_AS_GOOD = 0.1
"""Sentences that hold this much less of a claim than the best one still may be the one it was taken from."""
_COPY = 0.8
"""A claim that shares this much with a sentence, and the sentence with it, is that sentence with something changed."""
_TURNED = frozenset({DisagreementKind.NEGATION, DisagreementKind.DIRECTION})
_MEASURED = frozenset({DisagreementKind.NUMBER, DisagreementKind.UNIT})
_CANDIDATES = 3
_NOTHING = Span(0, 0)
_REMEMBERED = 8192
"""Sentences: those of the passages that an answer rests on are set beside each of its claims."""

Contradiction = tuple[EvidenceSentence, list[Disagreement]]
"""The sentence that says otherwise, and in what."""


class Contradictions:
    """Remembers what it reads of a sentence for the next claim. Thread-safe."""

    def __init__(self) -> None:
        self._reading = lru_cache(maxsize=_REMEMBERED)(Reading.of)

    def find(self, claim: str, coverage: Coverage, evidence: Evidence) -> Contradiction | None:
        """Where the evidence on the same thing says otherwise, be it of the claim or of one of its statements."""
        found = self._find(claim, coverage, evidence) or misplaced(claim, coverage.words, evidence, self._reading)
        return found and (found[0], [_placed(one, found[0]) for one in found[1]])

    def _find(self, claim: str, coverage: Coverage, evidence: Evidence) -> Contradiction | None:
        """Where the sentence that speaks of the same thing says otherwise, and no other as good bears the claim out."""
        altered = evidence.copies.altered(written(claim))
        if altered and not self._borne_out(claim, coverage, evidence, altered):
            sentence = evidence.sentences[altered[0]]
            found = disagreements(self._reading(claim), self._reading(sentence.text))
            return sentence, found or changes(claim, sentence.text)
        weight = float(coverage.weights.sum())
        if not coverage.chosen or not weight:
            return None
        held = coverage.by_sentence @ coverage.weights / weight
        best = float(held.max())
        if best < _SAME_THING:
            return None
        places = np.argsort(-held, kind="stable")[:_CANDIDATES]
        first: Contradiction | None = None
        for place in (int(p) for p in places if held[p] >= max(_SAME_THING, best - _AS_GOOD)):
            sentence = evidence.sentences[place]
            found = self._told(claim, coverage, evidence, place)
            if not found:
                return None
            first = first or (sentence, found)
        return first

    def _borne_out(self, claim: str, coverage: Coverage, evidence: Evidence, altered: Collection[int]) -> bool:
        """Whether another sentence than those which the claim alters has all its words, and says nothing else."""
        keys, known = {word.key for word in coverage.words}, set(altered)
        return any(
            keys.issubset(sentence.keys) and not disagreements(self._reading(claim), self._reading(sentence.text))
            for place, sentence in enumerate(evidence.sentences)
            if place not in known
        )

    def _told(self, claim: str, coverage: Coverage, evidence: Evidence, place: int) -> list[Disagreement]:
        """The disagreements that tell: an answer may call the same thing by another name or say it from another side.

        So what differs has to stand nowhere in the evidence, unless the claim is the sentence itself with something
        changed, or the sentence is a table row, whose columns leave no doubt of what a number is. What is denied or
        turned round is made of words that stand everywhere: there the rest of the claim has to stand in the sentence.
        """
        sentence, held = evidence.sentences[place], coverage.by_sentence[place]
        reading = self._reading(sentence.text)
        found = disagreements(self._reading(claim), reading)
        if not found:
            return [*subject_disagreements(self._reading(claim), reading)]
        if reading.cells or _is_copy(coverage, sentence, held):
            return found
        missing = runs(coverage.words, coverage.anywhere.tolist())
        return [
            one
            for one in found
            if any(_overlap(one.claimed, span) for span in missing)
            or (one.kind in _TURNED and _rest_held(coverage, held, one.claimed) >= _COPY)
            or (one.kind in _MEASURED and not self._is_stated(claim, one.claimed, evidence))
        ]

    def _is_stated(self, claim: str, span: Span, evidence: Evidence) -> bool:
        """Whether some passage states the quantity that stands there in the claim."""
        claimed = [quantity for quantity in self._reading(claim).quantities if _overlap(quantity.span, span)]
        return any(
            agrees(quantity, stated) is Agreement.AGREE
            for stated in evidence.mentions()
            for quantity in claimed
            if isinstance(stated, Quantity)
        )


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _is_copy(coverage: Coverage, sentence: EvidenceSentence, held: Vectors) -> bool:
    """Whether claim and sentence have most words in common, seen from both."""
    said = {word.key for word in coverage.words}
    shared = sum(word.key in said for word in sentence.words)
    return shared >= _COPY * len(sentence.words) and _rest_held(coverage, held) >= _COPY


def _rest_held(coverage: Coverage, held: Vectors, without: Span = _NOTHING) -> float:
    """How much a sentence holds of a claim, by weight, without the words of a span."""
    rest = [place for place, word in enumerate(coverage.words) if not _overlap(word.span, without)]
    weights = coverage.weights[rest]
    return float(held[rest] @ weights / weights.sum()) if weights.any() else 0.0


def _placed(one: Disagreement, sentence: EvidenceSentence) -> Disagreement:
    """With the words of the evidence as a place in its document."""
    start = sentence.passage.span.start + sentence.span.start
    return replace(one, stated=Span(start + one.stated.start, start + one.stated.end))
