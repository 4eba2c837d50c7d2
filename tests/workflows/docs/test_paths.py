"""Every path of the docs workflow, on the real graph, search and store, with a scripted chat model."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from langchain_core.runnables import RunnableConfig

from docmind.domain.answers import RunUsage, Status
from docmind.domain.scope import Scope
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Line, ScriptedChat
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.runtime.session import plan as plan_run
from docmind.runtime.workflows import DOCS
from docmind.workflows.docs.graph import build_graph_workflow
from docmind.workflows.docs.nodes import NO_ANSWER
from docmind.workflows.docs.result import result_of
from docmind.workflows.docs.state import DocMindState, initial_state

SCOPE = Scope("w")
QUESTION = "How long are receipts kept?"
UNANSWERED = "Who pays for the receipts of interns?"
BREAKDOWN = json.dumps({"intent": "quantity", "sub_queries": [QUESTION]})
FAITHFUL = "Receipts are kept for ten years [1]."
WRONG = "Receipts are kept for six years in a vault in Vienna [1]."
ONCE = ["decompose", "retrieve", "generate", "judge", "output"]
TWICE = ["decompose", *["retrieve", "generate", "judge"] * 2, "output"]
THRICE = ["decompose", *["retrieve", "generate", "judge"] * 3, "output"]


@pytest.fixture
def stocked(engine: DocMind, tmp_path: Path) -> DocMind:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "receipts.md").write_text("# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n")
    (folder / "travel.md").write_text(
        "# Travel\n\nTravel above EUR 500 needs the approval of the head of department.\n"
    )
    (folder / "cafeteria.md").write_text("# Cafeteria\n\nThe cafeteria serves soup from eleven to two.\n")
    (folder / "archive.md").write_text("# Archive\n\nThe archive in the cellar holds receipts of earlier years.\n")
    engine.ingest([folder], SCOPE)
    return engine


def asked(
    engine: DocMind, chat: ScriptedChat | None, *, question: str = QUESTION, limit: int = 2, sections: int = 1
) -> DocMindState:
    services = replace(engine.services(SCOPE), max_hallucinations=limit, sections=sections)
    plan = plan_run(DOCS, services, Roles(writer=chat))
    graph = build_graph_workflow(max_hallucinations=limit)
    config: RunnableConfig = {"recursion_limit": plan.bounds.steps + 1}
    state = asyncio.run(graph.ainvoke(initial_state(question), config, context=plan.services))
    return cast("DocMindState", state)


def learns(messages: Sequence[Message]) -> str:
    """Invents something, until it is told what was wrong with it; then cites the passage that says so."""
    told = messages[-1].content
    if "Passages:" not in told:
        return BREAKDOWN
    if "six years" not in told:
        return WRONG
    number = told[: told.index("Receipts are kept for ten years")].rpartition("[")[2].partition("]")[0]
    return f"Receipts are kept for ten years [{number}]."


def scripted(drafts: Sequence[Line]) -> ScriptedChat:
    return ScriptedChat([BREAKDOWN, *drafts])


def test_a_faithful_draft_is_given_out_without_a_retry(stocked: DocMind) -> None:
    state = asked(stocked, scripted([FAITHFUL]))
    assert state["final_output"] == FAITHFUL
    assert state["node_history"] == ONCE
    assert state["retry_count"] == 0
    verdict = state["judge_verdict"]
    assert verdict is not None
    assert (verdict["is_hallucinated"], verdict["should_return"]) == (False, True)


def test_a_hallucinated_draft_is_retried_with_its_unsupported_claims(stocked: DocMind) -> None:
    state = asked(stocked, ScriptedChat(learns), sections=4)
    assert state["node_history"] == TWICE
    assert state["retry_count"] == 1
    assert "kept for ten years" in (state["final_output"] or "")


def test_the_limit_is_two_drafts(stocked: DocMind) -> None:
    chat = scripted([WRONG, WRONG, FAITHFUL])
    state = asked(stocked, chat)
    assert state["final_output"] == NO_ANSWER
    assert state["retry_count"] == 2
    assert state["node_history"] == TWICE
    assert chat.calls == 3


def test_a_limit_of_three_gives_three_drafts(stocked: DocMind) -> None:
    state = asked(stocked, scripted([WRONG, WRONG, WRONG, FAITHFUL]), limit=3)
    assert state["final_output"] == NO_ANSWER
    assert state["retry_count"] == 3
    assert state["node_history"] == THRICE


def test_a_refusal_is_neither_retried_nor_given_out_as_an_answer(stocked: DocMind) -> None:
    state = asked(stocked, scripted(["The passages do not say who pays for receipts."]), question=UNANSWERED)
    assert state["final_output"] == NO_ANSWER
    assert state["retry_count"] == 0
    assert state["node_history"] == ONCE
    result = result_of(state, run_id="r", usage=RunUsage())
    assert (result.status, result.citations) == (Status.REFUSED, [])
    assert "receipts" in result.nearest[0].excerpt.lower()
    assert len(result.nearest) <= 3


def test_what_the_documents_plainly_say_is_quoted_where_the_model_finds_nothing(stocked: DocMind) -> None:
    state = asked(stocked, scripted(["The passages do not say how long receipts are kept."]))
    assert "Receipts are kept for ten years. [1]" in (state["final_output"] or "")
    assert state["node_history"] == ONCE
    result = result_of(state, run_id="r", usage=RunUsage())
    assert result.status is Status.ANSWERED
    assert "The answer is quoted from the documents" in " ".join(result.notices)


def test_a_sentence_that_is_borne_out_and_answers_something_else_does_not_go_out(stocked: DocMind) -> None:
    state = asked(stocked, scripted(["The cafeteria serves soup from eleven to two [1]."]), sections=4)
    assert state["final_output"] == NO_ANSWER
    verdict = state["judge_verdict"]
    assert verdict is not None
    assert not verdict["is_hallucinated"]
    assert verdict["confidence_score"] < 0.1
    assert "not likely to answer" in verdict["reasoning"]


def test_an_answer_comes_without_nearest_passages(stocked: DocMind) -> None:
    state = asked(stocked, scripted([FAITHFUL]))
    assert result_of(state, run_id="r", usage=RunUsage()).nearest == []


def test_a_retry_searches_without_the_sections_that_had_nothing_to_say(stocked: DocMind) -> None:
    plan = plan_run(DOCS, replace(stocked.services(SCOPE), sections=2), Roles(writer=scripted([WRONG, WRONG])))
    seen: list[set[str]] = []

    async def watch() -> None:
        graph = build_graph_workflow()
        async for update in graph.astream(initial_state(QUESTION), context=plan.services, stream_mode="updates"):
            if "retrieve" in update:
                seen.append({section["passage_id"] for section in update["retrieve"]["retrieved_sections"]})

    asyncio.run(watch())
    first, second = seen
    assert len(first) == len(second) == 2
    assert len(first & second) == 1


def test_without_a_chat_model_the_documents_own_sentences_answer(stocked: DocMind) -> None:
    state = asked(stocked, None, sections=4)
    assert "Receipts are kept for ten years." in (state["final_output"] or "").replace(" [1].", ".")
    verdict = state["judge_verdict"]
    assert verdict is not None
    assert verdict["should_return"]


def test_sources_that_disagree_are_named_and_the_answer_is_half_believed(engine: DocMind, tmp_path: Path) -> None:
    for name, years in {"policy": "ten", "handbook": "twelve"}.items():
        paper = tmp_path / f"{name}.md"
        paper.write_text(f"# {name.capitalize()}\n\nReceipts are kept for {years} years in the archive.\n")
        engine.ingest([paper], SCOPE)
    result = engine.run(QUESTION, SCOPE)
    assert result.status is Status.CAVEAT
    assert "The sources disagree: " in result.answer
    assert "“Policy” says ten years" in result.answer
    assert "“Handbook” says twelve years" in result.answer
    assert result.confidence < 0.65  # it was nearly certain without the other
