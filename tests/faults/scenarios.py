"""Questions that together lead through every node of every workflow, and a chat model that says the same to the same.

A process that takes a run up again meets a model with no memory of the one before, so what it says may follow from what
it is told and from nothing else.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from docmind.corpus.load.limits import Limits
from docmind.domain.answers import RunResult
from docmind.domain.scope import Scope
from docmind.models.chat.meter import Retries
from docmind.models.chat.model import Message
from docmind.models.chat.recording import ScriptedChat
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.settings import ChatSettings, IngestSettings, ModelSettings, Settings

PAPERS = {
    "receipts": "# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.",
    "travel": "# Travel\n\nTravel above EUR 500 needs the approval of the head of department.",
    "archive": "# Archive\n\nThe archive in the cellar holds receipts of earlier years.",
    "board": "# Board paper\n\nThe capital budget of Project Heron for 2026 to 2028 is EUR 42.0 million.",
    "minutes": "# Committee minutes\n\nThe committee endorses Project Heron with a capital budget of EUR 47.5 million "
    "for 2026 to 2028.",
    "report": "# Ellandor Instruments N.V. Annual Report 2023\n\n## Income statement (EUR thousand)\n\n"
    "| | 2023 | 2022 |\n|---|---|---|\n| Revenue | 601,020 | 579,520 |\n| Cost of sales | 301,000 | 290,100 |",
}
CLINICS = "id,name,kind,lat,lon,city,region\n1,Harbour Clinic,clinic,52.66,-8.63,Limerick,Munster\n"
RIGHT, WRONG = "Receipts are kept for ten years [1].", "Receipts are kept for six years in a vault in Vienna [1]."
GREW = "Ellandor's revenue grew by {}% from 2022 to 2023{}."

Says = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A question, what the model says to a prompt and a message, and what a person answers."""

    workflow: str
    question: str
    says: Says
    answers: tuple[str, ...] = ()
    before: str | None = None
    """What was said before in the same conversation."""
    twice: bool = False
    """Whether every node is killed before it begins, too, and not only before what it did is written down."""


class Stage:
    """An engine whose chat model plays the scenario that is on."""

    def __init__(self, home: Path) -> None:
        self._says: Says = _nothing
        roles = Roles(writer=ScriptedChat(self._say), judge=None, retries=Retries(first_wait_s=0))
        self.engine = DocMind(settings(home), roles=roles)

    def _say(self, messages: Sequence[Message]) -> str:
        return self._says(messages[0].content, "\n".join(message.content for message in messages[1:]))

    def play(self, name: str) -> Scenario:
        """The scenario that is on from now."""
        self._says = SCENARIOS[name].says
        return SCENARIOS[name]

    def set(self, name: str, scope: Scope) -> Scenario:
        """As `play`, with what is said before it."""
        scenario = self.play(name)
        if scenario.before is not None:
            self.engine.run(scenario.before, scope, workflow=scenario.workflow, thread="t")
        return scenario

    def ask(self, scenario: Scenario, scope: Scope) -> RunResult:
        workflow, thread = scenario.workflow.removesuffix("-simple"), "t" if scenario.before else None
        mode = scenario.workflow == "chat"
        return self.engine.run(scenario.question, scope, workflow=workflow, thread=thread, conversational=mode)


def _corrected(told: str, asked: str) -> str:
    """Takes a question apart, drafts what no document says, and learns from being told."""
    if told.startswith("You prepare"):
        return json.dumps({"intent": "quantity", "sub_queries": ["How long are receipts kept?"]})
    return RIGHT if "six years" in asked else WRONG


def _chatting(route: str, *, grade: float, right_after: str = "") -> Says:
    def says(told: str, asked: str) -> str:
        if told.startswith("You decide"):
            return json.dumps({"decision": route})
        if told.startswith("You prepare"):
            return json.dumps({"question": "How long are receipts kept?"})
        if told.startswith("You search"):
            return json.dumps({"query": f"retention {asked.count('retention')}"})
        if told.startswith("Score"):
            return json.dumps({"scores": [grade] * 4})
        return RIGHT if right_after in asked else WRONG

    return says


def _grew(told: str, asked: str) -> str:
    """Plans the growth, and words it wrong until told so."""
    if told.startswith("You plan"):
        lookups = [{"id": year, "company": "Ellandor", "item": "revenue", "period": year} for year in ("2022", "2023")]
        steps = [{"id": "s", "operation": "growth", "of": ["2022", "2023"]}]
        return json.dumps({"question": asked, "lookups": lookups, "steps": steps})
    first = asked.split("Findings:")[1].strip().split("\n")[0]
    marks = first[first.index(" [") : first.rindex("]") + 1]
    return GREW.format("3.71" if "4.71" in asked else "4.71", marks)


def _nothing(told: str, asked: str) -> str:
    return ""


RECEIPTS = "How long are receipts kept?"
SCENARIOS = {
    "finance": Scenario("finance", "By what percentage did Ellandor's revenue grow from 2022 to 2023?", _grew),
    "finance-in-vain": Scenario("finance", "What was Ellandor's revenue in 2020?", _nothing),
    "docs": Scenario("docs", RECEIPTS, _corrected, twice=True),
    "strategy": Scenario(
        "strategy",
        "What is the capital budget of Project Heron for 2026 to 2028?",
        _nothing,
        ("Board paper: EUR 42.0 million",),
    ),
    "chat-clarify": Scenario(
        "chat", "How long are they kept?", _chatting("ASK_CLARIFICATION", grade=0.9), ("Receipts",)
    ),
    "chat-final": Scenario(
        "chat", RECEIPTS, _chatting("RETRIEVE", grade=0.9, right_after="in the archive)"), ("those in the archive",)
    ),
    "chat-caveat": Scenario(
        "chat", "How long are they kept?", _chatting("REWRITE_THEN_RETRIEVE", grade=0.1), before="What about receipts?"
    ),
    "chat-places": Scenario("chat", "clinics in Limerick", _nothing),
    "chat-simple": Scenario("chat-simple", RECEIPTS, _chatting("RETRIEVE", grade=0.9)),
    "chat-simple-places": Scenario("chat-simple", "clinics in Limerick", _nothing),
}


def settings(home: Path) -> Settings:
    return Settings(
        data_dir=home,
        models=ModelSettings(embedder="static"),
        ingest=IngestSettings(workers=1),
        chat=ChatSettings(passages=4),
    )


def stock(home: Path, folder: Path) -> None:
    """Fill an installation with what the questions are about, once for every scenario."""
    papers, table = folder / "papers", folder / "clinics.csv"
    papers.mkdir()
    for name, text in PAPERS.items():
        (papers / f"{name}.md").write_text(text + "\n")
    table.write_text(CLINICS)
    with DocMind(settings(home)) as engine:
        engine.ingest([papers], Scope("w"))
        engine.facilities.import_table(table, Scope("w"), Limits())


def scope_of(name: str, take: int) -> Scope:
    """Each take of a scenario is asked by a user of its own, who remembers none of the others."""
    return Scope("w", f"{name}.{take}")
