"""From signals to the probability that evidence supports a claim, with coefficients fitted on public training data."""

import json
import math
from dataclasses import dataclass
from importlib.resources import files

from docmind.quality.grounding.signals import Signals

_LEAST = 0.05
"""Nothing is impossible to a check by words."""


@dataclass(frozen=True, slots=True)
class SupportModel:
    """A logistic model of a claim being unsupported; `support.json` holds the one that ships."""

    intercept: float
    coefficients: tuple[float, ...]

    @classmethod
    def shipped(cls) -> "SupportModel":
        fitted = json.loads(files(__package__).joinpath("support.json").read_text(encoding="utf-8"))
        names = Signals.__slots__
        return cls(fitted["intercept"], tuple(fitted["coefficients"][name] for name in names))

    def probability(self, signals: Signals) -> float:
        """That the claim is supported, 0 to 1; at most what the evidence holds of it, once half of it is missing."""
        unsupported = self.intercept + sum(c * s for c, s in zip(self.coefficients, signals.vector(), strict=True))
        probability = 1.0 / (1.0 + math.exp(min(500.0, unsupported)))
        return max(_LEAST, min(probability, 1.0 - signals.share)) if signals.is_mostly_missing else probability
