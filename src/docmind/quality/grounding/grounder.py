"""Checks claims against passages: cheap where words decide, careful where numbers, names and denials do."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus, Disagreement, Grounding, Quote
from docmind.models.word_vectors import WordVectors
from docmind.quality.disagreements import Reading, disagreements
from docmind.quality.grounding.coverage import Coverage, lay
from docmind.quality.grounding.evidence import Evidence, EvidenceSentence, PreparedPassage
from docmind.quality.grounding.figures import Confirmed, confirm
from docmind.quality.grounding.signals import read_signals
from docmind.quality.grounding.stitching import is_stitched
from docmind.quality.grounding.support import SupportModel
from docmind.quality.grounding.words import Word, words
from docmind.quality.quantities import Computed

SUPPORTED_FROM = 0.5
"""A claim is taken as supported from this probability on."""
VERBATIM = 0.99
"""What a claim that stands in the evidence word for word is given."""
_CONTRADICTED = 0.2
"""What a claim is given at most where its evidence says otherwise."""
_SAME_THING = 0.5
"""A sentence that holds this much of a claim speaks of the same thing, so that it can contradict it."""
_AS_GOOD = 0.1
"""Sentences that hold this much less of a claim than the best one still may be the one it was taken from."""
_COPY = 0.8
"""A claim that shares this much with a sentence, and the sentence with it, is that sentence with something changed."""
_CANDIDATES = 3
_MISSING = 0.5
_MUCH = 0.3
"""Of a word, and of a clause: what is missing less than this is said in other words."""
_REMEMBERED = 1024
_SETS_REMEMBERED = 32
"""Passages, and sets of them that were retrieved together: the claims of an answer ask of the same few."""


class Grounder:
    """Made once and used for everything: what it reads of a passage it remembers for the next claim. Thread-safe."""

    def __init__(self, vectors: WordVectors | None = None, model: SupportModel | None = None) -> None:
        self._vectors = vectors or WordVectors()
        self._model = model or SupportModel.shipped()
        self._prepare = lru_cache(maxsize=_REMEMBERED)(PreparedPassage)
        self._reading = lru_cache(maxsize=8 * _REMEMBERED)(Reading.of)
        self._evidence = lru_cache(maxsize=_SETS_REMEMBERED)(self._read)

    def evidence(self, passages: Iterable[Passage]) -> Evidence:
        """Passages made ready to be asked about, in any number of claims."""
        return self._evidence(tuple(passages))

    def _read(self, passages: tuple[Passage, ...]) -> Evidence:
        return Evidence(map(self._prepare, passages), self._vectors)

    def ground(
        self, claim: str, evidence: Evidence, *, asked: str = "", computed: Sequence[Computed] = ()
    ) -> Grounding:
        """What the evidence says of a claim. What was asked may be said again without evidence for it."""
        if (verbatim := evidence.verbatim(claim)) is not None:
            return Grounding(ClaimStatus.SUPPORTED, VERBATIM, tuple(map(_quote, verbatim)))
        coverage = lay(claim, evidence, self._vectors, {word.key for word in words(asked)})
        coverage, confirmed = _with_figures(claim, coverage, evidence, computed)
        probability = self._model.probability(read_signals(coverage))
        quoted = [evidence.sentences[place] for place in coverage.chosen]
        unsupported = _missing_spans(coverage)
        differing = self._disagreements(claim, coverage, evidence)
        if differing is not None:
            sentence, differences = differing
            quoted = [sentence, *(other for other in quoted if other is not sentence)]
            return Grounding(
                ClaimStatus.CONTRADICTED,
                min(probability, _CONTRADICTED),
                tuple(map(_quote, quoted)),
                unsupported,
                tuple(differences),
            )
        # A number that stands nowhere is not made up for by any other word.
        if probability < SUPPORTED_FROM or _lacks_a_number(coverage):
            status = ClaimStatus.UNSUPPORTED
        else:
            status = ClaimStatus.STITCHED if is_stitched(coverage, evidence) else ClaimStatus.SUPPORTED
        return Grounding(status, probability, tuple(map(_quote, quoted)), unsupported, computed=confirmed.formulas)

    def _disagreements(
        self, claim: str, coverage: Coverage, evidence: Evidence
    ) -> tuple[EvidenceSentence, list[Disagreement]] | None:
        """Where the sentence that speaks of the same thing says otherwise, and no other as good bears the claim out."""
        weight = float(coverage.weights.sum())
        if not coverage.chosen or not weight:
            return None
        held = coverage.by_sentence @ coverage.weights / weight
        best = float(held.max())
        if best < _SAME_THING:
            return None
        places = np.argsort(-held, kind="stable")[:_CANDIDATES]
        first: tuple[EvidenceSentence, list[Disagreement]] | None = None
        for place in (int(p) for p in places if held[p] >= max(_SAME_THING, best - _AS_GOOD)):
            sentence = evidence.sentences[place]
            found = self._told(claim, coverage, sentence, float(held[place]))
            if not found:
                return None
            first = first or (sentence, [_placed(one, sentence) for one in found])
        return first

    def _told(self, claim: str, coverage: Coverage, sentence: EvidenceSentence, held: float) -> list[Disagreement]:
        """The disagreements that tell: an answer may call the same thing by another name or say it from another side.

        So what differs has to stand nowhere in the evidence, unless the claim is the sentence itself with something
        changed, or the sentence is a table row, whose columns leave no doubt of what a number is.
        """
        reading = self._reading(sentence.text)
        found = disagreements(self._reading(claim), reading)
        if not found or reading.cells or _is_copy(coverage, sentence, held):
            return found
        missing = _runs(coverage.words, coverage.anywhere.tolist())
        return [one for one in found if any(one.claimed.start < m.end and m.start < one.claimed.end for m in missing)]


def _is_copy(coverage: Coverage, sentence: EvidenceSentence, held: float) -> bool:
    """Whether claim and sentence have most words in common, seen from both."""
    said = {word.key for word in coverage.words}
    shared = sum(word.key in said for word in sentence.words)
    return held >= _COPY and shared >= _COPY * len(sentence.words)


def _lacks_a_number(coverage: Coverage) -> bool:
    held = zip(coverage.words, coverage.anywhere.tolist(), strict=True)
    return any(word.is_number and share < _MISSING for word, share in held)


def _with_figures(
    claim: str, coverage: Coverage, evidence: Evidence, computed: Sequence[Computed]
) -> tuple[Coverage, Confirmed]:
    """The coverage with numbers counted that stand in the evidence in another form, or were computed from it."""
    missing = [
        (place, word)
        for place, word in enumerate(coverage.words)
        if word.is_number and coverage.anywhere[place] < _MISSING
    ]
    if not missing:
        return coverage, Confirmed((), ())
    confirmed = confirm(claim, missing, evidence.mentions(), computed)
    anywhere, by_sentence = coverage.anywhere.copy(), coverage.by_sentence.copy()
    anywhere[list(confirmed.places)] = 1.0
    by_sentence[:, list(confirmed.places)] = 1.0
    return replace(coverage, anywhere=anywhere, by_sentence=by_sentence), confirmed


def _quote(sentence: EvidenceSentence) -> Quote:
    start = sentence.passage.span.start
    return Quote(sentence.passage, Span(start + sentence.span.start, start + sentence.span.end), sentence.text)


def _placed(one: Disagreement, sentence: EvidenceSentence) -> Disagreement:
    """With the words of the evidence as a place in its document."""
    start = sentence.passage.span.start + sentence.span.start
    return replace(one, stated=Span(start + one.stated.start, start + one.stated.end))


def _missing_spans(coverage: Coverage) -> tuple[Span, ...]:
    """Clauses of which much is missing, and in the others the stretches of words that nothing holds."""
    spans: list[Span] = []
    for clause in coverage.clauses:
        held, weights = coverage.anywhere[list(clause)], coverage.weights[list(clause)]
        if (1.0 - held) @ weights >= _MUCH * weights.sum():
            spans.append(Span(coverage.words[clause[0]].span.start, coverage.words[clause[-1]].span.end))
        else:
            spans += _runs([coverage.words[place] for place in clause], held.tolist())
    return tuple(spans)


def _runs(claimed: Sequence[Word], held: Sequence[float]) -> list[Span]:
    """Words that nothing holds, those next to each other as one span."""
    spans: list[Span] = []
    before_missing = False
    for word, share in zip(claimed, held, strict=True):
        missing = share < _MISSING
        if missing and before_missing:
            spans[-1] = Span(spans[-1].start, word.span.end)
        elif missing:
            spans.append(word.span)
        before_missing = missing
    return spans
