"""Questions on the annual reports that come with the product, through the whole graph, with exact answers."""

from collections.abc import Callable
from typing import Any

import pytest

from docmind.domain.answers import Status
from docmind.domain.scope import Scope
from docmind.quality.charts import validate_chart
from docmind.quality.latex import validate_latex
from docmind.runtime.engine import DocMind
from docmind.skills.finance.analysis import from_plain
from docmind.skills.finance.confidence import analysis_confidence
from docmind.workflows.finance.generation import CERTAIN

Ask = Callable[..., Any]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was Ellandor's revenue in 2023?", "Ellandor's revenue was EUR 601,020 thousand in 2023"),
        ("What was ELLN's revenue in 2023?", "Ellandor's revenue was EUR 601,020 thousand in 2023"),
        ("What was Ellandor's turnover in 2022?", "Ellandor's revenue was EUR 579,520 thousand in 2022"),
        (
            "What was the operating profit of Ellandor Instruments in fiscal year 2024?",
            "operating profit was EUR 85,330 thousand in 2024",
        ),
        ("How much cash did Ellandor hold at the end of 2022?", "EUR 69,810 thousand in 2022"),
        ("For how much was Pallax Software acquired?", "EUR 27.5 million in cash"),
        ("Who became chief financial officer of Ellandor in 2024?", "Hanneke Vos"),
        ("What was Brackwater's sales revenue in 2024?", "sales revenue was EUR 148.7 million in 2024"),
        ("How many people did Brackwater Sensors employ at the end of 2023?", "the group had 846 employees"),
        ("What was Ellandor's revenue in 2020?", "EUR 501.3 million in 2020"),
        ("What was Ellandor's operating margin in 2022, in percent?", "11.3% in 2022"),
        ("By what percentage did Ellandor's revenue grow from 2022 to 2023?", "grew by 3.71% from 2022 to 2023"),
        (
            "What was Ellandor's compound annual revenue growth from 2022 to 2024, in percent?",
            "grew by 6.33% a year from 2022 to 2024",
        ),
        ("What was Ellandor's EBITDA in 2024, in thousands of euros?", "EBITDA was EUR 123,470 thousand in 2024"),
        (
            "What share of Ellandor's 2024 revenue came from North America, in percent?",
            "was 30.43% of total revenue in 2024",
        ),
        (
            "What was Ellandor's current ratio at the end of 2023?",
            "current ratio was 2.02 times in 2023",
        ),
        (
            "What was Ellandor's free cash flow over the three years 2022 to 2024, in thousands of euros?",
            "from 2022 to 2024 was EUR 128,780 thousand in total",
        ),
        ("By what percentage did Brackwater's EBIT change in 2024?", "changed by -23.72% from 2023 to 2024"),
        (
            "What was Brackwater's return on equity in 2024, on equity at year end, in percent?",
            "return on equity was 8.31% in 2024",
        ),
        ("What was Ellandor's revenue per employee in 2024?", "EUR 222,413.44 per person in 2024"),
        (
            "How many times Brackwater's sales revenue was Ellandor's revenue in 2024?",
            "Ellandor's total revenue was 4.41 times Brackwater's total revenue in 2024",
        ),
        (
            "What is the difference between Ellandor's and Brackwater's employees in 2024?",
            "exceeded Brackwater's employees at year end by 2,117 in 2024",
        ),
        ("How many times EBITDA was Ellandor's net debt at the end of 2023?", "net debt was 0.60 times"),
        ("How did Ellandor's net margin change from 2022 to 2024?", "rose by 1.34 percentage points from 2022 to 2024"),
        ("How did Ellandor's revenue develop from 2022 to 2024?", "rose by EUR 75,710 thousand from 2022 to 2024"),
        ("How did Ellandor's revenue develop from 2022 to 2024?", "grew by 13.06% from 2022 to 2024"),
        (
            "What share of Ellandor's revenue increase from 2022 to 2024 came from North America?",
            "was 45.09% of",
        ),
        ("Which company had the higher operating margin in 2024, Ellandor or Brackwater?", "**Ellandor Instruments"),
        ("Which Ellandor region had the highest revenue in 2024?", "**Europe**"),
    ],
)
def test_a_question_is_answered_with_the_value_of_the_reports(ask: Ask, question: str, told: str) -> None:
    result = ask(question).result
    assert result.status is Status.ANSWERED
    assert told in result.answer
    assert {claim.status for claim in result.claims} == {"supported"}


