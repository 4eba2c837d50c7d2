"""Questions that become plans without a chat model: what is looked up, when, and what is done with it."""

import pytest

from docmind.domain.documents import Passage
from docmind.quality.latex import validate_formula
from docmind.quality.quantities import Computed
from docmind.skills.finance import analyse
from docmind.skills.finance.plan.rule_planner import read_plan

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
    ("question", "periods", "steps"),
    [
        ("What were Anvil's net sales in each year from 2019 to 2021?", ["2021", "2020", "2019"], []),
        ("How did Anvil's net sales change from fiscal 2019 to fiscal 2021?", ["2021", "2020", "2019"], ["series"]),
        ("What was Anvil's average net income over fiscal 2019 to 2021?", ["2021", "2020", "2019"], ["average"]),
        ("What did Anvil's dividends paid from 2019 to 2021 come to in total?", ["2021", "2020", "2019"], ["sum"]),
        ("What was Anvil's cash in 2023 on June 30 and on May 31?", ["June 30, 2023", "May 31, 2023"], []),
        ("What was Anvil's revenue in Q1, Q2 and Q3 2023?", ["Q1 2023", "Q2 2023", "Q3 2023"], []),
        ("Anvil's revenue in the first two quarters of fiscal 2023?", ["Q1 of fiscal 2023", "Q2 of fiscal 2023"], []),
        (
            "Show Anvil's total revenue for the quarters ended June 30, 2022 and March 31, 2023.",
            ["quarters ended June 30, 2022", "3 months ended March 31, 2023"],
            [],
        ),
    ],
)
def test_every_period_that_is_meant_is_looked_up(question: str, periods: list[str], steps: list[str]) -> None:
    looked_up, calculated = read(question) or ([], [])
    assert [period for _, period in looked_up] == periods
    assert calculated == steps


@pytest.mark.parametrize(
    ("question", "figures", "steps"),
    [
        ("Which grew its revenue most in 2022, Anvil or Birch?", 4, ["growth", "growth", "highest"]),
        ("By what percentage did revenue grow at Anvil and Birch from 2021 to 2022?", 4, ["growth", "growth"]),
        ("What was the gross profit of Anvil and Birch in 2022 as a percentage of revenue?", 4, ["share", "share"]),
        ("What is the difference between Anvil's and Birch's revenue in 2022?", 2, ["change"]),
    ],
)
def test_what_is_of_one_company_is_calculated_for_each_by_itself(question: str, figures: int, steps: list[str]) -> None:
    plan = read_plan(question, COMPANIES)
    assert plan is not None
    assert len(plan.lookups) == figures
    assert {lookup.company for lookup in plan.lookups} == set(COMPANIES)
    assert [step.operation.value for step in plan.steps] == steps


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
    ("question", "lookups", "steps"),
    [
        (
            "What was the wingspan of Anvil's gliders in 2021 and in 2023?",
            [("wingspan gliders", "2021"), ("wingspan gliders", "2023")],
            [],
        ),
        (
            "How did Anvil's stock of spare propellers develop from 2021 to 2023?",
            [("stock spare propellers", "2023"), ("stock spare propellers", "2021")],
            ["change"],
        ),
        (
            "Compare the wingspan of the gliders of Anvil and of Birch in 2022.",
            [("wingspan gliders", "2022"), ("wingspan gliders", "2022")],
            [],
        ),
    ],
)
def test_what_the_catalogue_does_not_know_is_looked_up_for_each_time_and_company(
    question: str, lookups: list[tuple[str, str]], steps: list[str]
) -> None:
    assert read(question) == (lookups, steps)
    assert read_plan(question, COMPANIES, beside=0) is None


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
