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
from docmind.domain.files import private_file
from docmind.models.embedding import Embedder
from docmind.models.weights import canonical, plain_name

PROBES: tuple[tuple[str, str], ...] = (
    (
        "How long does the battery of the handheld scanner last?",
        "A fully charged scanner runs for about eleven hours in normal use; below ten percent the display turns amber.",
    ),
    (
        "What was the net profit in the last fiscal year?",
        "Net profit for fiscal 2022 came to EUR 14.2 million, up from EUR 12.9 million a year earlier.",
    ),
    (
        "Who approves travel above the daily allowance?",
        "Expenses beyond the daily allowance need the written consent of the head of department before the journey.",
    ),
    (
        "Can the pump be run dry?",
        "Never operate the pump without liquid: the mechanical seal overheats within seconds and the warranty is void.",
    ),
    (
        "Which vaccines are recommended for travellers to the tropics?",
        "Travellers to tropical regions should be vaccinated against hepatitis A, typhoid and yellow fever.",
    ),
    (
        "What is the notice period for ending the lease?",
        "Either party may terminate this lease at the end of a quarter by giving six months' notice in writing.",
    ),
    (
        "How do I reset my password?",
        "Choose 'Forgot password' on the sign-in page; a link to set a new one arrives by e-mail within minutes.",
    ),
    (
        "Why did the bridge need to be closed?",
        "Inspectors found fatigue cracks in two hangers, and the crossing was shut until they had been replaced.",
    ),
    (
        "What temperature must frozen fish be stored at?",
        "Frozen fishery products are kept at minus eighteen degrees or colder throughout the cold chain.",
    ),
    (
        "When was the cathedral's tower finished?",
        "The north tower, begun in 1248, was not completed until the autumn of 1517.",
    ),
    (
        "How many employees does the logistics division have?",
        "At the end of March the logistics division employed 1,340 people, 62 of them apprentices.",
    ),
    (
        "Does coffee raise blood pressure?",
        "In people who rarely drink it, a cup of coffee raised systolic pressure by a few points for three hours.",
    ),
    (
        "How is the discount for annual plans calculated?",
        "Customers who pay for a year in advance are charged ten months instead of twelve.",
    ),
    (
        "What does error code E14 mean?",
        "E14 appears when the drum lock has not engaged; open the door, remove what blocks the latch and try again.",
    ),
    (
        "Which licence is the software published under?",
        "The source code may be used, changed and passed on under the terms of the Mozilla Public License 2.0.",
    ),
    (
        "What are the main risks of the expansion to Poland?",
        "The board sees three dangers in the Polish venture: late permits, too few welders, and currency swings.",
    ),
    (
        "How do bees find their way back to the hive?",
        "Foraging bees steer by the sun and by landmarks they have memorised during short orientation flights.",
    ),
    (
        "Is personal data passed on to third parties?",
        "We share personal information with service providers only as far as they need it to deliver the order.",
    ),
    (
        "How often must the fire extinguishers be inspected?",
        "Portable extinguishers are checked by a qualified person every two years and the date is noted on the tag.",
    ),
    (
        "Which team won the final in extra time?",
        "After ninety goalless minutes the visitors scored twice in extra time and lifted the cup.",
    ),
    (
        "What share of electricity came from wind?",
        "Wind turbines supplied 31 percent of the power fed into the grid last year, more than any other source.",
    ),
    (
        "How should the wound be cleaned?",
        "Rinse the cut under running water, dab it dry with sterile gauze and cover it with a plaster.",
    ),
    (
        "What is the penalty for late delivery?",
        "For each full week of delay the supplier owes half a percent of the order value, at most five percent.",
    ),
    (
        "How is the dough kept from sticking?",
        "Dust the board with rice flour and chill the dough for twenty minutes before rolling it out.",
    ),
)


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
