"""Which calculation a question asks for, by a linear model of its wording that `scripts/fit_operations.py` fits."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import Self

import numpy as np
from numpy.typing import NDArray

from docmind.quality.quantities import Period
from docmind.skills.finance.question_phrases import long_form, mentions
from docmind.skills.tables import asking_model

Floats = NDArray[np.float32]
SIZE = 8192
_PERIOD = "whenever"
"""Stands for every time that a question names: which one it is says nothing of what is done."""
_MOST_PERIODS = 3


def timeless(question: str) -> tuple[str, int]:
    """The question with one word for each time that it names, and how many it names."""
    text, periods = long_form(question), 0
    for mention in reversed(mentions(question)):
        if isinstance(mention, Period):
            text = f"{text[: mention.span.start]}{_PERIOD}{text[mention.span.end :]}"
            periods += 1
    return text, periods


def vector(question: str) -> Floats:
    """Which words and pairs of words it has, and how many times it names, as a unit vector."""
    text, periods = timeless(question)
    found = np.zeros(SIZE, np.float32)
    for feature in (*asking_model.features(text), f"n {min(periods, _MOST_PERIODS)}"):
        found[asking_model.place(feature, SIZE)] = 1.0
    unit: Floats = found / np.sqrt(found.sum())
    return unit


@dataclass(frozen=True, slots=True)
class OperationModel:
    operations: Sequence[str]
    weights: Floats
    """(features, operations)."""
    bias: Floats

    @classmethod
    @cache
    def shipped(cls) -> Self:
        with as_file(files("docmind.skills.finance").joinpath("operations.npz")) as file, np.load(file) as fitted:
            return cls(tuple(fitted["operations"].tolist()), fitted["weights"].astype(np.float32), fitted["bias"])

    def likely(self, question: str) -> dict[str, float]:
        """How likely it asks for each of the operations."""
        scores = vector(question) @ self.weights + self.bias
        exp = np.exp(scores - scores.max())
        return dict(zip(self.operations, (exp / exp.sum()).tolist(), strict=True))
