"""Questions that become plans without a chat model: what is looked up, when, and what is done with it."""

import pytest

from docmind.domain.documents import Passage
from docmind.quality.latex import validate_formula
from docmind.quality.quantities import Computed
from docmind.skills.finance import analyse
from docmind.skills.finance.plan.reading import read_plan

COMPANIES = ("Anvil Works", "Birch Mills")


def read(question: str) -> tuple[list[tuple[str, str]], list[str]] | None:
    plan = read_plan(question, COMPANIES)
    if plan is None:
        return None
    return [(one.item, one.period) for one in plan.lookups], [step.operation.value for step in plan.steps]


@pytest.mark.parametrize(
    ("question", "lookups", "steps"),
    [
        ("What was Anvil's top line in FY22?", [("top line", "FY22")], []),
        ("What was the current ratio of Anvil at the end of 2022?", [("current ratio", "2022")], []),
        (
            "Put together Anvil's trailing-twelve-month revenue as of June 30, 2023.",
            [("revenue", "twelve months ended June 30, 2023")],
            [],
        ),
        (
            "By how many basis points did Anvil's net margin move from 2021 to 2022?",
            [("net margin", "2022"), ("net margin", "2021")],
            ["change"],
        ),
        (
            "Compute the leftover cash of Anvil in 2022, defined as operating cash flow less capital expenditure.",
            [("operating cash flow", "2022"), ("capital expenditure", "2022")],
            ["less"],
        ),
        (
            "If EBITDA is operating income plus depreciation and amortization, what was Anvil's 2022 EBITDA margin?",
            [("operating income", "2022"), ("depreciation and amortization", "2022"), ("revenue", "2022")],
            ["sum", "share"],
        ),
        (
            "What was inventory turnover in 2022, taking cost of sales over the average of opening and closing stocks?",
            [("cost of sales", "2022"), ("stocks", "2022"), ("stocks", "2021")],
            ["average", "ratio"],
        ),
        (
            "What share of Anvil's 2022 increase in net sales came from Europe?",
            [("Europe", "2022"), ("Europe", "2021"), ("net sales", "2022"), ("net sales", "2021")],
            ["change", "change", "share"],
        ),
        (
            "Which had the higher operating margin in 2022, Anvil or Birch?",
            [("operating margin", "2022"), ("operating margin", "2022")],
            ["highest"],
        ),
    ],
)
def test_a_question_on_items_and_measures_becomes_a_plan(
    question: str, lookups: list[tuple[str, str]], steps: list[str]
) -> None:
    assert read(question) == (lookups, steps)


@pytest.mark.parametrize(
    "question",
    [
        "Why did revenue fall in 2022?",
        "Show revenue by region for 2022.",
        "What is the trailing-twelve-month revenue?",
        "How many parcels are sorted in Memphis?",
    ],
)
def test_what_words_or_several_rows_answer_is_no_plan_of_figures(question: str) -> None:
    assert read(question) is None


@pytest.mark.parametrize(
    ("question", "formula"),
    [
        (
            "How did the net margin change from 2022 to 2023?",
            "(1,250 / 12,500) − (900 / 10,000) = 1.00 percentage points",
        ),
        (
            "What share of the increase in net sales from 2022 to 2023 came from gross profit?",
            "1,200 / 2,500 = 48.00%",
        ),
        (
            "What was the average annual growth of net sales from 2021 to 2023?",
            "(((10,000 − 8,000) / 8,000) + ((12,500 − 10,000) / 10,000)) / 2 = 25.00%",
        ),
        ("What was gross margin in 2023? Answer to one decimal.", "5,000 / 12,500 = 40.0%"),
        (
            "What was the overhead in 2023, defined as net sales less cost of sales?",
            "12,500 − 7,500 = EUR 5,000 thousand",
        ),
    ],
)
def test_a_calculation_within_a_calculation_is_exact(report: list[Passage], question: str, formula: str) -> None:
    (result,) = analyse(question, report).results
    assert isinstance(result, Computed)
    assert result.formula == formula
    assert validate_formula(result.latex) == []


def test_initials_end_no_sentence() -> None:
    plan = read_plan("How much revenue did Anvil earn from the U.S. Postal Service in 2022?", ["Anvil"])
    assert plan is not None
    assert plan.lookups[0].segment == "U.S Postal Service"
