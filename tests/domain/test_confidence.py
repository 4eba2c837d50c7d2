"""How likely an answer is right, as people are told it."""

import pytest

from docmind.domain.answers import CheckedClaim, Clarification, RunResult, Status
from docmind.domain.confidence import Threshold, in_words, percent, told

CLAIM = CheckedClaim(
    text="It is so.", start=0, end=9, kind="general", status="supported", citations=[], confidence_score=0.99
)


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (1.0, "very likely right"),
        (0.9, "very likely right"),
        (0.8999, "likely right"),
        (0.7, "likely right"),
        (0.6999, "more likely right than not"),
        (0.5, "more likely right than not"),
        (0.4999, "unsure"),
        (0.0, "unsure"),
    ],
)
def test_a_probability_is_said_in_words(probability: float, words: str) -> None:
    assert in_words(probability) == words


def test_words_and_number_never_contradict_each_other() -> None:
    for thousandths in range(1001):
        probability = thousandths / 1000
        assert in_words(int(percent(probability).removesuffix("%")) / 100) == in_words(probability)


@pytest.mark.parametrize(
    ("probability", "shown"), [(0.82, "82%"), (0.29, "29%"), (0.8999, "89%"), (0.9999, "99%"), (1.0, "100%")]
)
def test_percent_is_whole_and_never_more_than_is_known(probability: float, shown: str) -> None:
    assert percent(probability) == shown


def test_words_come_with_their_number() -> None:
    assert told(0.82) == "likely right, 82%"
    assert told(0.61, words="unsure") == "unsure, 61%"


@pytest.mark.parametrize("most_wrong", [0.0, 0.1, 0.2, 0.3, 0.7, 0.9, 1.0])
def test_a_threshold_lets_through_what_just_meets_it(most_wrong: float) -> None:
    threshold = Threshold(most_wrong)
    assert threshold.allows(round(1 - most_wrong, 4))
    assert not threshold.allows(round(1 - most_wrong, 4) - 0.0001)


def test_without_a_threshold_everything_is_let_through() -> None:
    assert Threshold().allows(0.0)


@pytest.mark.parametrize(("most_wrong", "said"), [(0.2, "20%"), (0.025, "2.5%"), (0.07, "7%"), (0.0, "0%")])
def test_a_threshold_is_said_as_it_was_set(most_wrong: float, said: str) -> None:
    assert Threshold(most_wrong).allowed == f"at most {said} wrong answers"


def result(**given: object) -> RunResult:
    answered = {"run_id": "r", "workflow": "docs", "status": Status.ANSWERED, "answer": "It is so.", "claims": [CLAIM]}
    return RunResult.model_validate({**answered, "confidence": 0.82, **given})


def test_a_result_says_its_confidence_in_words() -> None:
    assert result().confidence_in_words == "likely right, 82%"
    assert result(unsure=True).confidence_in_words == "unsure, 82%"
    assert RunResult.model_validate_json(result().model_dump_json()) == result()


@pytest.mark.parametrize(
    "given",
    [
        {"status": Status.REFUSED},
        {"status": Status.NEEDS_CLARIFICATION, "clarification": Clarification(question="Which?")},
        {"claims": []},
    ],
    ids=["refused", "asks back", "claims nothing"],
)
def test_where_nothing_is_answered_no_confidence_is_told(given: dict[str, object]) -> None:
    assert result(**given).confidence_in_words is None
