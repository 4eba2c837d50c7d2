"""Whether a passage bears on a question, on the scale that thresholds such as .60 are written for.

`relevance_score` is the probability that a passage is the one that holds the answer. A broad question has many passages
that bear on it, each with a part of the answer: this is the probability that a passage comes from a document that
answers the question, fitted by `scripts/fit_answer.py` on authored documents kept for tuning.
"""

import json
import math
from functools import cache
from importlib.resources import files


def bearing(relevance_score: float) -> float:
    """The probability that a passage bears on the question, from the calibrated relevance that search gave it."""
    intercept, slope = _fitted()
    kept = min(max(relevance_score, 1e-6), 1 - 1e-6)
    return 1.0 / (1.0 + math.exp(-intercept - slope * math.log(kept / (1 - kept))))


@cache
def _fitted() -> tuple[float, float]:
    fitted = json.loads(files("docmind.skills").joinpath("bearing.json").read_text(encoding="utf-8"))
    return fitted["intercept"], fitted["relevance"]
