"""Checks claims against passages: cheap where words decide, careful where numbers, names and denials do."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus, Grounding, Quote
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding.contradiction import Contradictions
from docmind.quality.grounding.copies import written
from docmind.quality.grounding.coverage import Coverage, lay
from docmind.quality.grounding.evidence import Evidence, EvidenceSentence, PreparedPassage
from docmind.quality.grounding.figures import NumberWord, compare
from docmind.quality.grounding.missing import MISSING, lacks_what_counts, missing_spans
from docmind.quality.grounding.signals import read_signals
from docmind.quality.grounding.stitching import is_stitched
from docmind.quality.grounding.support import SupportModel
from docmind.quality.grounding.words import words
from docmind.quality.quantities import Computed

SUPPORTED_ABOVE = 0.5
"""A claim is taken as supported above this probability."""
VERBATIM = 0.99
"""What a claim that stands in the evidence word for word is given."""
_CONTRADICTED = 0.2
"""What a claim is given at most where its evidence says otherwise."""
_REMEMBERED = 1024
_SETS_REMEMBERED = 32
"""Passages, and sets of them that were retrieved together: the claims of an answer ask of the same few."""


class Grounder:
    """Made once and used for everything: what it reads of a passage it remembers for the next claim. Thread-safe."""

    def __init__(self, vectors: WordVectors | None = None, model: SupportModel | None = None) -> None:
        self._vectors = vectors or WordVectors()
        self._model = model or SupportModel.shipped()
        self._prepare = lru_cache(maxsize=_REMEMBERED)(PreparedPassage)
        self._contradictions = Contradictions()
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
        if verbatim := evidence.copies.of(written(claim)):
            quotes = tuple(_quote(evidence.sentences[place]) for place in verbatim)
            return Grounding(ClaimStatus.SUPPORTED, VERBATIM, quotes)
        coverage = lay(claim, evidence, self._vectors, {word.key for word in words(asked)})
        coverage, formulas = _with_figures(claim, coverage, evidence, computed)
        probability = self._model.probability(read_signals(coverage))
        quoted = [evidence.sentences[place] for place in coverage.chosen]
        unsupported = missing_spans(coverage)
        differing = self._contradictions.find(claim, coverage, evidence)
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
        if lacks_what_counts(coverage):
            probability = min(probability, SUPPORTED_ABOVE)
        if probability <= SUPPORTED_ABOVE:
            status = ClaimStatus.UNSUPPORTED
        else:
            status = ClaimStatus.STITCHED if is_stitched(coverage, evidence) else ClaimStatus.SUPPORTED
        return Grounding(status, probability, tuple(map(_quote, quoted)), unsupported, computed=formulas)


def _with_figures(
    claim: str, coverage: Coverage, evidence: Evidence, computed: Sequence[Computed]
) -> tuple[Coverage, tuple[str, ...]]:
    """The coverage with numbers compared as quantities, and the formulas that were needed for it."""
    numbers = [
        NumberWord(place, word, bool(coverage.anywhere[place] >= MISSING))
        for place, word in enumerate(coverage.words)
        if word.is_number
    ]
    if not numbers:
        return coverage, ()
    compared = compare(claim, numbers, evidence, computed)
    anywhere, by_sentence = coverage.anywhere.copy(), coverage.by_sentence.copy()
    for places, share in ((compared.confirmed, 1.0), (compared.refuted, 0.0)):
        anywhere[list(places)] = share
        by_sentence[:, list(places)] = share
    return replace(coverage, anywhere=anywhere, by_sentence=by_sentence), compared.formulas


def _quote(sentence: EvidenceSentence) -> Quote:
    start = sentence.passage.span.start
    return Quote(sentence.passage, Span(start + sentence.span.start, start + sentence.span.end), sentence.text)
