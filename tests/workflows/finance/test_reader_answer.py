"""Where no figures answer, the reports that the question is about are read; a refusal says what was looked for."""

from collections.abc import Callable
from typing import Any

from docmind.domain.answers import Status
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind

Ask = Callable[..., Any]


def test_sentences_are_read_in_the_report_of_the_company_and_year_named(ask: Ask) -> None:
    run = ask("Who became chief financial officer of Ellandor in 2024?")
    assert "Hanneke Vos" in run.result.answer
    read = run.state["retrieved_context"]
    assert {chunk["source"] for chunk in read} == {"finance/ellandor-annual-report-2024.pdf"}
    assert run.result.citations[0].source == "ellandor-annual-report-2024.pdf"


def test_each_of_several_companies_is_read_in_its_own_reports(ask: Ask) -> None:
    run = ask("Where are the registered offices of Ellandor and Brackwater?")
    ellandor, brackwater = run.result.answer.split("## ")[1:]
    assert ellandor.startswith("Ellandor Instruments N.V.")
    assert "Zwolle" in ellandor
    assert brackwater.startswith("Brackwater Sensors AG")
    assert "Regensburg" in brackwater


def test_a_refusal_says_what_was_looked_for_and_where(ask: Ask) -> None:
    result = ask("What was Brackwater's revenue in 2020?").result
    assert result.status is Status.REFUSED
    assert result.answer.startswith("The documents do not answer this question. Looked for revenue of Brackwater")
    assert "for 2020" in result.answer
    assert "There is no report of Brackwater Sensors AG for 2020." in result.answer
    assert len(result.nearest) == 3


def test_a_total_is_drawn_as_its_parts_in_the_form_that_is_asked_for(ask: Ask) -> None:
    for kind, drawn in (("pie", "doughnut"), ("bar", "bar")):
        (chart,) = ask(f"Show Ellandor's 2024 revenue by region as a {kind} chart.").result.charts
        assert chart["config"]["type"] == drawn
        assert "Europe" in chart["config"]["data"]["labels"]
        assert len(chart["config"]["data"]["labels"]) > 2


def test_a_question_that_says_all_itself_hears_nothing_of_other_sessions(reports: DocMind) -> None:
    ann = Scope("reports", "carla")
    reports.run("What was Ellandor's revenue in 2023?", ann, workflow="finance")
    question = "How did it develop at Brackwater from 2022 to 2024?"
    trace = reports.run(question, ann, workflow="finance").trace
    assert not any("Ellandor" in event.reason for event in trace if event.node == "memory_and_query")
