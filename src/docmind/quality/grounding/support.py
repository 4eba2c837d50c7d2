"""From what the reader says of a claim to the measured probability that the evidence supports it."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from statistics import fmean
from typing import Any, Self

from docmind.models.reader import JudgedClaim

_LEAST = 1e-3
"""Of a probability: what the reader says beyond that tells no more."""
_MOST_DOUBTED = 3
"""Pieces of a claim: one that is doubted alone may be a slip, and the mean of all would drown what is wrong."""
_MOST_MISSING = 5
"""Words: a claim that has more of its own is in other words altogether."""


@dataclass(frozen=True, slots=True)
class SupportModel:
    """A logistic model of what the reader says, fitted by `scripts/fit_support.py`; `support.json` holds it.

    That supported beats contradicted and that it beats not stated are weighed apart: a search often misses what would
    decide, so that not stated speaks less against a claim. How far the reader doubts single words is weighed beside
    them, and how many words the evidence does not have at all: of a long sentence with a detail that was made up the
    reader often knows the words, and still calls the sentence supported.
    """

    intercept: float
    weights: Mapping[str, float]
    supported_above: float
    """The probability above which a claim is taken as supported."""

    @classmethod
    def of_any_text(cls) -> Self:
        """For texts that nobody knows anything of: as many of their claims are wrong as are right."""
        return cls._shipped("any_text")

    @classmethod
    def of_drafts(cls) -> Self:
        """For what a chat model wrote from the evidence it is held against: nine of ten of its claims are right."""
        return cls._shipped("drafts")

    @classmethod
    def of(cls, fitted: Mapping[str, Any]) -> Self:
        """As `scripts/fit_support.py` writes it."""
        return cls(fitted["intercept"], fitted["weights"], fitted["supported_above"])

    @classmethod
    def _shipped(cls, name: str) -> Self:
        return cls.of(fitted(name))

    def probability(self, judged: JudgedClaim, missing: int) -> float:
        """That the claim is supported; `missing` is how many of its words the evidence does not have."""
        return logistic(self.intercept, self.weights, support_signals(judged, missing))


def logistic(intercept: float, weights: Mapping[str, float], signals: Mapping[str, float]) -> float:
    """The probability that signals add up to, each by its weight."""
    weighed = sum(weight * signals[name] for name, weight in weights.items())
    return 1.0 / (1.0 + math.exp(-intercept - weighed))


def fitted(name: str) -> dict[str, Any]:
    """What `scripts/fit_support.py` wrote under this name."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath("support.json").read_text(encoding="utf-8"))[name]
    return found


def support_signals(judged: JudgedClaim, missing: int) -> dict[str, float]:
    """What speaks for a claim, by name: the verdict, as two log odds; the words most in doubt; the words missing."""
    verdict = judged.verdict
    supported, not_stated, contradicted = (
        math.log(max(one, _LEAST)) for one in (verdict.supported, verdict.not_stated, verdict.contradicted)
    )
    doubts = sorted((doubt for *_, doubt in judged.doubts), reverse=True)[:_MOST_DOUBTED]
    doubted = min(max(fmean(doubts) if doubts else 0.0, _LEAST), 1 - _LEAST)
    return {
        "over_contradicted": supported - contradicted,
        "over_not_stated": supported - not_stated,
        "doubted": math.log(doubted / (1 - doubted)),
        "missing": float(min(missing, _MOST_MISSING)),
    }
