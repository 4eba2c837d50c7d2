"""Two documents, two values: found, retried, shown to a person, and settled by the person's choice."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from docmind.domain.answers import RunResult, RunUsage, Status
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.skills.disputes import NEITHER
from docmind.workflows.strategy.graph import build_strategy_graph
from docmind.workflows.strategy.result import result_of
from docmind.workflows.strategy.state import MASISInput

BUDGET = "What is the capital budget of Project Heron for 2026 to 2028?"
BOARD, MINUTES = "Board paper: EUR 42.0 million", "Committee minutes: EUR 47.5 million"
THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}, "recursion_limit": 30}


def settled(engine: DocMind, *replies: object, **asked: Any) -> tuple[list[dict[str, Any]], RunResult]:
    """What a person is asked, one question a reply, and how the run ends."""

    async def run() -> tuple[list[dict[str, Any]], RunResult]:
        graph = build_strategy_graph(checkpointer=InMemorySaver())
        services = engine.services(Scope("heron"))
        state = await graph.ainvoke(MASISInput(user_query=BUDGET, **asked).to_state(), THREAD, context=services)
        questions = []
        for reply in replies:
            questions.append(state["__interrupt__"][0].value)
            state = await graph.ainvoke(Command(resume=reply), THREAD, context=services)
        assert "__interrupt__" not in state
        return questions, result_of(state, run_id="r", usage=RunUsage())  # type: ignore[arg-type]

    return asyncio.run(run())


def test_a_person_sees_both_claims_both_sources_and_a_choice(stocked: DocMind) -> None:
    (question,), _ = settled(stocked, BOARD)
    assert question["type"] == "conflict"
    assert question["question"] == (
        "“Board paper” says EUR 42.0 million and “Committee minutes” says EUR 47.5 million. "
        "Which source should the answer follow?"
    )
    assert question["options"] == [BOARD, MINUTES, NEITHER]
    assert question["claims"][0] == "The capital budget of Project Heron for 2026 to 2028 is EUR 42.0 million."
    assert "EUR 47.5 million" in question["claims"][1]
    texts = {document.id: stocked.text(document) for document in stocked.documents(Scope("heron"))}
    for source, claim in zip(question["sources"], question["claims"], strict=True):
        assert texts[source["document_id"]][source["start"] : source["end"]] == claim


def test_it_is_retried_before_a_person_is_asked(stocked: DocMind) -> None:
    _, result = settled(stocked, BOARD)
    supervised = [event for event in result.trace if event.node == "supervisor"]
    assert [event.decision for event in supervised] == ["first_run", "retry", "retry", "retry", "finalize"]
    assert [event.reason for event in supervised[1:4]] == [
        "The sources disagree.",
        "The sources disagree.",
        "A person settled what the sources disagree on.",
    ]


@pytest.mark.parametrize(
    ("choice", "said", "unsaid", "preferred"),
    [
        (BOARD, "EUR 42.0 million", "EUR 47.5 million", "“Board paper” (EUR 42.0 million) was preferred to"),
        ("2", "EUR 47.5 million", "EUR 42.0 million", "“Committee minutes” (EUR 47.5 million) was preferred to"),
        ("board paper", "EUR 42.0 million", "EUR 47.5 million", "“Board paper” (EUR 42.0 million) was preferred to"),
    ],
)
def test_the_answer_follows_the_choice_and_says_which_source_was_preferred_and_why(
    stocked: DocMind, choice: str, said: str, unsaid: str, preferred: str
) -> None:
    _, result = settled(stocked, choice)
    answer, note = result.answer.rsplit("\n\n", 1)
    assert said in answer
    assert unsaid not in answer
    assert preferred in note
    assert note.endswith("because you chose it.")
    assert result.status is Status.ANSWERED
    assert result.clarification is None


def test_where_neither_is_preferred_both_are_shown_with_a_caveat(stocked: DocMind) -> None:
    _, result = settled(stocked, NEITHER)
    assert "EUR 42.0 million" in result.answer
    assert "EUR 47.5 million" in result.answer
    assert result.answer.endswith("Neither was preferred, as you chose.")
    assert result.status is Status.CAVEAT


def test_a_reply_that_is_no_choice_is_asked_again(stocked: DocMind) -> None:
    (_, again), result = settled(stocked, "whatever", MINUTES)
    assert again["problem"] == "'whatever' is not one of the options."
    assert again["options"] == [BOARD, MINUTES, NEITHER]
    assert "“Committee minutes” (EUR 47.5 million) was preferred" in result.answer


def test_without_retries_a_person_is_asked_at_once(stocked: DocMind) -> None:
    _, result = settled(stocked, BOARD, max_retries=0)
    assert [event.node for event in result.trace].count("synthesizer") == 2


def test_without_a_checkpointer_the_question_comes_back_beside_the_draft(
    ask: Callable[..., Any], ids: dict[str, str]
) -> None:
    board = f"The capital budget of Project Heron for 2026 to 2028 is EUR 42.0 million [{ids['board']}]."
    run = ask(BUDGET, drafts=[board], max_retries=0)
    (waiting,) = run.state["__interrupt__"]
    assert waiting.value["options"] == [BOARD, MINUTES, NEITHER]
    result = result_of(run.state, run_id="r", usage=RunUsage())
    assert "EUR 42.0 million [1]" in result.answer
    assert result.status is Status.NEEDS_CLARIFICATION
    assert result.clarification is not None
    assert result.clarification.options == [BOARD, MINUTES, NEITHER]


def test_a_question_that_touches_no_disagreement_asks_nobody(ask: Callable[..., Any]) -> None:
    state = ask("When does the plant in Ostrava open?").state
    assert "__interrupt__" not in state
    assert "May 2027" in state["final_answer"]
