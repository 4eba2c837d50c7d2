"""Measures a model on what it was not trained on, through one function that scores pairs, whatever runs it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from docmind.models.pairs import Pair, encode_pairs
from docmind.models.tokens import load_tokenizer
from docmind.models.weights import MINILM_TOKENIZER
from training import rows
from training.batches import pad
from training.benchmarks import Benchmarks, Judging, Ranking, standard
from training.metrics import Floats, area, f1_over_folds, ndcg, token_f1
from training.model import Encoder
from training.rows import ReadRow

ANSWER_TOKENS = 30
FIRST_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Scored:
    """What the heads say of one pair."""

    support: NDArray[np.float32]
    relevance: float
    span: NDArray[np.float32]
    words: NDArray[np.float32]


Scorer = Callable[[Sequence[Pair]], list[Scored]]


def with_torch(model: Encoder, device: str, tokens_a_batch: int = 65_536) -> Scorer:
    def score(pairs: Sequence[Pair]) -> list[Scored]:
        scored: dict[int, Scored] = {}
        order = sorted(range(len(pairs)), key=lambda place: len(pairs[place].ids))
        at = 0
        while at < len(order):
            size = max(1, tokens_a_batch // len(pairs[order[min(at + 256, len(order) - 1)]].ids))
            some = order[at : at + size]
            ids, lengths = pad([np.array(pairs[place].ids) for place in some])
            with torch.inference_mode(), torch.autocast(device, torch.bfloat16, enabled=device != "cpu"):
                out = model(ids.to(device), lengths.to(device))
            parts = [part.float().cpu().numpy() for part in (out.support, out.relevance, out.span, out.words)]
            for row, place in enumerate(some):
                count = len(pairs[place].ids)
                scored[place] = Scored(
                    parts[0][row], float(parts[1][row]), parts[2][row, :count], parts[3][row, :count]
                )
            at += size
        return [scored[place] for place in range(len(pairs))]

    return score


def evaluate(score: Scorer, folder: Path, benchmarks: Benchmarks) -> dict[str, float]:
    """All figures of one model: reading on held-out questions, ranking on SciFact, judging on RAGTruth and WiCE."""
    tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=4096)

    def scored(pairs: Sequence[tuple[str, str]]) -> tuple[list[Pair], list[Scored]]:
        encoded = encode_pairs(tokenizer, pairs)
        return encoded, score(encoded)

    figures: dict[str, float] = {}
    for name in ("held_out", "elsewhere"):
        some = rows.read(ReadRow, folder / f"{name}.jsonl.xz")
        if some:
            figures |= _reading(name, some, *scored([(row.question, row.context) for row in some]))
    ranking = benchmarks.ranking
    if ranking:
        _, results = scored(
            [(q, text) for q, texts in zip(ranking.queries, ranking.candidates, strict=True) for text in texts]
        )
        figures |= _ranking(ranking, [one.relevance for one in results])
    for name, judged in benchmarks.judging.items():
        figures |= _judging(name, judged, *scored(judged.pairs))
    return {name: round(value, 4) for name, value in figures.items()}


def best_span(pair: Pair, span: NDArray[np.float32]) -> tuple[int, int, float]:
    """The best start and end in the passage, as tokens of it, and by how much it beats saying nothing."""
    start, end = span[pair.passage : -1, 0], span[pair.passage : -1, 1]
    together = start[:, None] + end[None, :]
    allowed = np.triu(np.ones_like(together, bool)) & ~np.triu(np.ones_like(together, bool), ANSWER_TOKENS)
    at = int(np.argmax(np.where(allowed, together, -np.inf)))
    first, last = divmod(at, together.shape[1])
    return first, last, float(together[first, last] - span[0, 0] - span[0, 1])


def _reading(name: str, some: Sequence[ReadRow], pairs: Sequence[Pair], results: Sequence[Scored]) -> dict[str, float]:
    whole, told = [], []
    for row, pair, result in zip(some, pairs, results, strict=True):
        first, last, margin = best_span(pair, result.span)
        answer = row.context[pair.passage_offsets[first][0] : pair.passage_offsets[last][1]]
        whole.append(token_f1(answer if margin > 0 else "", row.answer))
        told.append(token_f1(answer, row.answer))
    has = np.array([bool(row.answer) for row in some])
    figures = {f"{name}/f1": float(np.mean(whole)), f"{name}/f1_answerable": float(np.mean(np.array(whole)[has]))}
    figures[f"{name}/f1_must_answer"] = float(np.mean(np.array(told)[has]))
    if (~has).any():
        figures[f"{name}/refused"] = float(np.mean(np.array(whole)[~has]))
    return figures


def _ranking(ranking: Ranking, scores: Sequence[float]) -> dict[str, float]:
    """nDCG@10 of the candidates as they came, of the encoder alone, and of both together at several shares."""
    at, gains = 0, []
    for relevant, wanted, first in zip(ranking.relevant, ranking.wanted, ranking.first, strict=True):
        own = standard(np.array(scores[at : at + len(first)]))
        before = standard(np.array(first))
        mixes = [before, *(share * before + own for share in FIRST_SHARES)]
        gains.append([ndcg(relevant, mix, wanted) for mix in mixes])
        at += len(first)
    means = np.mean(gains, axis=0)
    names = ["scifact/first", *(f"scifact/encoder+{share}" for share in FIRST_SHARES)]
    return dict(zip(names, map(float, means), strict=True))


def _judging(name: str, some: Judging, pairs: Sequence[Pair], results: Sequence[Scored]) -> dict[str, float]:
    support = np.array([_softmax(one.support) for one in results])
    words = np.array([_worst_word(pair, one) for pair, one in zip(pairs, results, strict=True)])
    covered = np.array([1 - _coverage(*pair) for pair in some.pairs])
    signals: dict[str, Floats] = {
        "lexical": covered,
        "support": 1 - support[:, 0],
        "words": words,
        "fused": standard(covered) + standard(_logit(1 - support[:, 0])) + standard(words),
    }
    group, wrong = np.array(some.group), np.array(some.wrong)
    figures = {}
    for signal, values in signals.items():
        worst = np.full(len(some.group_wrong), values.min())
        np.maximum.at(worst, group, values)
        figures[f"{name}/{signal}/auc"] = area(wrong, values)
        figures[f"{name}/{signal}/f1"] = f1_over_folds(np.array(some.group_wrong), worst, np.array(some.group_source))
    return figures


def _worst_word(pair: Pair, result: Scored) -> float:
    """The mean of the claim's two least supported tokens."""
    words = np.sort(result.words[1 : pair.passage - 1])
    return float(words[-2:].mean()) if len(words) else 0.0


def _coverage(claim: str, evidence: str) -> float:
    held = {word.strip(".,;:!?()\"'") for word in evidence.lower().split()}
    asked = [word.strip(".,;:!?()\"'") for word in claim.lower().split()]
    return float(np.mean([word in held for word in asked])) if asked else 1.0


def _softmax(logits: NDArray[Any]) -> Floats:
    powers = np.exp(np.asarray(logits, np.float64) - logits.max())
    result: Floats = powers / powers.sum()
    return result


def _logit(probability: Floats) -> Floats:
    kept = np.clip(probability, 1e-4, 1 - 1e-4)
    result: Floats = np.log(kept / (1 - kept))
    return result
