"""What a follow-up on figures stands for."""

import pytest

from docmind.skills.dialogue import History, Turn
from docmind.skills.finance.follow_up import leaves_open, understood

REVENUE = "What was Ellandor's revenue in 2023?"
GROWTH = "By what percentage did Ellandor's revenue grow from 2022 to 2023?"


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        (REVENUE, "and the year before?", "What was Ellandor's revenue in 2022?"),
        (REVENUE, "And the following year?", "What was Ellandor's revenue in 2024?"),
        (GROWTH, "and the year before?", "By what percentage did Ellandor's revenue grow from 2021 to 2022?"),
        (REVENUE, "and in 2020?", "What was Ellandor's revenue in 2020?"),
        (REVENUE, "and Brackwater's?", "What was Brackwater's revenue in 2023?"),
        (REVENUE, "And net income?", "What was Ellandor's net income in 2023?"),
        (REVENUE, "and Brackwater's EBIT in 2022?", "What was Brackwater's EBIT in 2022?"),
        (GROWTH, "and operating profit?", "By what percentage did Ellandor's operating profit grow from 2022 to 2023?"),
        (REVENUE, "How did it develop from 2022 to 2024?", "How did Ellandor's revenue develop from 2022 to 2024?"),
        (REVENUE, "What drove it?", "What drove Ellandor's revenue?"),
        (GROWTH, "Now as a chart", GROWTH),
        (REVENUE, "Show me a bar chart", REVENUE),
        (REVENUE, "How many people did Brackwater employ in 2024?", "How many people did Brackwater employ in 2024?"),
    ],
)
def test_a_follow_up_becomes_a_question_of_its_own(before: str, said: str, meant: str) -> None:
    assert understood(said, History((Turn(before, "An answer."),))) == meant


@pytest.mark.parametrize(
    "question",
    [
        "Does Anvil hedge its fuel, or what else protects it from rising prices?",
        "Anvil is moving its ledger to a new system. Is that a response to a weakness?",
        "Which risks does Anvil name that could hurt its sales abroad?",
    ],
)
def test_what_a_question_says_itself_is_not_taken_from_the_one_before(question: str) -> None:
    assert understood(question, History((Turn(REVENUE, "An answer."),))) == question


def test_a_first_question_is_left_as_it_is() -> None:
    assert understood("and the year before?", History()) == "and the year before?"
    assert leaves_open("and the year before?")
    assert not leaves_open(REVENUE)


def test_a_message_that_left_everything_open_is_nothing_to_go_on_from() -> None:
    assert understood("and in 2020?", History((Turn("and the year before?"),))) == "and in 2020?"
