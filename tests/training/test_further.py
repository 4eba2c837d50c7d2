"""The shipped file read back computes what the file does."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: make test-training")

from docmind.models.reader import Reader  # noqa: E402 - after torch was looked for
from docmind.models.weights import READER_MODEL  # noqa: E402
from training.batches import ResidentRows  # noqa: E402
from training.evaluate import scored  # noqa: E402
from training.further import from_int8, write_shipped  # noqa: E402
from training.model import load  # noqa: E402
from training.packed import pack  # noqa: E402
from training.rows import JudgeGroup, JudgeItem  # noqa: E402
from training.tokens import judge_items, tokenizer  # noqa: E402

PAIRS = [
    ("The office opens at 9 on Mondays.", "Opening hours. On Mondays the office opens at 8, on other days at 9."),
    ("Lunch is free for trainees.", "Lunch costs 4.20; trainees pay nothing."),
]


def test_it_says_of_pairs_what_the_file_says(tmp_path: Path) -> None:
    groups = [JudgeGroup(claim, (JudgeItem(claim, evidence, 0, (), ()),)) for claim, evidence in PAIRS]
    rows = ResidentRows(pack({"claims": judge_items(tokenizer(), groups)}), "cpu")
    told = [one.verdict.supported for one in Reader(judge=READER_MODEL, remembered=None).judge(PAIRS)]
    write_shipped(tmp_path / "base.pt", READER_MODEL)
    for model in (from_int8(READER_MODEL), load(tmp_path / "base.pt")):
        assert scored(model, rows, np.arange(len(PAIRS))).verdict[:, 0] == pytest.approx(told, abs=0.05)
