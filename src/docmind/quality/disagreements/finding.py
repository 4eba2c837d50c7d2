"""Writes a disagreement down, with the sentence a user reads."""

from docmind.domain.documents import Span
from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.reading import Reading

_QUOTED = frozenset({DisagreementKind.NEGATION, DisagreementKind.DIRECTION})


def differ(kind: DisagreementKind, claim: Reading, claimed: Span, quote: Reading, stated: Span) -> Disagreement:
    """The disagreement of these words of the claim with those of the quote."""
    said, told = claimed.of(claim.text), stated.of(quote.text)
    if kind in _QUOTED:
        said, told = f"“{said}”", f"“{told}”"
    return Disagreement(kind, claimed, stated, f"The claim says {said}, the passage says {told}.")
