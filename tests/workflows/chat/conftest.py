"""A workspace of short papers and facilities on a real store, and a way to put messages to the real graphs."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from docmind.corpus.load.limits import Limits
from docmind.domain.budget import Budget
from docmind.domain.limits import ChatLimits
from docmind.domain.scope import Scope
from docmind.memory.checkpoints import plain_data
from docmind.models.chat.meter import Meter, MeteredChat
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Line, ScriptedChat
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings
from docmind.workflows.chat.edges import chat_bounds
from docmind.workflows.chat.graph import Graph, build_chat_graph, build_simple_graph
from docmind.workflows.chat.state import AgentState, next_turn

SCOPE = Scope("w")
EXAMPLES = Path(__file__).parents[3] / "examples"
PAPERS = {
    "receipts": "# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.",
    "travel": "# Travel\n\nTravel above EUR 500 needs the approval of the head of department.",
    "cafeteria": "# Cafeteria\n\nThe cafeteria serves soup from eleven to two.",
    "archive": "# Archive\n\nThe archive in the cellar holds receipts of earlier years.",
}


@pytest.fixture(scope="package")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    folder = tmp_path_factory.mktemp("chat")
    papers = folder / "papers"
    papers.mkdir()
    for name, text in PAPERS.items():
        (papers / f"{name}.md").write_text(text + "\n")
    # One reader: on a few short papers, starting more takes longer than reading does.
    chosen = Settings(
        data_dir=folder / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1)
    )
    with DocMind(chosen) as engine:
        engine.ingest([papers], SCOPE)
        engine.facilities.import_table(EXAMPLES / "facilities" / "facilities.csv", SCOPE, Limits())
        yield engine


@dataclass
class Playing:
    """A chat model that is asked for different things, and says what it was given for each, in turn.

    What it was given nothing for, it fails at.
    """

    routes: list[str] = field(default_factory=list)
    rewrites: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    grades: list[list[float]] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)

    def __call__(self, messages: Sequence[Message]) -> Line:
        told = messages[0].content
        if told.startswith("You decide"):
            return json.dumps({"decision": self.routes.pop(0)}) if self.routes else "no idea"
        if told.startswith("You prepare"):
            return json.dumps({"question": self.rewrites.pop(0)}) if self.rewrites else "no idea"
        if told.startswith("You search"):
            return json.dumps({"query": self.queries.pop(0)}) if self.queries else "no idea"
        if told.startswith("Score"):
            return json.dumps({"scores": self.grades.pop(0)}) if self.grades else "no idea"
        return self.drafts.pop(0) if self.drafts else ""


class Talk:
    """A thread on the real graph: each message is a turn, or the reply to what the turn before asked."""

    def __init__(self, engine: DocMind, playing: Playing | None, simple: bool, **limits: Any) -> None:
        self.limits = ChatLimits(**{"passages": 4, **limits})
        self.chat = ScriptedChat(playing) if playing else None
        saver = InMemorySaver(serde=plain_data())
        self.graph: Graph = (
            build_simple_graph(checkpointer=saver)
            if simple
            else build_chat_graph(limits=self.limits, checkpointer=saver)
        )
        self._services = replace(engine.services(SCOPE), chat=self.limits)
        self.asked: dict[str, Any] | None = None

    def say(self, message: str) -> AgentState:
        given: Any = Command(resume=message) if self.asked is not None else next_turn(message)
        most = chat_bounds(self.limits)
        writer = MeteredChat(self.chat, Meter(Budget(calls=most.calls(writer=1)))) if self.chat else None
        config: RunnableConfig = {"recursion_limit": most.steps + 1, "configurable": {"thread_id": "t"}}
        services = self._services.with_chat(writer, None)
        state = asyncio.run(self.graph.ainvoke(given, config, context=services))
        waiting = state.pop("__interrupt__", ())
        self.asked = waiting[0].value if waiting else None
        assert len(state["trace"]) <= most.steps
        return cast("AgentState", state)


Begin = Callable[..., Talk]


@pytest.fixture
def begin(stocked: DocMind) -> Begin:
    def begun(playing: Playing | None = None, *, simple: bool = False, **limits: Any) -> Talk:
        return Talk(stocked, playing, simple, **limits)

    return begun


def path(state: AgentState) -> list[str]:
    return [event["node"] for event in state["trace"]]
