"""A workspace of short papers on a real store, and a way to put a question to the real graph."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from langchain_core.runnables import RunnableConfig

from docmind.domain.budget import Budget
from docmind.domain.limits import StrategyLimits
from docmind.domain.scope import Scope
from docmind.models.chat.meter import Meter, MeteredChat
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Line, ScriptedChat
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings
from docmind.workflows.strategy.edges import strategy_bounds
from docmind.workflows.strategy.graph import build_strategy_graph
from docmind.workflows.strategy.state import MASISInput, MASISState

SCOPE = Scope("heron")
QUESTION = "Which delivery time do customers accept?"
PAPERS = {
    "survey": "# Customer survey\n\nCustomers accept a delivery time of 26 weeks. The net promoter score is 41. "
    "Customers expect a technician on site within 8 hours. The survey was held in November.",
    "competitors": "# Competitors\n\nKaltwerk has a delivery time of 21 weeks, which customers like. "
    "Varmoor has a delivery time of 38 weeks.",
    "board": "# Board paper\n\nThe capital budget of Project Heron for 2026 to 2028 is EUR 42.0 million. "
    "The plant in Ostrava opens in May 2027.",
    "minutes": "# Committee minutes\n\nThe committee endorses Project Heron with a capital budget of EUR 47.5 million "
    "for 2026 to 2028. Mr Okonjo abstained.",
    "cafeteria": "# Cafeteria\n\nThe cafeteria serves soup from eleven to two.",
    "parking": "# Parking\n\nCars are parked behind the hall, bicycles in the yard.",
}
Papers = dict[str, str]


@pytest.fixture(scope="package")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    folder = tmp_path_factory.mktemp("strategy")
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
        rival = folder / "rival.md"
        rival.write_text(
            "# Rival survey\n\nCustomers of the rival accept a delivery time of 99 weeks for Project Heron.\n"
        )
        engine.ingest([rival], Scope("rival"))
        yield engine


@pytest.fixture(scope="package")
def ids(stocked: DocMind) -> Papers:
    """The id of each paper's only passage, by its name."""
    found = {document.name: stocked.passages(document) for document in stocked.documents(SCOPE)}
    return {name.removeprefix("papers/").removesuffix(".md"): passages[0].id for name, passages in found.items()}


@dataclass
class Asked:
    """A run, and what its models were told."""

    state: MASISState
    writer: ScriptedChat | None
    judge: ScriptedChat | None

    @property
    def nodes(self) -> list[str]:
        return [event["node"] for event in self.state["trace"]]

    @property
    def calls(self) -> int:
        return sum(chat.calls for chat in (self.writer, self.judge) if chat is not None)


Script = Sequence[Line] | Callable[[Sequence[Message]], Line]
Ask = Callable[..., Asked]


@pytest.fixture(scope="package")
def ask(stocked: DocMind) -> Ask:
    def asked(
        question: str = QUESTION,
        *,
        drafts: Script | None = None,
        verdicts: Script | None = None,
        max_retries: int | None = None,
        workspace: str = SCOPE.workspace,
        **limits: Any,
    ) -> Asked:
        writer = ScriptedChat(drafts, name="writer") if drafts is not None else None
        judge = ScriptedChat(verdicts, name="judge") if verdicts is not None else None
        most = strategy_bounds(max_retries=2 if max_retries is None else max_retries)
        meter = Meter(Budget(calls=most.calls(writer=1, judge=1)))
        services = replace(stocked.services(SCOPE), strategy=StrategyLimits(**limits)).with_chat(
            MeteredChat(writer, meter) if writer else None, MeteredChat(judge, meter) if judge else None
        )
        start = MASISInput(user_query=question, workspace_id=workspace, max_retries=max_retries).to_state()
        config: RunnableConfig = {"recursion_limit": most.steps + 1}
        state = asyncio.run(build_strategy_graph().ainvoke(start, config, context=services))
        found = cast("MASISState", state)
        return Asked(found, writer, judge)

    return asked
