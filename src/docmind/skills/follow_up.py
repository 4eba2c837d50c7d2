"""Tells whether a message goes on from an answer: it is looked for in the documents cited there, and everywhere."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from docmind.domain.search import Hit
from docmind.skills.extract.answer_model import clipped, logistic, logit


@dataclass(frozen=True, slots=True)
class FollowUpModel:
    """A logistic model of a message going on from the answer before it, fitted by `scripts/fit_follow_ups.py`."""

    weights: Mapping[str, float]

    @classmethod
    def shipped(cls) -> Self:
        return cls(json.loads(files("docmind.skills").joinpath("follow_up.json").read_text(encoding="utf-8")))

    def goes_on(self, message: str, there: Sequence[Hit], everywhere: Sequence[Hit]) -> float:
        """How likely it does. `there` is what was found in the documents of the answer, most relevant first."""
        return logistic(self.weights, follow_up_signals(message, there, everywhere))


def follow_up_signals(message: str, there: Sequence[Hit], everywhere: Sequence[Hit]) -> dict[str, float]:
    """What speaks for it, by name: what goes on is short, and is found as well among the documents of the answer."""
    return {
        "there": _relevance(there),
        "everywhere": _relevance(everywhere),
        "length": math.sqrt(len(message.split())),
    }


def joined(before: str, message: str) -> str:
    """The question before and the message, as one text that a search and the reader understand."""
    return f"{before.strip()} {message.strip()}"


def _relevance(hits: Sequence[Hit]) -> float:
    return clipped(logit(hits[0].relevance_score)) if hits else clipped(-math.inf)
