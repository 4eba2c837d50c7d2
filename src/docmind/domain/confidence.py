"""How likely an answer is right, told in words, and how many wrong answers somebody allows."""

import math
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
