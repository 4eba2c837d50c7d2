"""No run takes more than was said before it began, whatever its models and its judge say."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig

from docmind.domain.errors import ModelError
from docmind.domain.scope import Scope
from docmind.models.chat.meter import Retries
from docmind.models.chat.recording import Broken, Line, ScriptedChat
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.runtime.session import plan
from docmind.runtime.workflows import DOCS
from docmind.settings import ModelSettings, Settings

SCOPE = Scope("w")
QUESTION = "How long are receipts kept?"
BREAKDOWN = json.dumps({"intent": "quantity", "sub_queries": [QUESTION]})
FAITHFUL = "Receipts stay on file for ten years [1]."
WRONG = "Receipts are kept for six years in a vault in Vienna [1]."
REFUSAL = "The passages do not say how long receipts are kept."
DOUBTFUL = "Receipts are kept for ten years after payment [1]."
CONDEMNED = json.dumps({"not_borne_out": [{"claim": 1, "words": "after payment", "reason": "It is not said."}]})
NOTHING_WRONG = '{"not_borne_out": []}'

FAILURES: tuple[Line, ...] = (
    "nonsense", "", Broken("Receipts"), ModelError("busy", retryable=True), ModelError("no such model"),
)  # fmt: skip
WRITTEN = st.lists(st.sampled_from((BREAKDOWN, FAITHFUL, WRONG, REFUSAL, *FAILURES)), max_size=30)
JUDGED = st.lists(st.sampled_from((NOTHING_WRONG, CONDEMNED, *FAILURES)), max_size=12)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    root = tmp_path_factory.mktemp("bounds")
    paper = root / "receipts.md"
    paper.write_text("# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n")
    with DocMind(Settings(data_dir=Path(root, "data"), models=ModelSettings(embedder="static"))) as opened:
        opened.ingest([paper], SCOPE)
        yield opened


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(written=WRITTEN, judged=st.none() | JUDGED, limit=st.integers(1, 3), attempts=st.integers(1, 2))
def test_no_run_passes_its_bounds(
    engine: DocMind, written: list[Line], judged: list[Line] | None, limit: int, attempts: int
) -> None:
    writer = ScriptedChat(written)
    judge = None if judged is None else ScriptedChat(judged, name="judge")
    roles = Roles(writer=writer, judge=judge, retries=Retries(attempts=attempts, first_wait_s=0))
    ready = plan(DOCS, replace(engine.services(SCOPE), max_hallucinations=limit), roles)
    graph = DOCS.build(ready.services, None)
    limits: RunnableConfig = {"recursion_limit": ready.bounds.steps + 1}
    state = asyncio.run(graph.ainvoke(DOCS.start(QUESTION), limits, context=ready.services))
    assert len(state["node_history"]) <= ready.bounds.steps
    assert writer.calls + (judge.calls if judge else 0) == ready.meter.spent.model_calls <= ready.bounds.model_calls
    assert state["final_output"]


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("attempts", [1, 3])
def test_the_bounds_are_no_larger_than_the_worst_run(engine: DocMind, limit: int, attempts: int) -> None:
    """Every call fails until its last attempt, every reply must be repaired, and every draft is condemned."""
    busy: list[Line] = [ModelError("busy", retryable=True)] * (attempts - 1)
    writer = ScriptedChat([*busy, "nonsense", *busy, BREAKDOWN, *[*busy, DOUBTFUL] * limit])
    judge = ScriptedChat([*busy, "nonsense", *busy, CONDEMNED] * limit, name="judge")
    roles = Roles(writer=writer, judge=judge, retries=Retries(attempts=attempts, first_wait_s=0))
    ready = plan(DOCS, replace(engine.services(SCOPE), max_hallucinations=limit), roles)
    graph = DOCS.build(ready.services, None)
    state = asyncio.run(graph.ainvoke(DOCS.start(QUESTION), context=ready.services))
    assert len(state["node_history"]) == ready.bounds.steps
    assert ready.meter.spent.model_calls == ready.bounds.model_calls
