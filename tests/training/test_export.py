"""What is tokenized, trained and exported is one thing: the file says of two texts what the model said of their row."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: make test-training")

from docmind.models.reader import encode_pairs  # noqa: E402 - after torch was looked for
from training.batches import ResidentRows  # noqa: E402
from training.evaluate import scored  # noqa: E402
from training.export import export  # noqa: E402
from training.model import Reader, Shape  # noqa: E402
from training.packed import OPEN, UNKNOWN, pack  # noqa: E402
from training.rows import JudgeGroup, JudgeItem, PassageItem, QuestionItem, ReadGroup, read, write  # noqa: E402
from training.tokens import judge_items, question_items, tokenizer  # noqa: E402

CLAIM = "The office opens at 9 on Mondays."
EVIDENCE = "Opening hours. On Mondays the office opens at 8, on other days at 9."
WRONG = (CLAIM.index("9"), CLAIM.index("9") + 1)
GROUP = JudgeGroup(
    "one",
    (
        JudgeItem("The office opens at 8 on Mondays.", EVIDENCE, 0, (), ((15, 47),)),
        JudgeItem(CLAIM, EVIDENCE, 2, (WRONG,), ((15, 47),)),
    ),
)
ASKED = ReadGroup(
    "two",
    (
        QuestionItem("When is it open?", OPEN, (PassageItem(EVIDENCE, 1, (46, 47), ()), PassageItem("", 0, None, ()))),
        QuestionItem("Is it open?", None, (PassageItem(EVIDENCE, 0, None, ()),)),
    ),
)  # fmt: skip


def test_groups_read_back_as_they_were_written(tmp_path: Path) -> None:
    assert write([GROUP], tmp_path / "claims.jsonl.xz") == 1
    assert write([ASKED], tmp_path / "questions.jsonl.xz") == 1
    assert read(JudgeGroup, tmp_path / "claims.jsonl.xz") == [GROUP]
    assert read(ReadGroup, tmp_path / "questions.jsonl.xz") == [ASKED]


def test_the_wrong_word_and_the_deciding_sentence_are_marked() -> None:
    tokens = tokenizer()
    batch = ResidentRows(pack({"claims": judge_items(tokens, [GROUP])}), "cpu").batch(np.array([0]))
    begin, end = int(batch.first[1]), int(batch.first[1] + batch.lengths[1])
    ids = batch.ids[begin:end]
    doubted = ids[batch.doubt[begin:end] == 1].tolist()
    decides = ids[batch.marks[begin:end] == 1].tolist()
    assert tokens.decode(doubted) == "9"
    assert tokens.decode(decides) == "on mondays the office opens at 8"
    assert tokens.decode(ids.tolist()) == f"{CLAIM} {EVIDENCE}".lower()


def test_a_question_that_is_no_yes_no_question_is_told_to_be_none() -> None:
    batch = ResidentRows(pack({"questions": question_items(tokenizer(), [ASKED])}), "cpu").batch(np.array([0]))
    assert batch.verdict.tolist() == [OPEN, OPEN, UNKNOWN]
    assert batch.answers.tolist() == [1, 0, 0]
    assert (batch.ranked.tolist(), batch.twins.tolist()) == ([[0, 1]], [[0, 2]])
    start = int(batch.first[0] + batch.start[0])
    assert tokenizer().decode([int(batch.ids[start])]) == "8"


def test_the_exported_file_says_what_the_model_says(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    model = Reader(Shape(layers=2, hidden=96)).eval()
    with torch.no_grad():
        model.get_parameter("embeddings.kind_embeddings.weight").normal_()
        model.get_buffer("distances").normal_()
    weights = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    weights["embeddings.token_type_embeddings.weight"] = np.zeros((1, 96), np.float32)
    pairs = [(one.claim, one.evidence) for one in GROUP.items]
    tokens = tokenizer()
    export(weights, pairs, tokens, tmp_path / "fp32.onnx", tmp_path / "int8.onnx")
    rows = ResidentRows(pack({"claims": judge_items(tokens, [GROUP])}), "cpu")
    expected = scored(model, rows, np.array([0])).verdict
    session = onnxruntime.InferenceSession(tmp_path / "fp32.onnx", providers=["CPUExecutionProvider"])
    for pair, wanted in zip(encode_pairs(tokens, pairs), expected, strict=True):
        inputs = {"input_ids": np.array([pair.ids], np.int32), "lengths": np.array([len(pair.ids)], np.int32)}
        logits = session.run(None, inputs)[0][0, :3]
        said = np.exp(logits) / np.exp(logits).sum()
        assert said == pytest.approx(wanted, abs=1e-3)
