"""Which chart a message asks for, and what it asks besides."""

import pytest

from docmind.skills.finance.question import chart_kind, wants_chart, without_chart_request


@pytest.mark.parametrize(
    ("message", "kind", "question"),
    [
        ("Show Anvil's revenue by segment as a pie chart.", "pie", "Anvil's revenue by segment."),
        ("Draw me a line chart of Anvil's revenue", "line", "Anvil's revenue"),
        ("Plot Anvil's revenue from 2020 to 2023 as bars", "bar", "Anvil's revenue from 2020 to 2023"),
        ("What was Anvil's revenue, as a doughnut?", "pie", "What was Anvil's revenue?"),
        ("Chart Anvil's revenue", None, "Anvil's revenue"),
        ("How did revenue develop? Show a chart.", None, "How did revenue develop?"),
        ("What was revenue in 2022? Please show it as a bar chart.", "bar", "What was revenue in 2022?"),
    ],
)
def test_the_kind_of_chart_that_is_asked_for_is_known(message: str, kind: str | None, question: str) -> None:
    assert wants_chart(message)
    assert chart_kind(message) == kind
    assert without_chart_request(message) == question


@pytest.mark.parametrize("message", ["Which line items fell?", "What was the top line in 2022?"])
def test_a_line_that_is_no_chart_is_none(message: str) -> None:
    assert not wants_chart(message)
    assert chart_kind(message) is None
