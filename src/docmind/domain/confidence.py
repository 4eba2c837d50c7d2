"""How likely an answer is right, told in words, how many wrong answers somebody allows, and how often it held."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

UNSURE = "unsure"
_WORDS = ((0.9, "very likely right"), (0.7, "likely right"), (0.5, "more likely right than not"))
"""From which probability on an answer is called what."""
CALLED = (*(words for _, words in _WORDS), UNSURE)
"""What answers are called, the surest first."""
_PLACES = 6
"""Decimal places that count: 1 - 0.7 is a little more than 0.3 to a computer, and to nobody else."""


def in_words(probability: float) -> str:
    """What an answer of this probability is called: `likely right`."""
    return next((words for least, words in _WORDS if round(probability, _PLACES) >= least), UNSURE)


def percent(probability: float) -> str:
    """Whole percent, rounded down: `89%` is not yet called very likely, and only what is certain has `100%`."""
    return f"{math.floor(round(100 * probability, _PLACES))}%"


def told(probability: float, *, words: str = "") -> str:
    """The words and the number: `likely right, 82%`. Other `words` may be given where these do not fit."""
    return f"{words or in_words(probability)}, {percent(probability)}"


class Below(StrEnum):
    """What becomes of an answer that is less likely right than was asked for."""

    WITHHOLD = "withhold"
    """It is not given."""
    SHOW_UNSURE = "show_unsure"
    """It is given, and called unsure."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """How many wrong answers somebody allows, and what becomes of an answer that does not meet that."""

    most_wrong: float | None = None
    """The largest share of wrong answers, 0 to 1; None where every answer is given."""
    below: Below = Below.WITHHOLD

    def allows(self, confidence: float) -> bool:
        return self.most_wrong is None or confidence >= round(1 - self.most_wrong, _PLACES)

    @property
    def allowed(self) -> str:
        """As a part of a sentence: `at most 20% wrong answers`."""
        return f"at most {100 * (self.most_wrong or 0.0):.4g}% wrong answers"


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
