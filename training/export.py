"""The trained encoder as the ONNX file that ships: fp32 to compare with, and int8 with every scale fixed beforehand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from tokenizers import Tokenizer

from build_weights import activation_ranges
from docmind.models.pairs import encode_pairs
from minilm_graph import HIDDEN, Graph, Output, Weights, as_trained
from minilm_int8 import in_int8
from training import rows
from training.rows import RankRow, ReadRow, SupportRow

SAMPLES = 120
"""Of each kind of row, to see where activations lie."""


def export(weights: Weights, folder: Path, tokenizer: Tokenizer, fp32: Path, int8: Path) -> None:
    """Write both files; `folder` holds the training set, whose rows show the range of every activation."""

    def finish(graph: Graph, hidden: str) -> list[Output]:
        return _heads(graph, hidden, weights)

    samples = [pair.ids for pair in encode_pairs(tokenizer, sample_pairs(folder))]
    onnx.save(as_trained(weights, finish=finish), fp32)
    ranges = activation_ranges(as_trained(weights, taps=True, finish=finish), samples)
    onnx.save(in_int8(weights, ranges, finish), int8)


def read_trained(path: Path) -> Weights:
    state = torch.load(path, map_location="cpu", weights_only=True)
    weights = {name: tensor.float().numpy() for name, tensor in state.items()}
    return weights | {"embeddings.token_type_embeddings.weight": np.zeros((1, HIDDEN), np.float32)}


def sample_pairs(folder: Path) -> list[tuple[str, str]]:
    def some(found: Sequence[Any]) -> Sequence[Any]:
        return found[:: max(1, len(found) // SAMPLES)][:SAMPLES]

    support = [(row.claim, row.evidence) for row in some(rows.read(SupportRow, folder / "support.jsonl.xz"))]
    ranked = [(row.query, row.positive) for row in some(rows.read(RankRow, folder / "rank.jsonl.xz"))]
    reading = [(row.question, row.context) for row in some(rows.read(ReadRow, folder / "read.jsonl.xz"))]
    return support + ranked + reading


def _heads(graph: Graph, hidden: str, weights: Weights) -> list[Output]:
    """`row`: the logits of supported, unsupported, contradicted and relevant; `tokens`: start, end, unsupported."""

    def pair(name: str) -> tuple[Any, Any]:
        return weights[f"{name}.weight"].T, weights[f"{name}.bias"]

    def linear(x: str, name: str, weight: Any, bias: Any) -> str:
        product = graph.op("MatMul", x, graph.constant(f"{name}.weight", weight))
        return graph.op("Add", product, graph.constant(f"{name}.bias", bias))

    (judge, judge_bias), (rank, rank_bias) = pair("support.0"), pair("relevance.0")
    (verdict, verdict_bias), (score, score_bias) = pair("support.2"), pair("relevance.2")
    first = graph.op("Gather", hidden, graph.constant("first_token", np.int64(0)), axis=1)
    inner = linear(first, "row.inner", np.hstack([judge, rank]), np.hstack([judge_bias, rank_bias]))
    apart = np.zeros((2 * HIDDEN, 4), np.float32)
    apart[:HIDDEN, :3], apart[HIDDEN:, 3:] = verdict, score
    row = linear(graph.op("Tanh", inner), "row", apart, np.hstack([verdict_bias, score_bias]))
    (span, span_bias), (words, words_bias) = pair("span"), pair("words")
    tokens = linear(hidden, "tokens", np.hstack([span, words]), np.hstack([span_bias, words_bias]))
    return [(row, ["batch", 4]), (tokens, ["batch", "tokens", 3])]
