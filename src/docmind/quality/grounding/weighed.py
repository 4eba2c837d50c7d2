"""A claim laid over its evidence: what speaks for it and against it, and the verdict once its probability is known."""

from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.domain.verdicts import ClaimStatus, Grounding, Quote
from docmind.quality.grounding.contradiction import Contradiction
from docmind.quality.grounding.coverage import Coverage
from docmind.quality.grounding.evidence import Evidence, EvidenceSentence
from docmind.quality.grounding.missing import lacks_what_counts, missing_spans
from docmind.quality.grounding.signals import Signals
from docmind.quality.grounding.stitching import is_stitched

SUPPORTED_ABOVE = 0.5
"""A claim is taken as supported above this probability."""
_CONTRADICTED = 0.2
"""What a claim is given at most where its evidence says otherwise."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What was found of one claim."""

    claim: str
    evidence: Evidence
    coverage: Coverage
    signals: Signals
    probability: float
    """That it is supported, as far as its words tell."""
    contradiction: Contradiction | None
    formulas: tuple[str, ...]
    """The calculations that its numbers follow from."""

    @property
    def is_vetoed(self) -> bool:
        """Whether something speaks against it that no other reading makes up for."""
        return self.contradiction is not None or self.signals.is_mostly_missing or lacks_what_counts(self.coverage)

    def verdict(self, probability: float) -> Grounding:
        """With this probability; what vetoes a claim stands above it."""
        quoted = [self.evidence.sentences[place] for place in self.coverage.chosen]
        unsupported = missing_spans(self.coverage)
        if self.contradiction is not None:
            sentence, differences = self.contradiction
            quoted = [sentence, *(other for other in quoted if other is not sentence)]
            return Grounding(
                ClaimStatus.CONTRADICTED,
                min(probability, _CONTRADICTED),
                tuple(map(quote, quoted)),
                unsupported,
                tuple(differences),
            )
        if lacks_what_counts(self.coverage):
            probability = min(probability, SUPPORTED_ABOVE)
        return Grounding(
            self._status(probability), probability, tuple(map(quote, quoted)), unsupported, computed=self.formulas
        )

    def _status(self, probability: float) -> ClaimStatus:
        if probability <= SUPPORTED_ABOVE:
            return ClaimStatus.UNSUPPORTED
        return ClaimStatus.STITCHED if is_stitched(self.coverage, self.evidence) else ClaimStatus.SUPPORTED


def quote(sentence: EvidenceSentence) -> Quote:
    start = sentence.passage.span.start
    return Quote(sentence.passage, Span(start + sentence.span.start, start + sentence.span.end), sentence.text)
