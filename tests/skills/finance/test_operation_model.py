"""Which calculation a question asks for is told from its wording, whatever times it names."""

import json
from pathlib import Path

import numpy as np
import pytest

from docmind.skills.finance.operations import Operation, OperationModel, vector

QUESTIONS = Path(__file__).parents[3] / "data" / "operations" / "questions.jsonl"


def test_what_it_was_fitted_on_is_sound() -> None:
    rows = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    assert len({row["text"].lower() for row in rows}) == len(rows) >= 1_000
    for row in rows:
        assert row["operation"] in set(Operation)
        assert all(words in row["text"] for key in ("subject", "periods", "company") for words in row[key])


def test_which_time_is_named_changes_nothing() -> None:
    one, other = "How far did sales slide from 2019 to 2023?", "How far did sales slide from FY07 to FY08?"
    assert np.array_equal(vector(one), vector(other))
    assert not np.array_equal(vector(one), vector("How far did sales slide?"))


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("By what percent have glove sales gone up from FY19 to FY23?", Operation.GROWTH),
        ("How much more did the kitchen spend in 2024 than in 2023?", Operation.DIFFERENCE),
        ("What were the takings of the museum shop in 2022?", Operation.LOOKUP),
        ("What share of our income came from grants in 2021?", Operation.SHARE),
        ("Why did the margin fall?", Operation.EXPLAIN),
    ],
)
def test_a_question_in_ones_own_words(question: str, operation: Operation) -> None:
    likely = OperationModel.shipped().likely(question)
    assert max(likely, key=likely.__getitem__) == operation
    assert sum(likely.values()) == pytest.approx(1, abs=1e-5)
