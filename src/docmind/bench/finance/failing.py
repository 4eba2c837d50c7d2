"""How questions on figures fail, in the same few ways for every set, so that one table can tell them side by side."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from docmind.bench.report import Row


class Failing(StrEnum):
    """What became of a question that was not answered right."""

    NO_FIGURE = "no_figure"
    NO_PERIOD = "no_period"
    UNFIT = "unfit"
    IN_WORDS = "in_words"
    PARTLY = "partly"
    DOUBTED = "doubted"
    CERTAIN = "certain"


_PERIODS = ("do not cover", "one period only")
_UNFIT = ("different", "do not measure", "misleads", "has no meaning", "is zero", "takes two", "rests on no figure")


def refused_because(refusal: str) -> Failing:
    """By the sentence that the product gives for it."""
    if any(words in refusal for words in _PERIODS):
        return Failing.NO_PERIOD
    return Failing.UNFIT if any(words in refusal for words in _UNFIT) else Failing.NO_FIGURE


def rows_of(task: str, system: str, failed: Iterable[Failing], n: int) -> list[Row]:
    """The share of all questions that fails in each way, those that happen."""
    counted = Counter(failed)
    return [Row(task, system, f"failed@{way}", counted[way] / n, n) for way in Failing if counted[way]]
