"""Two questions in one: where the second begins, what it asks alone, and when both are answered together."""

import pytest

from docmind.domain.documents import Passage, Span
from docmind.skills.finance import Analysis, Evidence, analyse_with, read_question
from docmind.skills.finance.analysis import join_analyses
from docmind.skills.finance.search.query import second_question, split_question

TEXT = (
    "Net sales | 2023: 120 | 2022: 100\nNet income | 2023: 12 | 2022: 15\n"
    "Research and development | 2023: 30 | 2022: 20"
)
EVIDENCE = Evidence([Passage("p", "d", 0, Span(0, len(TEXT)), TEXT, kind="table")])


def answered(text: str) -> Analysis:
    return analyse_with(read_question(text), EVIDENCE)


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (
            "What was Acme's revenue in 2024 and how did it change from 2023?",
            "How did Acme's revenue change from 2023 to 2024?",
        ),
        (
            "How much was revenue in Q1 2023 and how did it change from Q2?",
            "How did revenue change from Q2 2023 to Q1 2023?",
        ),
        (
            "What was Acme's debt in 2024 and how does it compare to 2022?",
            "How did Acme's debt change from 2022 to 2024?",
        ),
        (
            "What was revenue in 2023, and what was the percentage change?",
            "What was the percentage change in revenue in 2023?",
        ),
        (
            "What was revenue in 2023, and what was the percentage change from 2022?",
            "What was the percentage change in revenue from 2022 to 2023?",
        ),
        ("What was revenue in 2023 and what were operating expenses?", "What were operating expenses (2023)?"),
        (
            "What was the tax rate of Acme in 2023 and how did it change from 2022?",
            "How did tax rate of Acme change from 2022 to 2023?",
        ),
        ("What was revenue in 2023 and what was the focus of this spending?", ""),
        ("How much was research and development in 2023, and what might this indicate?", ""),
        ("What was the effective tax rate in 2023, and how does this compare to the statutory rate?", ""),
        ("What was revenue in 2023?", ""),
    ],
)
def test_a_second_question_on_figures_can_be_understood_alone(text: str, second: str) -> None:
    assert second_question(*split_question(text)) == second


def test_the_second_answer_is_told_with_the_first() -> None:
    text = "What were net sales in 2023 and how did they change from 2022?"
    first, second = split_question(text)
    both = join_analyses(text, answered(first), answered(second_question(first, second)))
    assert both is not None
    assert both.question.text == text
    assert [result.quantity.text for result in both.results] == ["120", "20", "20.00%", "100"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("What were net sales in 2023?", "What was the dividend in 2023?"),
        ("What was the dividend in 2023?", "What was net income in 2023?"),
        ("How did net sales change from 2022 to 2023?", "What was net income in 2023?"),
    ],
    ids=["second not found", "first not found", "first calculated"],
)
def test_a_second_answer_that_adds_nothing_certain_is_left_to_be_asked_by_itself(first: str, second: str) -> None:
    assert join_analyses(f"{first} {second}", answered(first), answered(second)) is None


def test_what_the_first_answer_tells_already_needs_no_other() -> None:
    first = answered("How did net sales change from 2022 to 2023?")
    assert join_analyses("", first, answered("What was the change in net sales from 2022 to 2023?")) is first
