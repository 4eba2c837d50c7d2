"""The fits of the scripts: there is one of any examples, however few and however alike."""

from pathlib import Path

import numpy as np
import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
NAMES = ("doubts", "unsaid")
ANSWERS = [
    ("anvil", [{"doubts": 0.0, "unsaid": 0.1}], True),
    ("anvil", [{"doubts": 1.0, "unsaid": 0.6}], False),
    ("birch", [{"doubts": 0.0, "unsaid": 0.2}], True),
    ("birch", [{"doubts": 2.0, "unsaid": 0.4}, {"doubts": 1.0, "unsaid": 0.4}], False),
]


@pytest.fixture(autouse=True)
def _scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)


def test_without_a_ridge_the_fit_is_the_one_of_most_likelihood() -> None:
    from logistic import logistic

    # Of three in four that are right where a signal is on, and one in four where it is off.
    signal = np.array([[1.0] * 4 + [0.0] * 4])
    right = np.array([1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    assert logistic(signal, right, np.ones(8)) == pytest.approx([-np.log(3), 2 * np.log(3)])


@pytest.mark.parametrize("answers", [ANSWERS, ANSWERS[:1], ANSWERS[:2], ANSWERS[::2], []])
def test_confidence_is_fitted_on_any_answers(answers: list[tuple[str, list[dict[str, float]], bool]]) -> None:
    from fit_filings import Weighed

    weighed = Weighed.of(NAMES, answers)
    weighed.check("answers")
    weights = weighed.weights(NAMES)
    assert list(weights) == ["intercept", *NAMES]
    assert all(np.isfinite(list(weights.values())))


def test_what_is_doubted_more_when_wrong_is_held_against_an_answer() -> None:
    from fit_filings import Weighed

    assert Weighed.of(NAMES, ANSWERS).weights(NAMES)["doubts"] < 0
