"""One confidence for an answer, and the confidence to ask for so that at most a given share of answers is wrong."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

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


@dataclass(frozen=True, slots=True)
class RiskCurve:
    """How many answers are wrong among those of at least some confidence, as measured on labelled answers."""

    points: tuple[tuple[float, float], ...]
    """Confidence and the share of wrong answers from there on, the highest confidence first."""

    @classmethod
    def shipped(cls) -> "RiskCurve":
        fitted = json.loads(files("docmind.quality").joinpath("risk.json").read_text(encoding="utf-8"))
        return cls(tuple((point["confidence"], point["risk"]) for point in fitted["points"]))

    def threshold(self, at_most_wrong: float) -> float | None:
        """The lowest confidence from which on at most this share is wrong; none where no confidence is high enough.

        Read from the top: a stretch further down where the share happens to fall again is not relied on.
        """
        lowest: float | None = None
        for point, risk in self.points:
            if risk > at_most_wrong:
                break
            lowest = point
        return lowest
