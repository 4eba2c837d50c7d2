"""From what the reader says of a claim to the measured probability that the evidence supports it."""

import json
import math
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from docmind.models.reader import Verdict


@dataclass(frozen=True, slots=True)
class SupportModel:
    """A logistic model of the reader's verdict, fitted by `scripts/fit_support.py`; `support.json` holds it."""

    intercept: float
    slope: float

    @classmethod
    def shipped(cls) -> Self:
        fitted = json.loads(files(__package__).joinpath("support.json").read_text(encoding="utf-8"))
        return cls(fitted["intercept"], fitted["slope"])

    def probability(self, verdict: Verdict) -> float:
        """That the claim is supported."""
        return 1.0 / (1.0 + math.exp(-self.intercept - self.slope * verdict.logit))