@pytest.mark.parametrize(
    ("question", "because"),
    [
        ("What was Ellandor's revenue in the first quarter of 2024?", "do not cover the period"),
        ("How much did Ellandor's chief executive earn in 2023?", "do not hold the figure"),
        ("What was Brackwater's revenue in 2020?", "do not cover the period"),
        ("What was Microsoft's revenue in 2023?", "do not mention “Microsoft”"),
        ("and the year before?", "leaves open what it asks about"),
    ],
)
def test_what_the_reports_do_not_tell_is_refused_with_the_reason(ask: Ask, question: str, because: str) -> None:
    run = ask(question)
    assert run.result.status is Status.REFUSED
    assert because in run.state["response"]["refusal"]
    assert 0 < len(run.result.nearest) <= 3
    assert run.result.citations == []


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "How much was Ellandor's revenue in 2024 and how did it change from 2023?",
            ["was EUR 655,230 thousand in 2024", "rose by EUR 54,210 thousand from 2023 to 2024", "grew by 9.02%"],
        ),
        (
            "What was Ellandor's revenue in 2024 and what was Brackwater's revenue in 2023?",
            ["Ellandor's revenue was EUR 655,230 thousand in 2024", "revenue was EUR 151.3 million in 2023"],
        ),
    ],
    ids=["a change", "another company"],
)
def test_two_questions_in_one_are_both_answered(ask: Ask, question: str, told: list[str]) -> None:
    result = ask(question).result
    assert result.status is Status.ANSWERED
    assert all(one in result.answer for one in told)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was Ellandor's revenue in each year from 2022 to 2024?", ["579,520", "601,020", "655,230"]),
        ("Which grew its revenue most in 2024, Ellandor or Brackwater?", ["**Ellandor", "grew by 9.02%", "-1.72%"]),
        ("By what percentage did revenue change at Ellandor and Brackwater from 2023 to 2024?", ["9.02%", "-1.72%"]),
    ],
    ids=["years", "growth in order", "growth of each"],
)
def test_several_companies_or_years_are_each_told(ask: Ask, question: str, told: list[str]) -> None:
    result = ask(question).result
    assert result.status is Status.ANSWERED
    assert [one for one in told if one not in result.answer] == []


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What was the revenue of Ellandor and of Larkspur in 2024?", "There is no report of Larkspur."),
        ("What was Ellandor's revenue in 2024 and in 2031?", "There is no figure for revenue of Ellandor Instruments"),
    ],
)
def test_what_of_several_cannot_be_found_is_said_beside_what_was(ask: Ask, question: str, missing: str) -> None:
    result = ask(question).result
    assert result.status is Status.CAVEAT
    assert "EUR 655,230 thousand" in result.answer
    assert f"Note: {missing}" in result.answer


def test_a_second_question_that_figures_do_not_answer_is_left_to_be_asked_by_itself(ask: Ask) -> None:
    result = ask("How many people did Brackwater employ at the end of 2023 and why did revenue fall?").result
    assert result.status is Status.CAVEAT
    assert "were 846 in 2023" in result.answer
    assert "Ask by itself what was not looked into here: “why did revenue fall?”" in result.answer


