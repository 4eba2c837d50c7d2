"""Which questions ask for yes or no."""

import pytest

from docmind.skills.question.intent import asks_yes_or_no


@pytest.mark.parametrize(
    "question",
    [
        "Is the deposit refundable?",
        "I work part-time. Do I get the allowance too?",
        "we already have two keys, can we have a third",
        "The invoice came late, so does the discount still apply?",
        "So breakfast is included?",
    ],
)
def test_yes_or_no_is_asked_for_whatever_comes_before(question: str) -> None:
    assert asks_yes_or_no(question)


@pytest.mark.parametrize(
    "question",
    [
        "How long is the notice period?",
        "If I leave early, what happens to my deposit?",
        "Which of the two is cheaper, the annual or the monthly plan?",
        "who do i call when the alarm goes off",
        "",
    ],
)
def test_other_questions_want_something_else(question: str) -> None:
    assert not asks_yes_or_no(question)
