"""What is missing after the first retrieval is searched for, and the next one brings it."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from docmind.domain.answers import RunUsage, Status
from docmind.domain.scope import Scope
from docmind.models.chat.meter import Meter, MeteredChat
from docmind.models.chat.recording import ScriptedChat
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings
from docmind.workflows.finance.graph import build_finance_graph
from docmind.workflows.finance.result import result_of
from docmind.workflows.finance.state import FinanceState, next_turn
from docmind.workflows.services import Services

QUESTION = "What was the current ratio in 2023?"
BALANCE = """# Balance sheet

Our possessions and our obligations as the auditors of the group saw them on the last day:

| in thousands of euros | 2023 | 2022 |
|---|---|---|
| Total current assets | 3,000 | 2,500 |
| Total current liabilities | 1,500 | 1,400 |
"""
TALK = """# What the current ratio was in 2023

In 2023 branch {n} asked what the current ratio was: what was the current ratio in that year, and was it a good ratio?
"""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """A balance sheet among many papers that have the question's words, so that no search for these finds it."""
    folder = tmp_path_factory.mktemp("refining")
    papers = folder / "papers"
    papers.mkdir()
    (papers / "balance.md").write_text(BALANCE)
    for number in range(80):
        Path(papers, f"talk{number}.md").write_text(TALK.format(n=number))
    chosen = Settings(
        data_dir=folder / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1)
    )
    with DocMind(chosen) as engine:
        engine.ingest([papers], Scope("w"))
        yield replace(engine.services(Scope("w")), memory=None)


def asked(services: Services) -> FinanceState:
    state: Any = next_turn(QUESTION)
    return cast("FinanceState", asyncio.run(build_finance_graph().ainvoke(state, context=services)))


def test_what_a_measure_is_made_of_is_searched_for_from_the_start(services: Services) -> None:
    state = asked(services)
    assert state["retrieval_attempts"] == 1
    result = result_of(state, run_id="run", usage=RunUsage())
    assert result.status is Status.ANSWERED
    assert "was 2.00 times" in result.answer


def test_what_a_plan_names_is_searched_for_from_the_start(services: Services) -> None:
    lookups = [
        {"id": "a", "item": "total current assets", "period": "2023"},
        {"id": "b", "item": "total current liabilities", "period": "2023"},
    ]
    plan = {"lookups": lookups, "steps": [{"id": "s", "operation": "ratio", "of": ["a", "b"]}]}
    writer = MeteredChat(ScriptedChat([json.dumps({"question": QUESTION, **plan})]), Meter())
    state = asked(services.with_chat(writer, None))
    assert state["retrieval_attempts"] == 1
    assert "were 2.00 times" in result_of(state, run_id="run", usage=RunUsage()).answer
