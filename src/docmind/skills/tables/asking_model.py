"""What a question asks of a table, by its wording alone: a linear model on its words and pairs of words."""

import re
import zlib
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from docmind.skills.tables.conditions import Comparison
from docmind.skills.tables.programs import Operation

Floats = NDArray[np.float32]

KINDS = (None, *Operation)
"""None: something that is read and not computed."""
TESTS = (None, *Comparison)
"""None: all rows are meant."""
SIZE = 4096
_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*")
_ENDING = 3


def word_features(word: str) -> list[str]:
    """A word and, of a long one, how it ends: longest, cheapest."""
    return [f"u {word}", f"s {word[-_ENDING:]}"] if len(word) > _ENDING + 1 else [f"u {word}"]


def features(question: str) -> list[str]:
    said = [word if not word[0].isdigit() else "#" for word in _WORD.findall(question.lower())]
    pairs = [f"b {one} {other}" for one, other in pairwise(said)]
    begins = [f"p {' '.join(said[:2])}", f"p1 {said[0] if said else ''}"]
    return [*(feature for word in said for feature in word_features(word)), *pairs, *begins]


def place(feature: str, size: int = SIZE) -> int:
    return zlib.crc32(feature.encode()) % size


def vector(question: str) -> Floats:
    """How often each feature stands in the question, as a unit vector; features share places by their hash."""
    counts = np.zeros(SIZE, np.float32)
    for feature in features(question):
        counts[place(feature)] += 1
    unit: Floats = counts / np.sqrt(max(float((counts * counts).sum()), 1e-9))
    return unit


@dataclass(frozen=True, slots=True)
class AskingModel:
    weights: Floats
    """(features, kinds)."""
    bias: Floats
    test_weights: Floats
    """(features, tests)."""
    test_bias: Floats

    def kinds(self, question: str) -> Floats:
        """How likely the question asks for each of the kinds."""
        return _softmax(vector(question) @ self.weights + self.bias)

    def tests(self, question: str) -> Floats:
        """How likely the rows that are meant are chosen by each of the tests, if something is computed."""
        return _softmax(vector(question) @ self.test_weights + self.test_bias)

    def told_by(self, word: str) -> float:
        """How far a word speaks for something being computed: "most", "together"."""
        rows = self.weights[[place(feature) for feature in word_features(word.lower())]].sum(axis=0)
        return float(rows[1:].max() - rows[0])


def _softmax(scores: Floats) -> Floats:
    exp = np.exp(scores - scores.max())
    likely: Floats = exp / exp.sum()
    return likely
