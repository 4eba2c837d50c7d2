"""The figures of the model card, from scores and labels."""

import re
import string
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
FOLDS = 5


def token_f1(given: str, expected: str) -> float:
    """SQuAD's measure: the words two answers share, articles and punctuation aside; no answer equals only no answer."""
    one, other = _plain(given), _plain(expected)
    if not one or not other:
        return float(one == other)
    shared = sum((Counter(one) & Counter(other)).values())
    return 2 * shared / (len(one) + len(other))


def ndcg(relevant: Sequence[bool], scores: Floats, wanted: int, depth: int = 10) -> float:
    order = np.argsort(-scores, kind="stable")[:depth]
    gained = sum(1 / np.log2(rank + 2) for rank, place in enumerate(order) if relevant[place])
    return float(gained / sum(1 / np.log2(rank + 2) for rank in range(min(depth, wanted))))


def area(wrong: NDArray[np.bool_], scores: Floats) -> float:
    """How often a wrong one scores above a right one."""
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        same = scores == value
        ranks[same] = ranks[same].mean()
    positives = int(wrong.sum())
    negatives = len(wrong) - positives
    if not positives or not negatives:
        return 0.5
    return float((ranks[wrong].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def f1_over_folds(wrong: NDArray[np.bool_], scores: Floats, source: NDArray[np.int64]) -> float:
    """F1 of calling wrong what scores above a threshold that was fitted on the other sources."""
    called = np.zeros(len(wrong), bool)
    for fold in range(FOLDS):
        here = source % FOLDS == fold
        if here.any() and (~here).any():
            called[here] = scores[here] >= _threshold(wrong[~here], scores[~here])
    return f1(wrong, called)


def f1(wrong: NDArray[np.bool_], called: NDArray[np.bool_]) -> float:
    hits = int((wrong & called).sum())
    return 2 * hits / max(1, int(wrong.sum()) + int(called.sum()))


def _threshold(wrong: NDArray[np.bool_], scores: Floats) -> float:
    candidates = np.unique(np.quantile(scores, np.linspace(0, 1, 101)))
    return float(max(candidates, key=lambda at: f1(wrong, scores >= at)))


def _plain(text: str) -> list[str]:
    return _ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split()
