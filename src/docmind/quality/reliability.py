"""How often answers of each confidence were called right: what the number promises, held against what people said."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from docmind.domain.confidence import CALLED, in_words

_Z = 1.96
"""For an interval that holds 95 of 100 times."""


@dataclass(frozen=True, slots=True)
class Band:
    """The answers that are called the same: `likely right`."""

    called: str
    answers: int
    right: int
    confidence: float
    """What their confidence was on average."""

    @property
    def share(self) -> float:
        return self.right / self.answers

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies 95 times of 100, by Wilson's score: a handful of answers says little."""
        squared = _Z * _Z / self.answers
        middle = (self.share + squared / 2) / (1 + squared)
        reach = (
            _Z / (1 + squared) * math.sqrt(self.share * (1 - self.share) / self.answers + squared / self.answers / 4)
        )
        return max(0.0, middle - reach), min(1.0, middle + reach)


def by_confidence(judged: Iterable[tuple[float, bool]]) -> list[Band]:
    """The bands that hold any answer, the surest first, from each answer's confidence and whether it was right."""
    held: dict[str, list[tuple[float, bool]]] = {}
    for confidence, right in judged:
        held.setdefault(in_words(confidence), []).append((confidence, right))
    return [
        Band(
            called,
            len(there),
            sum(right for _, right in there),
            math.fsum(confidence for confidence, _ in there) / len(there),
        )
        for called in CALLED
        if (there := held.get(called))
    ]
