"""The docs workflow as people build on it: imported, run on the default store, extended with a node of their own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.graph import END, StateGraph

from docmind import DocMind, DocMindState, Scope, Settings, build_graph_workflow
from docmind.runtime import graphs
from docmind.workflows.docs.edges import docs_bounds, should_retry
from docmind.workflows.docs.nodes import decompose_node, generate_node, judge_node, output_node, retrieve_node

INITIAL: DocMindState = {
    "query": "How long are receipts kept?",
    "decomposition": None,
    "retrieved_sections": [],
    "generated_response": None,
    "judge_verdict": None,
    "final_output": None,
    "retry_count": 0,
    "node_history": [],
}


@pytest.fixture
def default_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The default workspace of an installation with one document in it."""
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    paper = tmp_path / "receipts.md"
    paper.write_text("# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n")
    with DocMind(Settings.load()) as engine:
        engine.ingest([paper], Scope("default"))
    graphs.default_engine.cache_clear()
    yield
    graphs.default_engine().close()
    graphs.default_engine.cache_clear()


@pytest.mark.usefixtures("default_store")
def test_the_graph_runs_as_it_is_on_the_default_store() -> None:
    state = asyncio.run(build_graph_workflow().ainvoke(INITIAL))
    assert state["node_history"] == ["decompose", "retrieve", "generate", "judge", "output"]
    assert state["final_output"] == state["generated_response"]
    assert "ten years" in state["final_output"]
    assert state["decomposition"]["sub_queries"] == ["How long are receipts kept?"]
    (section,) = state["retrieved_sections"]
    assert section["title"]
    assert "Receipts are kept for ten years." in section["content"]
    assert section["source"].endswith("receipts.md")
    assert 0 <= section["relevance_score"] <= 1


class MyState(DocMindState):
    """A state with a field of one's own."""

    custom_field: str


@pytest.mark.usefixtures("default_store")
def test_a_node_of_ones_own_goes_between_any_two_and_keeps_a_field_of_its_own() -> None:
    async def custom_node(state: MyState) -> MyState:
        state["custom_field"] = "value"
        state["node_history"] = state.get("node_history", []) + ["custom"]  # noqa: RUF005 - as the document shows it
        return state

    workflow = StateGraph(MyState)
    nodes: dict[str, Any] = {
        "decompose": decompose_node,
        "custom": custom_node,
        "retrieve": retrieve_node,
        "generate": generate_node,
        "judge": judge_node,
        "output": output_node,
    }
    for name, node in nodes.items():
        workflow.add_node(name, node)
    workflow.set_entry_point("decompose")
    workflow.add_edge("decompose", "custom")
    workflow.add_edge("custom", "retrieve")
    workflow.add_edge("retrieve", "generate")
    workflow.add_edge("generate", "judge")
    workflow.add_conditional_edges("judge", should_retry, {"retry": "retrieve", "output": "output"})
    workflow.add_edge("output", END)
    state = asyncio.run(workflow.compile().ainvoke({**INITIAL, "custom_field": ""}))
    assert state["node_history"] == ["decompose", "custom", "retrieve", "generate", "judge", "output"]
    assert "ten years" in state["final_output"]
    assert state["custom_field"] == "value"


@given(st.integers(1, 6), st.lists(st.booleans(), max_size=8))
def test_no_sequence_of_verdicts_passes_the_bound(limit: int, verdicts: list[bool]) -> None:
    steps, retries, remaining = 1, 0, iter(verdicts)
    while True:
        hallucinated = next(remaining, True)
        retries += hallucinated
        steps += 3
        verdict = {"is_hallucinated": hallucinated, "should_return": not hallucinated, "reasoning": ""}
        state: Any = {"judge_verdict": verdict, "retry_count": retries}
        if should_retry(state, limit=limit) == "output":
            break
    assert steps + 1 <= docs_bounds(max_hallucinations=limit).steps


@pytest.mark.usefixtures("default_store")
def test_the_graph_follows_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_DOCS__MAX_HALLUCINATIONS", "5")
    judge = build_graph_workflow().builder.branches["judge"]
    (branch,) = judge.values()
    assert branch.path.invoke({**INITIAL, "judge_verdict": {"is_hallucinated": True}, "retry_count": 4}) == "retry"


def test_a_retry_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    doubted = {**INITIAL, "judge_verdict": {"is_hallucinated": True}, "retry_count": 1}
    with caplog.at_level("INFO"):
        assert should_retry(cast("DocMindState", doubted)) == "retry"
    assert "attempt 2 of 2" in caplog.text


@pytest.mark.usefixtures("default_store")
def test_services_come_with_the_chat_models_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", "http://127.0.0.1:9/v1#small")
    with DocMind(Settings.load()) as engine:
        services = engine.services(Scope("default"))
    assert services.writer is not None
    assert services.judge is not None
    assert services.writer.name == services.judge.name == "http://127.0.0.1:9/v1#small"
