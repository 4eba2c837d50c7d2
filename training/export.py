"""The trained reader as the ONNX file that ships: fp32 to compare with, and int8 with every scale fixed beforehand."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from tokenizers import Tokenizer

from build_weights import activation_ranges
from docmind.models.inference import load_tokenizer
from docmind.models.reader import encode_pairs
from docmind.models.weights import MINILM_TOKENIZER
from encoder_graph import Graph, Output, Weights, as_trained, width_of
from encoder_int8 import in_int8
from training.model import load
from training.rows import JudgeGroup, ReadGroup, read

SAMPLES = 60
"""Claims, and questions with two passages each, to see where activations lie."""


def export_reader(trained: Path, folder: Path, fp32: Path, int8: Path) -> list[tuple[str, str]]:
    """Write both files of a trained model; the rows of the training set that showed its activations come back."""
    state = load(trained).state_dict()
    weights = {name: tensor.float().numpy() for name, tensor in state.items()}
    weights["embeddings.token_type_embeddings.weight"] = np.zeros((1, width_of(weights)), np.float32)
    chance = random.Random(1)  # noqa: S311 - a sample, not a secret
    claims = read(JudgeGroup, folder / "claims.jsonl.xz")
    questions = [group.questions[0] for group in read(ReadGroup, folder / "questions.jsonl.xz")]
    samples = [
        (one.claim, one.evidence)
        for group in chance.sample(claims, min(SAMPLES, len(claims)))
        for one in group.items[:1]
    ]
    samples += [
        (asked.question, one.text)
        for asked in chance.sample(questions, min(SAMPLES, len(questions)))
        for one in asked.passages[:2]
    ]
    export(weights, samples, load_tokenizer(MINILM_TOKENIZER, max_tokens=4096), fp32, int8)
    return samples


def export(weights: Weights, samples: Sequence[tuple[str, str]], tokenizer: Tokenizer, fp32: Path, int8: Path) -> None:
    """Write both files; `samples` show the range of every activation."""

    def finish(graph: Graph, hidden: str) -> list[Output]:
        return _heads(graph, hidden, weights)

    rows = [pair.ids for pair in encode_pairs(tokenizer, samples)]
    onnx.save(as_trained(weights, finish=finish), fp32)
    ranges = activation_ranges(as_trained(weights, taps=True, finish=finish), rows)
    onnx.save(in_int8(weights, ranges, finish), int8)


def _heads(graph: Graph, hidden: str, weights: Weights) -> list[Output]:
    """`row`: the logits of supported, not stated, contradicted and answers; `tokens`: start, end, doubt, mark."""

    def pair(name: str) -> tuple[Any, Any]:
        return weights[f"{name}.weight"].T, weights[f"{name}.bias"]

    def linear(x: str, name: str, weight: Any, bias: Any) -> str:
        product = graph.op("MatMul", x, graph.constant(f"{name}.weight", weight))
        return graph.op("Add", product, graph.constant(f"{name}.bias", bias))

    (judge, judge_bias), (rank, rank_bias) = pair("verdict.0"), pair("answers.0")
    (verdict, verdict_bias), (score, score_bias) = pair("verdict.2"), pair("answers.2")
    first = graph.op("Gather", hidden, graph.constant("first_token", np.int64(0)), axis=1)
    inner = linear(first, "row.inner", np.hstack([judge, rank]), np.hstack([judge_bias, rank_bias]))
    hidden_width = width_of(weights)
    apart = np.zeros((2 * hidden_width, 4), np.float32)
    apart[:hidden_width, :3], apart[hidden_width:, 3:] = verdict, score
    row = linear(graph.op("Tanh", inner), "row", apart, np.hstack([verdict_bias, score_bias]))
    tokens = linear(hidden, "tokens", *pair("tokens"))
    return [(row, ["batch", 4]), (tokens, ["batch", "tokens", 4])]
