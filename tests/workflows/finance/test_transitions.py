"""Every transition of the workflow's table, and the way out from every node that fails."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.errors import GraphRecursionError

from docmind.domain.answers import Status
from docmind.domain.errors import StoreUnavailable
from docmind.workflows.finance import analysis, generation, retrieval
from docmind.workflows.finance.edges import (
    node,
    noted,
    route_after_quality_check,
    route_after_validation,
    unless_failed,
)
from docmind.workflows.finance.graph import build_finance_graph
from docmind.workflows.finance.state import FinanceState, FinanceUpdate, initial_state
from docmind.workflows.services import Services
from docmind.workflows.step import Step

Ask = Callable[..., Any]
QUESTION = "What was Ellandor's revenue in 2023?"
LOOKED_FOR_IN_VAIN = "What was Brackwater's revenue in 2020?"


@given(st.booleans(), st.integers(0, 5), st.none() | st.just("it broke"))
def test_validation_looks_again_while_something_is_missing_and_attempts_last(
    sufficient: bool, attempts: int, error: str | None
) -> None:
    state: FinanceState = {**initial_state("q"), "retrieval_sufficient": sufficient, "retrieval_attempts": attempts}
    route = route_after_validation({**state, "error": error})
    assert route in get_args(get_type_hints(route_after_validation)["return"])
    if error:
        assert route == "error"
    else:
        assert (route == "insufficient") == (not sufficient and attempts < 3)


@given(st.booleans(), st.integers(0, 5), st.none() | st.just("it broke"))
def test_the_quality_check_heals_while_the_response_is_invalid_and_attempts_last(
    valid: bool, attempts: int, error: str | None
) -> None:
    state: FinanceState = {**initial_state("q"), "response_valid": valid, "self_heal_attempts": attempts}
    route = route_after_quality_check({**state, "error": error})
    if error:
        assert route == "error"
    else:
        assert (route == "invalid") == (not valid and attempts < 2)


def test_agents_go_on_unless_something_failed() -> None:
    assert unless_failed(initial_state("q")) == "success"
    assert unless_failed({**initial_state("q"), "error": "it broke"}) == "error"


def test_a_question_that_the_first_retrieval_answers_takes_the_shortest_way(ask: Ask) -> None:
    run = ask(QUESTION)
    assert run.nodes == [
        "memory_and_query", "retrieval", "validation", "analysis", "validation", "text_explanation", "synthesis",
        "quality_check", "memory_update",
    ]  # fmt: skip
    assert run.state["retrieval_attempts"] == 1
    assert run.state["retrieval_sufficient"]
    assert run.state["response_valid"]


def test_what_is_missing_is_named_and_searched_for_in_at_most_three_retrievals(ask: Ask) -> None:
    run = ask(LOOKED_FOR_IN_VAIN)
    assert run.nodes[:9] == [
        "memory_and_query", *["retrieval", "validation", "refinement"] * 2, "retrieval", "validation",
    ]  # fmt: skip
    assert run.state["retrieval_attempts"] == 3
    (gap,) = run.state["gaps"]
    assert (gap["company"], gap["metric"], gap["year"]) == ("Brackwater Sensors AG", "revenue", 2020)
    searched = next(event for event in run.state["trace"] if event["node"] == "refinement")["reason"]
    assert "turnover" in searched
    assert "2020" in searched


def test_of_several_companies_and_years_each_has_its_share_of_the_passages(ask: Ask) -> None:
    run = ask("Compare the revenue of Ellandor and Brackwater in 2023 and 2024")
    kept = run.state["retrieved_context"]
    assert len(kept) == 8
    assert {chunk["company"] for chunk in kept} == {"Ellandor Instruments N.V.", "Brackwater Sensors AG"}
    assert len(run.state["analysis_results"]["analysis"]["results"]) == 4


def test_entities_become_filters_so_that_no_other_company_is_retrieved(ask: Ask) -> None:
    run = ask("What was BRWS's turnover in 2024?")
    asked = run.state["processed_query"]
    assert (asked["companies"], asked["metrics"], asked["years"]) == (["Brackwater Sensors AG"], ["revenue"], [2024])
    assert "net sales" in asked["augmented_query"]
    assert {chunk["company"] for chunk in run.state["retrieved_context"]} == {"Brackwater Sensors AG"}


@pytest.mark.parametrize(
    ("module", "work", "before"),
    [
        (retrieval, "memory_and_query", 0),
        (retrieval, "retrieve", 1),
        (retrieval, "validate_retrieval", 2),
        (retrieval, "refine", 3),
        (analysis, "analyse", 3),
        (analysis, "validate_analysis", 4),
        (generation, "text_explanation", 5),
        (generation, "synthesis", 6),
        (generation, "quality_check", 7),
        (generation, "self_heal", 8),
        (generation, "memory_update", 8),
    ],
)
def test_a_fault_in_any_node_ends_the_run_with_its_reason(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, module: Any, work: str, before: int
) -> None:
    async def broken(state: FinanceState, step: Step) -> FinanceUpdate:
        raise StoreUnavailable("The disk is gone.")

    monkeypatch.setattr(module, work, broken)
    if work == "self_heal":
        monkeypatch.setattr(generation, "quality_check", _never_content)
    run = ask(LOOKED_FOR_IN_VAIN if work == "refine" else QUESTION)
    assert run.state["error"].endswith("The disk is gone.")
    assert len(run.nodes) == before + 1
    assert run.state["trace"][-1]["decision"] == "failed"
    assert run.result.status is Status.FAILED
    assert run.result.answer == ""


async def _never_content(state: FinanceState, step: Step) -> FinanceUpdate:
    update: FinanceUpdate = {"response_valid": False, "problems": ["Something is wrong."]}
    return {**update, **noted(state, step.decided("invalid"))}


def test_a_store_that_fails_is_told_and_not_swallowed(ask: Ask) -> None:
    class Gone:
        async def areports(self, *_: Any) -> Any:
            raise StoreUnavailable("The Qdrant server does not answer.")

    run = ask(QUESTION, corpus=Gone())
    assert run.state["error"] == "memory_and_query: The Qdrant server does not answer."
    assert run.result.status is Status.FAILED


def test_each_agent_has_its_own_recursion_limit(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that never ends within one agent is stopped after fifteen steps, whatever the others took."""
    passed: list[str] = []

    async def endless(state: FinanceState, step: Step) -> FinanceUpdate:
        passed.append("validation")
        return {"retrieval_attempts": 0, "retrieval_sufficient": False}

    monkeypatch.setattr(retrieval, "validate_retrieval", endless)
    with pytest.raises(GraphRecursionError):
        asyncio.run(build_finance_graph().ainvoke(initial_state(QUESTION), context=services))
    assert len(passed) == 5


def test_the_user_of_the_state_sees_nothing_of_another(services: Services) -> None:
    elsewhere = replace(services, scope=replace(services.scope, workspace="empty"))
    state = asyncio.run(build_finance_graph().ainvoke(initial_state(QUESTION, user_id="bob"), context=elsewhere))
    assert state["user_id"] == "bob"
    assert state["retrieved_context"] == []
    assert state["response"]["refusal"]


def test_a_node_keeps_what_went_before_it_in_the_trace(services: Services) -> None:
    async def fine(state: FinanceState, step: Step) -> FinanceUpdate:
        return noted(state, step.decided("done"))

    class Runtime:
        context = services

        @staticmethod
        def stream_writer(_: object) -> None: ...

    state: FinanceState = {**initial_state("q"), "trace": [{"seconds": 1.0, "node": "earlier"}]}
    update = asyncio.run(node("later", fine)(state, cast("Any", Runtime())))
    assert [event["node"] for event in update["trace"]] == ["earlier", "later"]
