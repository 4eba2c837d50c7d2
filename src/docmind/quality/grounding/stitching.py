"""Whether a claim is made of halves from different places, presented as one fact."""

import numpy as np

from docmind.quality.grounding.coverage import Coverage
from docmind.quality.grounding.evidence import Evidence

_HELD = 0.85
"""A clause of which the passages together hold less is unsupported, not stitched."""
_SPEAKS_OF_IT = 0.5
_FEWEST_WORDS = 3


def is_stitched(coverage: Coverage, evidence: Evidence) -> bool:
    """Whether the names and numbers of some clause stand in the passages, but never all of them in one.

    Several clauses may rest on several passages; one clause says one thing, and who, when and how much belong together.
    """
    if len(evidence.passages) < 2:
        return False
    held = np.maximum.reduceat(coverage.by_sentence, evidence.passage_starts, axis=0)
    return any(_spread(coverage, held, list(clause)) for clause in coverage.clauses if len(clause) >= _FEWEST_WORDS)


def _spread(coverage: Coverage, held: np.ndarray, clause: list[int]) -> bool:
    weights = coverage.weights[clause]
    exact = [place for place in clause if coverage.words[place].is_number or coverage.words[place].is_name]
    if not exact or coverage.anywhere[clause] @ weights < _HELD * weights.sum():
        return False
    shares = held[:, clause] @ weights / weights.sum()
    together = (held[:, exact] >= _SPEAKS_OF_IT).all(axis=1)
    return not bool((together & (shares >= _SPEAKS_OF_IT)).any())
