"""Maps the relevance of a passage to the scale of evidence, which thresholds such as .60 are written for.

`relevance_score` is the probability that a passage is the one that holds the answer: it was fitted on questions with
one labelled passage each. A strategic question has many, each of which holds a part, and asks for them in words of its
own. Of the passages that search believes in with 4% on the bundled papers, six in ten come from a document that answers
the question: that is where this scale has its .60.
"""

_LIKELIER = 36.0
"""How many times the odds that a passage bears on a question exceed those that it is the one that answers it."""


def to_evidence_scale(relevance_score: float) -> float:
    """The probability that a passage bears on the question, from the calibrated relevance that search gave it."""
    odds = _LIKELIER * relevance_score
    return odds / (odds + 1.0 - relevance_score)
