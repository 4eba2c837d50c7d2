"""Fit the relevance score on public training questions: `fit_relevance.py [DATA]`, written to corpus/relevance.json.

Each set's passages make a small corpus. A question is asked three ways: with its passage there, with it taken out
(near questions nobody answers), and of another set's corpus (far ones). The share of BM25 in the ranking is the one
with the best mean nDCG@10; a logistic regression on that ranking's score then gives the probability. No benchmark
that `docmind bench` scores is used.
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
from docmind.corpus.relevance import REFERENCE, Relevance, measure_likeness
from docmind.models.embedding import Embedder, open_embedder

SETS = (("share-alike", "squad2"), ("share-alike", "squadshifts_new_wiki"), ("permissive", "pubmedqa"))
QUESTIONS = 300
CANDIDATES = 10
"""Passages that count for each question: what a reader of the results would see."""
UNANSWERED = 0.25
"""Weight of a question without an answer beside one that has it."""
SHARES = (0.2, 0.3, 0.4, 0.5, 0.6)
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
        """For each passage, its BM25 score as a share of the ideal."""
        tokens = bm25.encode_query(question).indices
        rarest = log1p((len(self.passages) + 0.5) / 0.5)
        idf = {token: self._idf.get(token, rarest) for token in tokens}
        ideal = sum(idf.values()) or 1.0
        return np.array([sum(idf[token] * have.get(token, 0.0) for token in tokens) for have in self._weights]) / ideal


def fit(embedder: Embedder, corpora: list[Corpus]) -> tuple[Relevance, float]:
    """The fitted model and the mean nDCG@10 of its ranking."""
    passages = [embedder.embed_passages(corpus.passages).astype(np.float64) for corpus in corpora]
    questions = [embedder.embed_passages(corpus.questions).astype(np.float64) for corpus in corpora]
    signals = [
        [(vectors @ asked[number], corpus.matched(question)) for number, question in enumerate(corpus.questions)]
        for corpus, vectors, asked in zip(corpora, passages, questions, strict=True)
    ]

    def quality(share: float) -> float:
        ranks = [
            int((cosine + share * matched > (cosine + share * matched)[gold]).sum())
            for corpus, pairs in zip(corpora, signals, strict=True)
            for gold, (cosine, matched) in zip(corpus.gold, pairs, strict=True)
        ]
        return float(np.mean([1 / log2(rank + 2) if rank < 10 else 0.0 for rank in ranks]))

    share = max(SHARES, key=quality)
    rows: list[tuple[float, int, float]] = []

    def add(score: Floats, gold: int | None, weight: float) -> None:
        best = np.argsort(-score)[:CANDIDATES]
        rows.extend((float(score[place]), int(place == gold), weight) for place in best)

    for here, corpus in enumerate(corpora):
        for gold, (cosine, matched) in zip(corpus.gold, signals[here], strict=True):
            score = cosine + share * matched
            add(score, gold, 1.0)
            add(np.delete(score, gold), None, UNANSWERED)
        for there, other in enumerate(corpora):
            for number in range(0, len(other.questions), 2) if there != here else ():
                question = other.questions[number]
                add(passages[here] @ questions[there][number] + share * corpus.matched(question), None, UNANSWERED)
    intercept, slope = logistic(*(np.array(column, dtype=np.float64) for column in zip(*rows, strict=True)))
    return Relevance(intercept, slope, slope * share), quality(share)


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
    corpora = [Corpus(data, kind, source) for kind, source in SETS]
    models = {}
    for name in ("minilm", "static"):
        model, ndcg = fit(open_embedder(name), corpora)
        models[name] = {key: round(value, 4) for key, value in asdict(model).items()}
        print(f"{name}: {models[name]}, nDCG@10 {ndcg:.3f}")
    likeness = {key: round(value, 4) for key, value in asdict(measure_likeness(open_embedder(REFERENCE))).items()}
    fitted_on = [f"{source} ({kind})" for kind, source in SETS]
    TARGET.write_text(json.dumps({"fitted_on": fitted_on, "models": models, "likeness": likeness}, indent=1) + "\n")


if __name__ == "__main__":
    main()
