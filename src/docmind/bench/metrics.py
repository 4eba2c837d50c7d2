"""The measures, each over one question or one list of numbers; tasks average them."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

_WORD = re.compile(r"\d++(?:[.,]\d++)*+|\w++")
_ARTICLES = frozenset(("a", "an", "the"))


def ndcg(ranked: Sequence[str], relevant: Collection[str], depth: int) -> float:
    """Discounted gain of the first `depth` results, as a share of the best that any ranking could have."""
    gain = sum(1 / math.log2(rank + 2) for rank, key in enumerate(ranked[:depth]) if key in relevant)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(depth, len(relevant))))
    return gain / ideal if ideal else 0.0


def recall(ranked: Sequence[str], relevant: Collection[str], depth: int) -> float:
    """Share of what is relevant that is among the first `depth` results."""
    return len(set(ranked[:depth]) & set(relevant)) / len(relevant) if relevant else 0.0


def hit(ranked: Sequence[str], relevant: Collection[str], depth: int) -> float:
    """1 where anything relevant is among the first `depth` results."""
    return float(any(key in relevant for key in ranked[:depth]))


@dataclass(frozen=True, slots=True)
class Shared:
    """What an answer has in common with the one that is wanted, word for word."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def shared_words(said: str, wanted: str) -> Shared:
    """Words and numbers count as often as they stand there; articles, case and punctuation do not."""
    ours, theirs = (
        Counter(word for word in _WORD.findall(text.lower()) if word not in _ARTICLES) for text in (said, wanted)
    )
    common = (ours & theirs).total()
    return Shared(common / ours.total() if ours else 0.0, common / theirs.total() if theirs else 0.0)


def class_f1(said: Sequence[str], wanted: Sequence[str], label: str) -> float:
    """How well one label is told from the others: 0 where it is never said."""
    right = sum(one == label == other for one, other in zip(said, wanted, strict=True))
    either = said.count(label) + wanted.count(label)
    return 2 * right / either if either else 0.0


def percentile(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent))


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """A score that claims to be a probability, and whether what it was given to was relevant."""

    score: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """What a range of scores promised and what it kept."""

    low: float
    high: float
    count: int
    mean_score: float
    share_relevant: float


def reliability(judged: Sequence[ScoredItem], bins: int = 10) -> list[Bin]:
    """The reliability table: equal ranges of score, without the empty ones. A score of 1 belongs to the last."""
    grouped: dict[int, list[ScoredItem]] = {}
    for item in judged:
        grouped.setdefault(min(bins - 1, int(item.score * bins)), []).append(item)
    return [
        Bin(
            low=number / bins,
            high=(number + 1) / bins,
            count=len(group),
            mean_score=sum(item.score for item in group) / len(group),
            share_relevant=share_relevant(group),
        )
        for number, group in sorted(grouped.items())
    ]


def expected_calibration_error(table: Sequence[Bin]) -> float:
    """How far promise and truth are apart, averaged over all scores."""
    total = sum(row.count for row in table)
    return sum(row.count * abs(row.mean_score - row.share_relevant) for row in table) / total if total else 0.0


def share_relevant(judged: Sequence[ScoredItem]) -> float:
    return sum(item.relevant for item in judged) / len(judged) if judged else 0.0
