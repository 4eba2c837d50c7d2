"""From what the reader says of a claim to the measured probability that the evidence supports it."""

import json
import math
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from docmind.models.reader import Verdict

_LEAST = 1e-3
"""Of a probability: what the reader says beyond that tells no more."""


@dataclass(frozen=True, slots=True)
class SupportModel:
    """A logistic model of the reader's verdict, fitted by `scripts/fit_support.py`; `support.json` holds it.

    That supported beats contradicted and that it beats not stated are weighed apart: a search often misses what would
    decide, so that not stated speaks less against a claim.
    """

    intercept: float
    over_contradicted: float
    over_not_stated: float

    @classmethod
    def shipped(cls) -> Self:
        fitted = json.loads(files(__package__).joinpath("support.json").read_text(encoding="utf-8"))
        return cls(fitted["intercept"], fitted["over_contradicted"], fitted["over_not_stated"])

    def probability(self, verdict: Verdict) -> float:
        """That the claim is supported."""
        over_contradicted, over_not_stated = support_signals(verdict)
        weighed = self.over_contradicted * over_contradicted + self.over_not_stated * over_not_stated
        return 1.0 / (1.0 + math.exp(-self.intercept - weighed))


def support_signals(verdict: Verdict) -> tuple[float, float]:
    """By how much supported beats contradicted, and not stated."""
    supported, not_stated, contradicted = (
        math.log(max(one, _LEAST)) for one in (verdict.supported, verdict.not_stated, verdict.contradicted)
    )
    return supported - contradicted, supported - not_stated