def test_words_quoted_from_prose_are_as_likely_right_as_the_reader_says(ask: Ask) -> None:
    run = ask("Who became chief financial officer of Ellandor in 2024?")
    assert not run.state["analysis_results"]["analysis"]["results"]
    assert run.result.confidence == round(run.state["draft_confidence"], 4) < 0.99
    assert all(claim.confidence_score >= 0.99 for claim in run.result.claims)


def test_a_sentence_that_is_likelier_right_than_the_figures_found_is_quoted_in_their_place(ask: Ask) -> None:
    run = ask("What dividend per share did Ellandor propose for 2024?")
    assert "**EUR 0.56 per share**" in run.result.answer
    assert run.result.confidence == round(run.state["draft_confidence"], 4) > 0.5
    assert not run.state["analysis_results"]["analysis"]["results"]


def test_figures_that_are_certain_enough_are_told_without_reading(ask: Ask) -> None:
    run = ask("By what percentage did Ellandor's booked revenue grow from 2022 to 2023?")
    assert run.state["draft_confidence"] is None
    assert run.result.confidence >= CERTAIN


def test_what_figures_tell_is_as_likely_right_as_how_sure_each_step_was(ask: Ask) -> None:
    run = ask("What was Ellandor's revenue in 2023?")
    assert run.state["draft_confidence"] is None
    (claim,) = run.result.claims
    found = from_plain(run.state["analysis_results"]["analysis"])
    assert found.signals["by_name"] == 1
    assert analysis_confidence(found) > 0.5
    # No answer is surer than what it says is supported.
    assert run.result.confidence == round(min(analysis_confidence(found), claim.confidence_score), 4)


def test_a_total_that_does_not_add_up_in_the_source_is_told_with_the_answer(ask: Ask) -> None:
    result = ask("What was Ellandor's total capital expenditure in 2023?").result
    assert result.status is Status.CAVEAT
    assert "given as EUR 41,730 thousand, but its parts add up to EUR 41,370 thousand" in result.answer


def test_a_figure_is_cited_to_document_page_and_table_cell(ask: Ask, reports: DocMind) -> None:
    (cell,) = ask("What was Ellandor's revenue in 2023?").result.citations
    document = next(one for one in reports.documents(Scope("reports")) if one.id == cell.document)
    assert reports.text(document)[cell.start : cell.end] == cell.quote == "2023: 601,020"
    assert cell.cell == "Revenue: 2023"
    assert cell.page is not None


def test_a_calculation_shows_its_formula_with_the_numbers_put_in_and_cites_each(ask: Ask) -> None:
    result = ask("By what percentage did Ellandor's revenue grow from 2022 to 2023?").result
    assert r"\frac{601{,}020 - 579{,}520}{579{,}520} \times 100 = 3.71\,\%" in result.answer
    assert validate_latex(result.answer) == []
    assert {cell.quote for cell in result.citations} == {"2023: 601,020", "2022: 579,520"}


@pytest.mark.parametrize(
    ("question", "kind", "points"),
    [
        ("Plot Brackwater's sales revenue from 2022 to 2024", "line", [142.6, 151.3, 148.7]),
        ("Which company had the higher operating margin in 2024, Ellandor or Brackwater?", "bar", [13, 8]),
        ("What share of Ellandor's 2024 revenue came from North America?", "doughnut", [199380, 455850]),
    ],
)
def test_a_chart_has_the_kind_that_shows_it_best_its_unit_and_its_sources(
    ask: Ask, question: str, kind: str, points: list[float]
) -> None:
    result = ask(question).result
    (chart,) = result.charts
    assert chart["number"] == 1
    assert "[CHART:1]" in result.answer
    config = chart["config"]
    assert validate_chart(config) == []
    assert config["type"] == kind
    assert config["data"]["datasets"][0]["data"] == points
    assert config["options"]["plugins"]["subtitle"]["text"].startswith("Source: ")
    assert any(unit in config["options"]["plugins"]["title"]["text"] for unit in ("EUR", "%"))
