"""What tells a claim that its evidence holds from one that it does not, in five numbers."""

import math
from dataclasses import asdict, dataclass

import numpy as np

from docmind.quality.grounding.coverage import Coverage

_WHOLE = 0.999
_MISSING = 0.5


@dataclass(frozen=True, slots=True)
class Signals:
    """All grow with what the evidence does not hold, and are 0 for a claim it holds word for word.

    A claim without a word that says something ("They did not.") is half missing: nothing speaks for it or against it.
    """

    share: float
    """How much of the claim is missing, by weight."""
    changed: float
    """Words that are missing or said in other words."""
    numbers: float
    """Numbers that are missing."""
    names: float
    """Names that are missing."""
    run: float
    """The longest stretch of missing words: a clause that was added misses word after word, a paraphrase does not."""

    def named(self) -> dict[str, float]:
        """As the probability is fitted on them: the second missing word tells less than the first."""
        return {name: math.sqrt(count) for name, count in asdict(self).items()}


def read_signals(coverage: Coverage) -> Signals:
    missing = 1.0 - coverage.anywhere
    weight = float(coverage.weights.sum())
    numbers = np.array([word.is_number for word in coverage.words], dtype=bool)
    names = np.array([word.is_name for word in coverage.words], dtype=bool)
    return Signals(
        share=float(missing @ coverage.weights) / weight if weight else 0.5,
        changed=float((coverage.anywhere < _WHOLE).sum()),
        numbers=float(missing[numbers].sum()),
        names=float(missing[names].sum()),
        run=_longest_run(missing),
    )


def _longest_run(missing: np.ndarray) -> float:
    longest = run = 0.0
    for share in missing.tolist():
        run = run + share if share > _MISSING else 0.0
        longest = max(longest, run)
    return longest
