"""The annual reports that come with the product on a real store, and a way to put a question to the real graph."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from docmind.domain.answers import RunResult, RunUsage
from docmind.domain.budget import Budget
from docmind.domain.errors import ModelError
from docmind.domain.scope import Scope
from docmind.memory.checkpoints import plain_data
from docmind.models.chat.meter import Meter, MeteredChat
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Line, ScriptedChat
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings
from docmind.skills.prompts import instructions
from docmind.workflows.finance.bounds import finance_bounds
from docmind.workflows.finance.graph import build_finance_graph
from docmind.workflows.finance.result import result_of
from docmind.workflows.finance.state import FinanceState, next_turn
from docmind.workflows.services import Services

REPORTS = Path(__file__).resolve().parents[3] / "examples" / "finance"
SCOPE = Scope("reports", "ann")
Script = Sequence[Line] | Callable[[Sequence[Message]], Line]


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    folder = tmp_path_factory.mktemp("finance")
    # One reader: on five short reports, starting more takes longer than reading does.
    chosen = Settings(
        data_dir=folder / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1)
    )
    with DocMind(chosen) as engine:
        engine.ingest([REPORTS], Scope("reports"))
        yield engine


@dataclass
class Asked:
    """A run, and what its model was told."""

    state: FinanceState
    writer: ScriptedChat | None

    @property
    def drafts(self) -> list[tuple[Message, ...]]:
        """What it was told to word, and not to plan."""
        asked = self.writer.requests if self.writer is not None else []
        return [messages for messages in asked if not _plans(messages)]

    @property
    def notes(self) -> list[str]:
        return [event["note"] for event in self.state.get("trace") or [] if event["note"]]

    @property
    def nodes(self) -> list[str]:
        return [event["node"] for event in self.state.get("trace") or []]

    @property
    def result(self) -> RunResult:
        return result_of(self.state, run_id="run", usage=RunUsage())


Ask = Callable[..., Asked]
PLANNING = instructions("plan_figures").partition("\n")[0]


def _plans(messages: Sequence[Message]) -> bool:
    return messages[0].content.startswith(PLANNING)


def _playing(drafts: Script, plans: Script) -> Callable[[Sequence[Message]], Line]:
    """A model that plans by one script and words by another."""
    said = {True: plans, False: drafts}
    waiting = {plan: script if callable(script) else iter(script) for plan, script in said.items()}

    def say(messages: Sequence[Message]) -> Line:
        script = waiting[_plans(messages)]
        if callable(script):
            return script(messages)
        return next(script, ModelError("The script has no further reply."))

    return say


@pytest.fixture(scope="session")
def services(reports: DocMind) -> Services:
    """Without the memory of users, so that no test hears of another's questions."""
    return replace(reports.services(SCOPE), memory=None)


@pytest.fixture
def ask(services: Services) -> Ask:
    """Asks within one session, which lasts as long as the test."""
    saver = InMemorySaver(serde=plain_data())
    config: Any = {"configurable": {"thread_id": "session"}}

    def asked(
        question: str,
        *,
        drafts: Script | None = None,
        plans: Script | None = None,
        verdicts: Script | None = None,
        **changed: Any,
    ) -> Asked:
        writes = drafts is not None or plans is not None
        writer = ScriptedChat(_playing(drafts or (), plans or ()), name="writer") if writes else None
        judge = ScriptedChat(verdicts, name="judge") if verdicts is not None else None
        meter = Meter(Budget(calls=finance_bounds().calls(writer=1, judge=1)))
        chats = (MeteredChat(chat, meter) if chat else None for chat in (writer, judge))
        context = replace(services, **changed).with_chat(*chats)
        graph = build_finance_graph(checkpointer=saver)
        state = asyncio.run(graph.ainvoke(cast("FinanceState", next_turn(question)), config, context=context))
        return Asked(cast("FinanceState", state), writer)

    return asked
