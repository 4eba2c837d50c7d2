"""From what the reader says of a claim, and which of its words the evidence lacks, to one probability of support."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from docmind.models.reader import Verdict
from docmind.quality.grounding.signals import Signals


@dataclass(frozen=True, slots=True)
class SupportModel:
    """A logistic model, fitted by `scripts/fit_support.py`; `support.json` holds the one that ships."""

    weights: Mapping[str, float]

    @classmethod
    def shipped(cls) -> Self:
        return cls(json.loads(files(__package__).joinpath("support.json").read_text(encoding="utf-8"))["weights"])

    def probability(self, verdict: Verdict, signals: Signals) -> float:
        """That the claim is supported."""
        named = support_signals(verdict, signals)
        weighed = self.weights["intercept"] + sum(self.weights[name] * value for name, value in named.items())
        return 1.0 / (1.0 + math.exp(-min(max(weighed, -30.0), 30.0)))


def support_signals(verdict: Verdict, signals: Signals) -> dict[str, float]:
    """What speaks for and against a claim, by name."""
    return {"reader": verdict.logit, **signals.named()}
