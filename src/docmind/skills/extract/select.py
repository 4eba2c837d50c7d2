"""Which statements answer the question: the seam for readers of any kind, and the reader that needs no model."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Protocol

from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding import Grounder
from docmind.skills.extract.question import Question
from docmind.skills.extract.signals import Signals, read_signals
from docmind.skills.extract.statements import Statement

MOST_CHOSEN = 3
"""Statements chosen for themselves; what they lean on and the items of a list come besides."""
AS_GOOD = 0.5
"""A further statement is worth saying when it is at least so likely to answer, against the best."""


class StatementScorer(Protocol):
    """Reads statements beside a question."""

    @property
    def refuse_below(self) -> float:
        """The probability that the best statement must reach for the question to be answered."""
        ...

    def __call__(self, question: Question, statements: Sequence[Statement]) -> Sequence[float]:
        """For each statement the probability, 0 to 1, that it answers the question."""
        ...


@dataclass(frozen=True, slots=True)
class ScoreModel:
    """A logistic model of the signals, fitted by `scripts/fit_answer.py`."""

    intercept: float
    coefficients: Mapping[str, float]
    refuse_below: float

    @classmethod
    def shipped(cls) -> "ScoreModel":
        fitted = json.loads(files("docmind.skills.extract").joinpath("score.json").read_text(encoding="utf-8"))
        return cls(fitted["intercept"], fitted["coefficients"], fitted["refuse_below"])

    def probability(self, signals: Signals) -> float:
        weighed = sum(weight * getattr(signals, name) for name, weight in self.coefficients.items())
        return 1.0 / (1.0 + math.exp(-self.intercept - weighed))


class LexicalScorer:
    """Scores by the words, and words of like meaning, that question and statement share. Thread-safe."""

    def __init__(self, grounder: Grounder, vectors: WordVectors, model: ScoreModel | None = None) -> None:
        self._grounder = grounder
        self._vectors = vectors
        self._model = model or ScoreModel.shipped()

    @property
    def refuse_below(self) -> float:
        return self._model.refuse_below

    def __call__(self, question: Question, statements: Sequence[Statement]) -> list[float]:
        return [self.probability(one) for one in self.signals(question, statements)]

    def signals(self, question: Question, statements: Sequence[Statement]) -> list[Signals]:
        evidence = self._grounder.evidence(dict.fromkeys(statement.hit.passage for statement in statements))
        return read_signals(question, statements, evidence, self._vectors)

    def probability(self, signals: Signals) -> float:
        return self._model.probability(signals)


def choose(able: Sequence[Statement], scores: Mapping[Statement, float]) -> list[Statement]:
    """The best statement first, then those nearly as good that say something else."""
    ranked = sorted(able, key=lambda statement: -scores[statement])
    chosen: list[Statement] = []
    said: set[str] = set()
    for statement in ranked:
        if len(chosen) == MOST_CHOSEN or scores[statement] < AS_GOOD * scores[ranked[0]]:
            break
        words = " ".join(statement.text.lower().split())
        if words not in said:
            said.add(words)
            chosen.append(statement)
    return chosen
