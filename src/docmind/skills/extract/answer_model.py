"""How likely an answer is right, from what the reader says: signals by name, weighed by a fitted logistic model."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from docmind.domain.documents import Passage, Span
from docmind.models.reader import ReadPassage
from docmind.quality.excerpts import headed

DECIDED = 0.9
"""How likely a passage must say yes or no to be taken to, whatever is asked."""
_SUREST = 8.0
"""The logit beyond which nothing is more certain."""


@dataclass(frozen=True, slots=True)
class AnswerModel:
    """Logistic models of a passage answering and of an answer being right, fitted by `scripts/fit_answer.py`."""

    passage: Mapping[str, float]
    right: Mapping[str, float]
    refuse_below: float
    relevance: float = 0.0
    """What a passage's relevance weighs beside the reader's score, both as logits, in choosing what to quote."""

    @classmethod
    def shipped(cls) -> Self:
        fitted = json.loads(files("docmind.skills.extract").joinpath("answer.json").read_text(encoding="utf-8"))
        return cls(fitted["passage"], fitted["right"], fitted["refuse_below"], fitted["relevance"])

    def answers(self, score: float) -> float:
        return logistic(self.passage, {"score": score})

    def is_right(self, signals: Mapping[str, float]) -> float:
        return logistic(self.right, signals)


@dataclass(frozen=True, slots=True)
class BareAnswer:
    """What a passage answers a question with."""

    span: Span
    """In the passage's text; empty where the answer stands in its headings."""
    span_score: float
    """How far that stretch beats the others of the passage."""
    score: float
    """The logit that the passage answers at all."""
    yes: float
    """That it says yes, and that it says no, where the question asks for one of them."""
    no: float


def bare_answer(passage: Passage, read: ReadPassage) -> BareAnswer:
    begin = headed(passage).pieces[0].start
    start, end = (max(0, at - begin) for at in read.answer)
    return BareAnswer(
        Span(start, end), read.answer_score, read.score, read.verdict.supported, read.verdict.contradicted
    )


def read_signals(
    found: Mapping[Passage, ReadPassage],
    best: Passage,
    relevance: float,
    alone: ReadPassage | None,
    *,
    asks_yes_no: bool,
) -> dict[str, float]:
    """What speaks for an answer being right, by name; a passage that says the same speaks not against it.

    `alone` is how the statement to quote first reads by itself.
    """
    bare = {passage: _bare_text(passage, read) for passage, read in found.items()}
    others = [
        read.score for passage, read in found.items() if passage is not best and not _same(bare[passage], bare[best])
    ]
    told = found[best]
    is_sure = max(told.verdict.supported, told.verdict.contradicted) >= DECIDED
    return {
        "score": clipped(told.score),
        "next": clipped(max(others, default=-_SUREST)),
        "mark": clipped(logit(float(max(told.marks.probabilities, default=0.0)))),
        "answer": clipped(logit(told.answer_score)),
        "relevance": clipped(logit(relevance)),
        "yes_no": float(asks_yes_no or is_sure),
        "undecided": float(asks_yes_no and not is_sure),
        "alone": clipped(alone.score if alone else -_SUREST),
        "length": math.log1p(len(bare[best])),
        "table": float(best.kind == "table"),
    }


def _bare_text(passage: Passage, read: ReadPassage) -> str:
    return bare_answer(passage, read).span.of(passage.text).strip().casefold()


def _same(one: str, other: str) -> bool:
    """Whether one bare answer is the other or a part of it."""
    return bool(one) and bool(other) and (one in other or other in one)


def logistic(weights: Mapping[str, float], signals: Mapping[str, float]) -> float:
    weighed = weights["intercept"] + sum(weights[name] * signals[name] for name in weights if name != "intercept")
    return 1.0 / (1.0 + math.exp(-weighed))


def logit(probability: float) -> float:
    kept = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(kept / (1 - kept))


def clipped(value: float) -> float:
    return min(max(value, -_SUREST), _SUREST)
