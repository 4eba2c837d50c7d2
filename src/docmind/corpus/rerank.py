"""Reads the first candidates again, question and passage side by side, and says anew how likely each is relevant."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import islice

from docmind.domain.search import Hit
from docmind.models.encoder import Encoder
from docmind.models.evidence import window
from docmind.quality.sentences import split

READ_CHARS = 500
"""Of a passage: half of the longest, read in three fifths of the time."""

_SUREST = 1e-9
"""Nearer to 0 or 1 a probability has no logit worth weighing."""


@dataclass(frozen=True, slots=True)
class Rescore:
    """A logistic model of what the two searches said and what reading says, both in logits.

    The first score knows the embedder and the size of the corpus, so one model serves them all. The weights are
    fitted by `scripts/fit_rerank.py` on questions the encoder was not trained on, and kept in `rerank.json`.
    """

    intercept: float
    first: float
    """Weight of the first score's logit."""
    read: float
    """Weight of the encoder's logit that the passage answers the question."""

    def score(self, first: float, read: float) -> float:
        """Probability in 0..1 that the passage is relevant."""
        known = min(max(first, _SUREST), 1 - _SUREST)
        logit = self.intercept + self.first * math.log(known / (1 - known)) + self.read * read
        return 1.0 / (1.0 + math.exp(-logit))


def shipped_rescore() -> Rescore:
    fitted = json.loads(files("docmind.corpus").joinpath("rerank.json").read_text("utf-8"))
    return Rescore(**fitted["model"])


class Reranker:
    """Reads at most the first `most` hits of a search."""

    def __init__(self, encoder: Encoder, rescore: Rescore, most: int) -> None:
        self._encoder = encoder
        self._rescore = rescore
        self._most = most

    def reordered(self, query: str, hits: Iterator[Hit]) -> Iterator[Hit]:
        """The same hits, most relevant first by their new scores, then those that were not read."""
        first = list(islice(hits, self._most))
        read = self._encoder.relevance(query, [excerpt(query, hit.passage.text, hit.passage.heading) for hit in first])
        rescored = [
            replace(hit, relevance_score=self._rescore.score(hit.relevance_score, float(logit)))
            for hit, logit in zip(first, read, strict=True)
        ]
        rescored.sort(key=lambda hit: (-hit.relevance_score, hit.passage.id))
        yield from rescored
        for hit in hits:
            # It came behind all that were read: where reading found less than was expected, there is less here too.
            yield replace(hit, relevance_score=min(hit.relevance_score, rescored[-1].relevance_score))


def excerpt(question: str, text: str, heading: Sequence[str] = ()) -> str:
    """What is read of a passage: the headings it stands under and its sentences nearest to the question."""
    nearest = window(question, [sentence.text for sentence in split(text)] or [text], limit=READ_CHARS)
    return "\n".join((" > ".join(heading), nearest)) if heading else nearest
