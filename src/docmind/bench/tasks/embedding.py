"""Embedding: passages a second of the shipped models and of the full-precision one, and what speed costs in quality."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median

import numpy as np

from docmind.bench.labelled import Abstract, scifact_abstracts, scifact_claims
from docmind.bench.metrics import ndcg
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench
from docmind.models.embedders import MiniLMEmbedder
from docmind.models.embedding import Embedder, Vectors, open_embedder

INT8, FP32, STATIC = "minilm-int8", "minilm-fp32", "static"
AIM_RATIO = {INT8: Aim(2), STATIC: Aim(30)}
AIM_LOSS = Aim(-0.005)
ROUNDS = 4
WARM_UP = 8

Question = tuple[str, frozenset[str]]


def run(bench: Workbench, *, abstracts: int = 1_000) -> list[Row]:
    source = bench.dataset("scifact")
    corpus = [abstract for _, abstract in zip(range(abstracts), scifact_abstracts(source), strict=False)]
    embedders = _embedders(bench)
    seconds, vectors = _embed_by_turns(bench, embedders, [abstract.text for abstract in corpus])
    rates = {system: 1 / median(each) for system, each in seconds.items()}
    rows = [Row("embedding", system, "per_second", rate, len(corpus)) for system, rate in rates.items()]
    if FP32 not in embedders:
        return rows
    ratios = [
        Row("embedding", system, "ratio", rates[system] / rates[FP32], len(corpus), {FP32: 1.0}, aim)
        for system, aim in AIM_RATIO.items()
    ]
    return [*rows, *ratios, *_quality(embedders, vectors, corpus, _questions(source, corpus))]


def _embedders(bench: Workbench) -> dict[str, Embedder]:
    found: dict[str, Embedder] = {INT8: open_embedder("minilm"), STATIC: open_embedder("static")}
    weights = bench.data / "minilm-fp32.onnx"
    if weights.is_file():
        found[FP32] = MiniLMEmbedder(model=weights)
    else:
        bench.note(
            f"embedding: there is no full-precision model {weights} to compare with; "
            f"`python scripts/build_weights.py --fp32 {weights}` puts one there."
        )
    return found


def _embed_by_turns(
    bench: Workbench, embedders: Mapping[str, Embedder], texts: Sequence[str]
) -> tuple[dict[str, list[float]], dict[str, Vectors]]:
    """Seconds a passage in each round and all the vectors. In a round every embedder takes the same texts in turn, so
    that what else the machine does falls on all of them alike."""
    seconds: dict[str, list[float]] = {system: [] for system in embedders}
    parts: dict[str, list[Vectors]] = {system: [] for system in embedders}
    for embedder in embedders.values():
        embedder.embed_passages(texts[:WARM_UP])
    size = -(-len(texts) // ROUNDS)
    with bench.steps("embedding: passages", len(texts)) as done:
        for start in range(0, len(texts), size):
            share = texts[start : start + size]
            for system, embedder in embedders.items():
                begun = time.perf_counter()
                parts[system].append(embedder.embed_passages(share))
                seconds[system].append((time.perf_counter() - begun) / len(share))
            done(start + len(share))
    return seconds, {system: np.concatenate(part) for system, part in parts.items()}


def _questions(source: Path, corpus: Sequence[Abstract]) -> list[Question]:
    """The claims that some abstract of this part of the set concerns."""
    here = {abstract.id for abstract in corpus}
    return [(claim, frozenset(relevant & here)) for claim, relevant in scifact_claims(source) if relevant & here]


def _quality(
    embedders: Mapping[str, Embedder],
    vectors: Mapping[str, Vectors],
    corpus: Sequence[Abstract],
    questions: Sequence[Question],
) -> list[Row]:
    ids = np.array([abstract.id for abstract in corpus])
    found = {}
    for system in (INT8, FP32):
        rankings = (ids[np.argsort(-(vectors[system] @ embedders[system].embed_query(q)))[:10]] for q, _ in questions)
        measured = (ndcg(ranked.tolist(), gold, 10) for ranked, (_, gold) in zip(rankings, questions, strict=True))
        found[system] = fmean(measured)
    rows = [Row("embedding", system, "ndcg@10", value, len(questions)) for system, value in found.items()]
    loss = found[INT8] - found[FP32]
    return [*rows, Row("embedding", f"{INT8} minus {FP32}", "ndcg@10", loss, len(questions), aim=AIM_LOSS)]
