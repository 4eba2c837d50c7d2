"""Fit the relevance score on public training questions: `fit_relevance.py [DATA]`, written to corpus/relevance.json.

Each set's passages make a small corpus. The weight of BM25 in the ranking is the one with the best mean nDCG@10 over
all sets. The probability is then a logistic regression on that ranking's score, over those sets whose questions have
one known answer and no unlabelled second one; each question is asked three ways: with its passage there, with it
taken out (near questions nobody answers), and of another set's corpus (far ones). No benchmark that `docmind bench`
scores is used.
"""

import json
import lzma
import random
import sys
from dataclasses import asdict
from math import log1p, log2
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.corpus.index import bm25
from docmind.corpus.relevance import REFERENCE, Relevance, measure_likeness, share_matched
from docmind.models.embedding import Embedder, open_embedder

LABELLED = (("share-alike", "squad2"), ("share-alike", "squadshifts_new_wiki"), ("permissive", "pubmedqa"))
RANKED = (
    *LABELLED,
    ("share-alike", "awsdocs"),
    ("permissive", "qasper"),
    ("permissive", "medquad"),
    ("permissive", "covidqa"),
    ("permissive", "fm2"),
)
QUESTIONS = 300
CANDIDATES = 10
"""Passages that count for each question: what a reader of the results would see."""
UNANSWERED = 0.25
"""Weight of a question without an answer beside one that has it."""
SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
TARGET = Path(__file__).parent.parent / "src/docmind/corpus/relevance.json"

Floats = NDArray[np.float64]


class Corpus:
    """One set's questions and passages, with every question's two scores for every passage."""

    def __init__(self, data: Path, kind: str, source: str) -> None:
        with lzma.open(data / "train" / kind / "rank.jsonl.xz", "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if row["source"] == source]
        random.Random(7).shuffle(rows)
        rows = rows[:QUESTIONS]
        self.questions = [row["query"] for row in rows]
        self.passages = list(dict.fromkeys(text for row in rows for text in (row["positive"], *row["negatives"])))
        self.gold = [self.passages.index(row["positive"]) for row in rows]
        self._weights, self._idf = self._weigh()

    def _weigh(self) -> tuple[list[dict[int, float]], dict[int, float]]:
        vectors = [bm25.encode_passage(text) for text in self.passages]
        weights = [dict(zip(vector.indices, vector.values, strict=True)) for vector in vectors]
        frequency: dict[int, int] = {}
        for tokens in weights:
            for token in tokens:
                frequency[token] = frequency.get(token, 0) + 1
        total = len(weights)
        return weights, {token: log1p((total - n + 0.5) / (n + 0.5)) for token, n in frequency.items()}

    def matched(self, question: str) -> Floats:
        """For each passage, how much of what the question asks for it matches."""
        tokens = bm25.encode_query(question).indices
        rarest = log1p((len(self.passages) + 0.5) / 0.5)
        idf = {token: self._idf.get(token, rarest) for token in tokens}
        ideal = sum(idf.values())
        bm25_scores = (sum(idf[token] * have.get(token, 0.0) for token in tokens) for have in self._weights)
        return np.array([share_matched(score, ideal) for score in bm25_scores])


def fit(embedder: Embedder, corpora: dict[str, Corpus]) -> tuple[Relevance, float]:
    """The fitted model and the mean nDCG@10 of its ranking."""
    passages = {name: embedder.embed_passages(corpus.passages) for name, corpus in corpora.items()}
    questions = {name: embedder.embed_passages(corpus.questions) for name, corpus in corpora.items()}
    signals = {
        name: [
            (passages[name] @ vector, corpus.matched(question))
            for vector, question in zip(questions[name], corpus.questions, strict=True)
        ]
        for name, corpus in corpora.items()
    }

    def ndcg(name: str, share: float) -> float:
        gains = []
        for gold, (cosine, matched) in zip(corpora[name].gold, signals[name], strict=True):
            score = cosine + share * matched
            rank = int((score > score[gold]).sum())
            gains.append(1 / log2(rank + 2) if rank < 10 else 0.0)
        return float(np.mean(gains))

    quality = {share: float(np.mean([ndcg(name, share) for name in corpora])) for share in SHARES}
    share = max(quality, key=lambda share: quality[share])
    rows: list[tuple[float, int, float]] = []

    def add(score: Floats, gold: int | None, weight: float) -> None:
        best = np.argsort(-score)[:CANDIDATES]
        rows.extend((float(score[place]), int(place == gold), weight) for place in best)

    for _, here in LABELLED:
        for gold, (cosine, matched) in zip(corpora[here].gold, signals[here], strict=True):
            score = cosine + share * matched
            add(score, gold, 1.0)
            add(np.delete(score, gold), None, UNANSWERED)
        for there in (name for _, name in LABELLED if name != here):
            for number, question in list(enumerate(corpora[there].questions))[::2]:
                cosine = passages[here] @ questions[there][number]
                add(cosine + share * corpora[here].matched(question), None, UNANSWERED)
    intercept, slope = logistic(*(np.array(column, dtype=np.float64) for column in zip(*rows, strict=True)))
    return Relevance(intercept, slope, slope * share), quality[share]


def logistic(score: Floats, relevant: Floats, weight: Floats) -> tuple[float, float]:
    """Weighted logistic regression of one variable by Newton's method."""
    design = np.stack([np.ones_like(score), score])
    beta = np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-beta @ design))
        gradient = design @ (weight * (relevant - p))
        hessian = (design * (weight * p * (1 - p))) @ design.T
        beta += np.linalg.solve(hessian, gradient)
    return float(beta[0]), float(beta[1])


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    corpora = {source: Corpus(data, kind, source) for kind, source in RANKED}
    models = {}
    for name in ("minilm", "static"):
        model, ndcg = fit(open_embedder(name), corpora)
        models[name] = {key: round(value, 4) for key, value in asdict(model).items()}
        print(f"{name}: {models[name]}, nDCG@10 {ndcg:.3f}")
    likeness = {key: round(value, 4) for key, value in asdict(measure_likeness(open_embedder(REFERENCE))).items()}
    fitted = {
        "ranking_fitted_on": [source for _, source in RANKED],
        "probability_fitted_on": [source for _, source in LABELLED],
        "models": models,
        "likeness": likeness,
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
