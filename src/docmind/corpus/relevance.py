"""How likely a passage is relevant: one calibrated number from the two scores, whatever the embedder."""

import json
import math
import os
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Self

import numpy as np

from docmind.corpus.index.contract import Candidate
from docmind.corpus.probes import PROBES
from docmind.domain.private_files import private_file
from docmind.models.embedding import Embedder
from docmind.models.weights import canonical, plain_name

REFERENCE = "minilm"
"""The embedder that others are brought in line with where nothing was fitted for them."""

RARE_WORDS = 1.5
"""A query that says no more than so many words which stand in one passage alone matches many passages by chance."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """A logistic model of two signals, the cosine and how much of the query the passage matches, and of the odds.

    The more passages there are, the more of them look relevant by chance, and the more it takes to be believed.
    The weights are fitted on labelled questions by `scripts/fit_relevance.py` and kept in `relevance.json`.
    """

    intercept: float
    cosine: float
    """Weight of the cosine between query and passage."""
    matched: float
    """Weight of the share of the query's information that the passage matches."""

    size: float
    """Weight of the logarithm of the number of passages searched."""

    def score(self, candidate: Candidate, ideal: float, total: int) -> float:
        """Probability in 0..1 that the candidate is relevant, out of `total` passages."""
        matched = share_matched(candidate.bm25, ideal, total)
        logit = self.intercept + self.cosine * candidate.dense + self.matched * matched + self.size * math.log1p(total)
        # An embedder that hardly tells texts apart is aligned so steeply that the exponential would overflow.
        return 1.0 / (1.0 + math.exp(min(-logit, 700.0)))

    def aligned(self, theirs: "Likeness", ours: "Likeness") -> Self:
        """The same model for an embedder whose cosines of unrelated and related texts lie elsewhere."""
        scale = (ours.related - ours.unrelated) / max(theirs.related - theirs.unrelated, 1e-3)
        shift = ours.unrelated - scale * theirs.unrelated
        return replace(self, intercept=self.intercept + self.cosine * shift, cosine=self.cosine * scale)


def share_matched(bm25: float, ideal: float, total: int) -> float:
    """BM25 as a share of what a passage with every word of the query would get, the less trusted the less is asked."""
    return bm25 / (ideal + RARE_WORDS * math.log1p(total))


@dataclass(frozen=True, slots=True)
class Likeness:
    """Where an embedder's cosines lie, on average, for texts that belong together and for texts that do not."""

    related: float
    unrelated: float


def measure_likeness(embedder: Embedder) -> Likeness:
    """Embed the probes, questions each with its own answer, and compare own with foreign answers."""
    questions = np.stack([embedder.embed_query(question) for question, _ in PROBES])
    answers = embedder.embed_passages([answer for _, answer in PROBES])
    cosines = questions @ answers.T
    own = np.eye(len(PROBES), dtype=bool)
    return Likeness(float(cosines[own].mean()), float(cosines[~own].mean()))


def open_relevance(embedder: Embedder, root: Path) -> Relevance:
    """The model fitted for the embedder; for one that has none, the reference's, aligned by its likeness.

    The likeness is measured once and kept in `root`, because asking a provider takes time and money.
    """
    fitted = json.loads(files("docmind.corpus").joinpath("relevance.json").read_text("utf-8"))
    if (plain := plain_name(canonical(embedder.name))) in fitted["models"]:
        return Relevance(**fitted["models"][plain])
    kept = root / "likeness.json"
    known = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    if embedder.name not in known:
        known[embedder.name] = asdict(measure_likeness(embedder))
        draft = private_file(kept.with_suffix(f".{os.getpid()}"))
        draft.write_text(json.dumps(known, indent=1), "utf-8")
        draft.replace(kept)
    reference = Relevance(**fitted["models"][REFERENCE])
    return reference.aligned(Likeness(**known[embedder.name]), Likeness(**fitted["likeness"]))
