"""Fit the relevance score on public training questions: `fit_relevance.py [DATA]`, written to corpus/relevance.json.

Each set's passages make a small corpus. The weight of BM25 in the ranking is the one with the best mean nDCG@10 over
all sets. The probability is then a logistic regression on that ranking's score and the size of the corpus, over those
sets whose questions have one known answer and no unlabelled second one. Each question is asked of corpora of several
sizes, and three ways: with its passage there, with it taken out (near questions nobody answers), and of another set's
corpus (far ones). No benchmark that `docmind bench` scores is used.
"""

import json
import lzma
import random
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from math import log1p, log2
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docmind.corpus.index import bm25
from docmind.corpus.relevance import REFERENCE, Relevance, measure_likeness, share_matched
from docmind.models.embedding import Embedder, open_embedder
from logistic import Floats, logistic

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
QUESTIONS_A_CORPUS = (6, 20, 75, 300)
"""Each question brings about seven passages, so these are corpora from a few dozen passages to a thousand or two."""
CANDIDATES = 10
"""Passages that count for each question: what a reader of the results would see."""
UNANSWERED = 0.25
"""Weight of a question without an answer beside one that has it."""
SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
TARGET = Path(__file__).parent.parent / "src/docmind/corpus/relevance.json"

Vectors = NDArray[np.float64]


class Corpus:
    """Questions, the passages of all of them, and every question's scores for every passage."""

    def __init__(self, rows: list[dict[str, Any]], vectors: dict[str, Vectors]) -> None:
        self.questions: list[str] = [row["query"] for row in rows]
        self.passages = list(dict.fromkeys(text for row in rows for text in (row["positive"], *row["negatives"])))
        self.gold = [self.passages.index(row["positive"]) for row in rows]
        self.total = len(self.passages)
        self._vectors = vectors
        self._dense = np.stack([vectors[text] for text in self.passages])
        sparse = (bm25.encode_passage(text) for text in self.passages)
        self._weights = [dict(zip(vector.indices, vector.values, strict=True)) for vector in sparse]
        frequency = Counter(token for tokens in self._weights for token in tokens)
        self._idf = {token: log1p((self.total - n + 0.5) / (n + 0.5)) for token, n in frequency.items()}

    def scores(self, question: str, share: float) -> Floats:
        """What each passage scores in the ranking."""
        tokens = bm25.encode_query(question).indices
        rarest = log1p((self.total + 0.5) / 0.5)
        idf = {token: self._idf.get(token, rarest) for token in tokens}
        ideal = sum(idf.values())
        lexical = (sum(idf[token] * have.get(token, 0.0) for token in tokens) for have in self._weights)
        matched = np.array([share_matched(score, ideal, self.total) for score in lexical])
        cosines: Floats = self._dense @ self._vectors[question]
        return cosines + share * matched

    def ndcg(self, share: float) -> float:
        gains = []
        for question, gold in zip(self.questions, self.gold, strict=True):
            score = self.scores(question, share)
            rank = int((score > score[gold]).sum())
            gains.append(1 / log2(rank + 2) if rank < 10 else 0.0)
        return float(np.mean(gains))


def read_rows(data: Path, kind: str, source: str) -> list[dict[str, Any]]:
    with lzma.open(data / "train" / kind / "rank.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["source"] == source]
    random.Random(7).shuffle(rows)
    return rows[:QUESTIONS]


def embed_all(embedder: Embedder, rows: Iterable[dict[str, Any]]) -> dict[str, Vectors]:
    texts = list({text for row in rows for text in (row["query"], row["positive"], *row["negatives"])})
    return dict(zip(texts, embedder.embed_passages(texts).astype(np.float64), strict=True))


def fit(embedder: Embedder, sets: dict[str, list[dict[str, Any]]]) -> tuple[Relevance, float]:
    """The fitted model and the mean nDCG@10 of its ranking."""
    vectors = embed_all(embedder, (row for rows in sets.values() for row in rows))
    whole = [Corpus(rows, vectors) for rows in sets.values()]
    quality = {share: float(np.mean([corpus.ndcg(share) for corpus in whole])) for share in SHARES}
    share = max(quality, key=lambda share: quality[share])
    samples: list[tuple[float, float, int, float]] = []

    def add(score: Floats, total: int, gold: int | None, weight: float) -> None:
        best = np.argsort(-score)[:CANDIDATES]
        samples.extend((float(score[place]), log1p(total), int(place == gold), weight) for place in best)

    for _, here in LABELLED:
        for size in QUESTIONS_A_CORPUS:
            for first in range(0, QUESTIONS, size):
                corpus = Corpus(sets[here][first : first + size], vectors)
                for question, gold in zip(corpus.questions, corpus.gold, strict=True):
                    score = corpus.scores(question, share)
                    add(score, corpus.total, gold, 1.0)
                    add(np.delete(score, gold), corpus.total, None, UNANSWERED)
                for there in (name for _, name in LABELLED if name != here):
                    for row in sets[there][first : first + size : 2]:
                        add(corpus.scores(row["query"], share), corpus.total, None, UNANSWERED)
    score, size_log, relevant, weight = (np.array(column, dtype=np.float64) for column in zip(*samples, strict=True))
    intercept, slope, size_weight = logistic(np.stack([score, size_log]), relevant, weight)
    return Relevance(intercept, slope, slope * share, size_weight), quality[share]


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    sets = {source: read_rows(data, kind, source) for kind, source in RANKED}
    models = {}
    for name in ("minilm", "static"):
        model, ndcg = fit(open_embedder(name), sets)
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
