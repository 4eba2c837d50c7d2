"""Every run ends within a bound that is known before it starts, and no run sees another workspace."""

import json
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.domain.errors import InvalidScope
from docmind.domain.limits import StrategyLimits
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import StrategySettings
from docmind.workflows.strategy.edges import route_from_researcher, route_from_supervisor, strategy_bounds
from docmind.workflows.strategy.state import MASISInput, MASISState

Ask = Callable[..., Any]
DRAFTS = st.sampled_from([
    "Customers accept a delivery time of 26 weeks [1].",
    "Customers accept a delivery time of 52 weeks [1].",
    "Customers accept a delivery time of 26 weeks [77].",
    "The documents do not say.",
    "Customers accept a delivery time of 26 weeks [1]. " + "The net promoter score is 41. " * 11,
    "",
])  # fmt: skip
AUDITS = st.builds(
    lambda confidence, wrong, gaps: json.dumps({
        "confidence": confidence, "hallucination_detected": wrong, "logical_gaps": gaps,
    }),
    st.floats(0, 1), st.booleans(), st.sampled_from([[], ["the price"], ["\0", " ", "x" * 20_000]]),
)  # fmt: skip
SCORES = st.floats(0, 1).map(
    lambda score: json.dumps(dict.fromkeys(("faithfulness", "relevance", "completeness", "reasoning_quality"), score))
)
WORDS = [
    "customers", "accept", "delivery time", "weeks", "rival", "heron", "Project Heron", "budget", "26", "survey",
    "Kaltwerk", "workspace", "net promoter score",
]  # fmt: skip
VERDICTS = st.lists(st.tuples(AUDITS, SCORES) | st.just(("nonsense", "nonsense")), max_size=7)


@settings(max_examples=15)
@given(st.integers(0, 5), st.lists(DRAFTS, max_size=7), VERDICTS)
def test_whatever_the_models_say_a_run_ends_within_its_bound(
    ask: Ask, retries: int, drafts: list[str], verdicts: list[tuple[str, str]]
) -> None:
    run = ask(drafts=drafts, verdicts=[line for pair in verdicts for line in pair], max_retries=retries)
    most = strategy_bounds(max_retries=retries)
    assert len(run.nodes) <= most.steps
    assert run.calls <= most.calls(writer=1, judge=1)
    assert run.state["retry_count"] <= retries
    finalized = run.state["trace"][-1]["decision"] == "finalize"
    assert finalized != run.state["requires_human_review"]
    assert run.state["confidence"] >= (0.65 if finalized else max(run.state["metrics"]["confidence_history"]))


@given(
    st.booleans(),
    st.none() | st.just("draft"),
    st.lists(st.sampled_from(["first_run", "retry", "finalize", "human_review"]), max_size=3),
)
def test_the_router_asks_for_a_person_first_then_a_retry_then_a_draft(
    review: bool, draft: str | None, decisions: list[str]
) -> None:
    state: MASISState = MASISInput(user_query="q").to_state()
    state |= {"requires_human_review": review, "draft_answer": draft, "trace": [{"decision": one} for one in decisions]}
    route = route_from_supervisor(state)
    assert route in get_args(get_type_hints(route_from_supervisor)["return"])
    if review:
        assert route == "end"
    elif decisions[-1:] == ["retry"]:
        assert route == "retry"
    else:
        assert route == ("first_run" if draft is None else "end")


def test_without_evidence_the_researcher_leads_back_to_the_supervisor() -> None:
    assert route_from_researcher(MASISInput(user_query="q").to_state()) == "nothing"


@settings(max_examples=10)
@given(st.sampled_from(["heron", "rival", "nobody"]), st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_no_question_brings_anything_out_of_another_workspace(
    ask: Ask, stocked: DocMind, workspace: str, words: list[str]
) -> None:
    state = ask(" ".join(words), workspace=workspace).state
    own = {document.id for document in stocked.documents(Scope(workspace))}
    assert {one["document_id"] for one in state["evidence"]} <= own
    assert ("99 weeks" in (state["final_answer"] or "")) <= (workspace == "rival")


def test_a_workspace_that_cannot_be_one_is_refused(ask: Ask) -> None:
    with pytest.raises(InvalidScope):
        ask(workspace="../heron")


def test_the_settings_are_the_limits_with_their_defaults() -> None:
    assert StrategyLimits(**StrategySettings().model_dump()) == StrategyLimits()


def test_an_input_becomes_a_state_with_every_field_of_the_contract() -> None:
    state = MASISInput(user_query="q", workspace_id="w", max_retries=0).to_state()
    assert state == {
        "user_query": "q", "workspace_id": "w", "max_retries": 0, "evidence": [], "draft_answer": None,
        "final_answer": None, "critique": None, "confidence": 0.0, "retry_count": 0, "requires_human_review": False,
        "clarification_question": None, "trace": [], "metrics": {},
    }  # fmt: skip


def test_an_input_without_a_question_or_with_negative_retries_is_refused() -> None:
    for wrong in ({"user_query": ""}, {"user_query": "q", "max_retries": -1}, {"user_query": "q", "depth": 3}):
        with pytest.raises(ValueError, match="validation error"):
            MASISInput.model_validate(wrong)


@pytest.mark.parametrize(("retries", "steps", "calls"), [(0, 11, 10), (2, 21, 20), (5, 36, 35)])
def test_the_bound_counts_a_round_for_every_draft_and_one_after_a_choice(retries: int, steps: int, calls: int) -> None:
    most = strategy_bounds(max_retries=retries)
    assert (most.steps, most.calls(writer=1, judge=1), most.calls()) == (steps, calls, 0)
