"""One confidence for an answer, from what is found of its claims."""

import math
from collections.abc import Sequence

from docmind.domain.verdicts import AuditedClaim, ClaimStatus

_FABRICATED = 0.5
"""What a claim is trusted at most that cites what does not exist, whatever the evidence says of it."""
_FURTHER_CLAIMS = 0.25
"""How much a claim counts beside the weakest: what is wrong with one claim of an answer tends to be wrong with others
too, so that their probabilities must not be multiplied as if each stood alone."""


def confidence(claims: Sequence[AuditedClaim]) -> float:
    """The probability that no claim is wrong, each being right with the probability of its grounding."""
    return combined([probability(claim) for claim in claims])


def combined(probabilities: Sequence[float]) -> float:
    """Of several claims the probability that all are right; an answer that claims nothing cannot be wrong."""
    weakest, *others = sorted(probabilities) or [1.0]
    return weakest * math.prod(others) ** _FURTHER_CLAIMS


def probability(audited: AuditedClaim) -> float:
    """That a claim is right: what its grounding gives it, less where it cites what does not exist."""
    if audited.status is ClaimStatus.FABRICATED:
        return min(_FABRICATED, audited.grounding.probability)
    return audited.grounding.probability
