"""Fit how much reading a passage again counts: `PYTHONPATH=. fit_rerank.py [DATA]`, written to corpus/rerank.json.

The encoder has learned most of the public training questions by heart, so only those are asked whose passage it never
saw answering anything: `training.data` kept them back. As in `fit_relevance.py`, whose scores come first, each question
is asked of a small and a large corpus, with its passage there, with it taken out, and of the other set's corpus. The
share of reading is the one that ranks best; the probability is a logistic regression on that ranking's score.
"""

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import log2
from pathlib import Path
from typing import Any

import numpy as np

from docmind.corpus.relevance import REFERENCE, Relevance, open_relevance
from docmind.corpus.rerank import Rescore, excerpt
from docmind.models.embedding import open_embedder
from docmind.models.encoder import Encoder
from fit_relevance import UNANSWERED, Corpus, embed_all
from logistic import Floats, logistic
from training.data import kept_back_ranking

SETS = ("squad2", "squadshifts_new_wiki")
QUESTIONS = 100
QUESTIONS_A_CORPUS = (10, 100)
ELSEWHERE = 4
"""One question in so many is asked of the other set's corpus."""
READ = 10
"""Passages read for each question."""
SHARES = (0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0)
TARGET = Path(__file__).parent.parent / "src/docmind/corpus/rerank.json"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the passages that the first search found for it, and the place of the one that answers, if any."""

    question: str
    passages: list[str]
    first: Floats
    """Logits of the first score."""
    gold: int | None
    weight: float


def ask_all(sets: dict[str, list[dict[str, Any]]]) -> Iterator[Asked]:
    embedder = open_embedder(REFERENCE)
    relevance = open_relevance(embedder, TARGET.parent)
    vectors = embed_all(embedder, (row for rows in sets.values() for row in rows))
    for here, rows in sets.items():
        for size in QUESTIONS_A_CORPUS:
            for start in range(0, len(rows), size):
                corpus = Corpus(rows[start : start + size], vectors)
                for question, gold in zip(corpus.questions, corpus.gold, strict=True):
                    yield ask(corpus, relevance, question, gold, without=None)
                    yield ask(corpus, relevance, question, None, without=gold)
                for there in (name for name in sets if name != here):
                    for row in sets[there][start : start + size : ELSEWHERE]:
                        yield ask(corpus, relevance, row["query"], None, without=None)


def ask(corpus: Corpus, relevance: Relevance, question: str, gold: int | None, *, without: int | None) -> Asked:
    ranked = relevance.cosine * corpus.scores(question, relevance.matched / relevance.cosine)
    logits = relevance.intercept + ranked + relevance.size * np.log1p(corpus.total)
    best = [int(place) for place in np.argsort(-logits) if place != without][:READ]
    return Asked(
        question,
        [corpus.passages[place] for place in best],
        logits[best],
        best.index(gold) if gold in best else None,
        UNANSWERED if gold is None else 1.0,
    )


def read_all(questions: list[Asked]) -> list[Floats]:
    """What the encoder says to each question's passages; a pair that comes again is read once."""
    encoder = Encoder()
    wanted: dict[str, dict[str, float]] = {}
    for asked in questions:
        wanted.setdefault(asked.question, {}).update(dict.fromkeys(asked.passages, 0.0))
    for question, passages in wanted.items():
        logits = encoder.relevance(question, [excerpt(question, passage) for passage in passages])
        passages.update(zip(passages, map(float, logits), strict=True))
    return [np.array([wanted[asked.question][passage] for passage in asked.passages]) for asked in questions]


def ndcg(questions: list[Asked], read: list[Floats], share: float) -> float:
    gains = []
    for asked, logits in zip(questions, read, strict=True):
        if asked.weight == 1.0:
            score = asked.first + share * logits
            gains.append(0.0 if asked.gold is None else 1 / log2(int((score > score[asked.gold]).sum()) + 2))
    return float(np.mean(gains))


def fit(questions: list[Asked], read: list[Floats]) -> tuple[Rescore, float]:
    """The fitted model and the nDCG@10 of its ranking."""
    quality = {share: ndcg(questions, read, share) for share in SHARES}
    share = max(quality, key=lambda share: quality[share])
    score = np.concatenate([asked.first + share * logits for asked, logits in zip(questions, read, strict=True)])
    relevant = np.array([float(place == asked.gold) for asked in questions for place in range(len(asked.passages))])
    weight = np.array([asked.weight for asked in questions for _ in asked.passages])
    intercept, slope = logistic(score[None], relevant, weight)
    return Rescore(intercept, slope, slope * share), quality[share]


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    kept_back = kept_back_ranking(data)
    sets = {}
    for source in SETS:
        rows = [asdict(row) for row in kept_back if row.source == source]
        random.Random(7).shuffle(rows)
        sets[source] = rows[:QUESTIONS]
    questions = list(ask_all(sets))
    read = read_all(questions)
    fitted, quality = fit(questions, read)
    model = {key: round(value, 4) for key, value in asdict(fitted).items()}
    print(f"{model}, nDCG@10 {quality:.3f}, without reading {ndcg(questions, read, 0.0):.3f}")
    TARGET.write_text(json.dumps({"fitted_on": SETS, "model": model}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
