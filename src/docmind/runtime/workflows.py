"""The workflows that can be run; one more is one more entry here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from docmind.domain.answers import RunResult, RunUsage
from docmind.domain.budget import Most
from docmind.domain.errors import InvalidQuery
from docmind.workflows.chat.bounds import chat_bounds, simple_bounds
from docmind.workflows.chat.graph import build_chat_graph, build_simple_graph
from docmind.workflows.chat.result import result_of as chat_result
from docmind.workflows.chat.state import next_turn
from docmind.workflows.docs.bounds import docs_bounds
from docmind.workflows.docs.graph import build_graph_workflow
from docmind.workflows.docs.result import result_of
from docmind.workflows.docs.state import initial_state
from docmind.workflows.finance.bounds import RECURSION_LIMIT, finance_bounds
from docmind.workflows.finance.graph import build_finance_graph
from docmind.workflows.finance.result import result_of as finance_result
from docmind.workflows.finance.state import next_turn as next_finance_turn
from docmind.workflows.services import Services
from docmind.workflows.strategy.bounds import strategy_bounds
from docmind.workflows.strategy.graph import build_strategy_graph
from docmind.workflows.strategy.result import result_of as strategy_result
from docmind.workflows.strategy.state import MASISInput

Graph = CompiledStateGraph[Any, Services, Any, Any]


class Finish(Protocol):
    """Makes the result of a run from its last state."""

    def __call__(self, state: Any, *, run_id: str, usage: RunUsage) -> RunResult: ...


@dataclass(frozen=True, slots=True)
class Workflow:
    """All the runtime knows of a workflow.

    Its nodes open a `Step` and keep its entries in the state's `trace`. A node that must ask a person calls LangGraph's
    `interrupt` with a question, or with a `question` and `options`; the run then waits and is resumed with the answer.
    """

    name: str
    title: str
    about: str
    """What it is for, in a sentence or two for people."""
    build: Callable[[Services, Checkpointer], Graph]
    start: Callable[[str], Any]
    """The state that a question begins with; of a conversation, what its next turn changes."""
    finish: Finish
    bounds: Callable[[Services], Most]
    waiting: Finish | None = None
    """What a run shows besides its question while it waits for a person, where it has more to show than its trace."""
    converses: bool = False
    """Its runs may belong to a thread, whose state they share."""
    recursion_limit: int | None = None
    """Steps of one graph, where the workflow is made of several that each count their own; else all it can take."""
    mode_of: str | None = None
    """The workflow that it is another mode of; people choose that one."""
    replies: bool = False
    """Its own graph replies to messages that are no questions, and remembers that it did."""
    answer_within_s: Callable[[Services], float] | None = None
    """How long after its start a run that asks a person can be answered; without, for ever."""


DOCS = Workflow(
    name="docs",
    title="Documents",
    about=(
        "Answers a question from your documents, checks every sentence against them, and tries again where "
        "one does not hold."
    ),
    build=lambda services, checkpointer: build_graph_workflow(
        max_hallucinations=services.max_hallucinations, checkpointer=checkpointer
    ),
    start=initial_state,
    finish=result_of,
    bounds=lambda services: docs_bounds(max_hallucinations=services.max_hallucinations),
)

STRATEGY = Workflow(
    name="strategy",
    title="Strategy",
    about=(
        "Weighs evidence from several documents, audits every citation, scores the answer, and asks a person "
        "where the documents disagree."
    ),
    build=lambda _services, checkpointer: build_strategy_graph(checkpointer=checkpointer),
    start=lambda question: MASISInput(user_query=question).to_state(),
    finish=strategy_result,
    bounds=lambda services: strategy_bounds(max_retries=services.strategy.max_retries),
    waiting=strategy_result,
)

CHAT = Workflow(
    name="chat",
    title="Chat",
    about=(
        "Holds a conversation about your documents, asks back when a question is unclear, and finds "
        "facilities near a place."
    ),
    build=lambda services, checkpointer: build_chat_graph(limits=services.chat, checkpointer=checkpointer),
    start=next_turn,
    finish=chat_result,
    bounds=lambda services: chat_bounds(services.chat),
    converses=True,
    replies=True,
    answer_within_s=lambda services: services.chat.answer_within_s,
)

CHAT_SIMPLE = Workflow(
    name="chat-simple",
    title="Chat, each question by itself",
    about="Answers without remembering what was said before and without asking back.",
    build=lambda _services, checkpointer: build_simple_graph(checkpointer=checkpointer),
    start=next_turn,
    finish=chat_result,
    bounds=lambda _services: simple_bounds(),
    mode_of=CHAT.name,
)

FINANCE = Workflow(
    name="finance",
    title="Finance",
    about=(
        "Reads figures from reports and their tables, calculates exactly, and draws charts, every number with "
        "its source."
    ),
    build=lambda _services, checkpointer: build_finance_graph(checkpointer=checkpointer),
    start=next_finance_turn,
    finish=finance_result,
    bounds=lambda _services: finance_bounds(),
    converses=True,
    recursion_limit=RECURSION_LIMIT,
)

WORKFLOWS = {workflow.name: workflow for workflow in (DOCS, STRATEGY, FINANCE, CHAT, CHAT_SIMPLE)}


def workflow_named(name: str) -> Workflow:
    if name not in WORKFLOWS:
        raise InvalidQuery(f"There is no workflow called {name[:80]!r}: choose from {', '.join(WORKFLOWS)}.")
    return WORKFLOWS[name]


def in_mode(name: str, *, conversational: bool | None, thread: str | None, default: bool) -> str:
    """Of the two graphs of the chat workflow the one that is meant: as the request says, else its thread, else the
    setting. Other workflows have one."""
    if name != CHAT.name:
        return name
    remembers = (default or thread is not None) if conversational is None else conversational
    return CHAT.name if remembers else CHAT_SIMPLE.name
