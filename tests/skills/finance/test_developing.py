"""How something moved, and what was expected of it."""

import pytest

from docmind.domain.documents import Passage
from docmind.quality.quantities import Computed, Operand
from docmind.skills.finance import analyse
from docmind.skills.finance.evidence.lookup import NOT_FORETOLD

OUTLOOK = "For 2023 we expect net sales of EUR 11 million to EUR 12 million and growth in malt."


def told(result: Operand) -> str:
    return result.formula if isinstance(result, Computed) else result.quantity.text


@pytest.mark.parametrize(
    "question",
    ["How did net sales grow?", "What is the trend in net sales?", "How have net sales developed over the years?"],
)
def test_all_years_are_told_with_the_change_as_an_amount_and_in_per_cent(report: list[Passage], question: str) -> None:
    assert [told(result) for result in analyse(question, report).results] == [
        "12,500 − 8,000 = EUR 4,500 thousand",
        "(12,500 − 8,000) / 8,000 = 56.25%",
        "€8,000",
        "€10,000",
        "€12,500",
    ]


def test_the_years_named_are_the_years_told(report: list[Passage]) -> None:
    results = analyse("How did gross profit change from 2022 to 2023?", report).results
    assert [told(result) for result in results][:2] == [
        "5,000 − 3,800 = EUR 1,200 thousand",
        "(5,000 − 3,800) / 3,800 = 31.58%",
    ]
    assert len(results) == 4


def foretold(report: list[Passage], text: str) -> list[Passage]:
    last = report[-1]
    return [*report, Passage("outlook", last.document_id, last.ordinal + 1, last.span, text, (), None, "text")]


def test_a_forecast_is_held_against_what_came_of_it(report: list[Passage]) -> None:
    answer = analyse("Did they meet their net sales forecast for 2023?", foretold(report, OUTLOOK))
    assert answer.verdict == "above the forecast"
    assert [result.quantity.text for result in answer.results] == ["€12,500"]
    assert [quote.text for quote in answer.quotes] == [OUTLOOK]


def test_without_a_forecast_nothing_is_held_against_it(report: list[Passage]) -> None:
    assert analyse("Did they meet their net sales forecast for 2023?", report).refusal == NOT_FORETOLD
