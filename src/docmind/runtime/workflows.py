"""The workflows that can be run, those that ship and those that other packages add, and the graph of each as a picture.

What a workflow is made of is imported when it is first used, because a run needs its own workflow alone.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from langchain_core.runnables.graph import Graph as Drawn
from langchain_core.runnables.graph import NodeStyles
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from docmind.domain.answers import RunResult, RunUsage
from docmind.domain.budget import Most
from docmind.domain.errors import InvalidQuery
from docmind.domain.extensions import Extensions, Unusable
from docmind.workflows.finance.bounds import RECURSION_LIMIT
from docmind.workflows.services import Services

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


def _part(place: str) -> Callable[..., Any]:
    """A function of a workflow, imported when it is first called."""

    def call(*arguments: Any, **named: Any) -> Any:
        module, _, name = place.partition(":")
        return getattr(import_module(module), name)(*arguments, **named)

    return call


DOCS = Workflow(
    name="docs",
    title="Documents",
    about=(
        "Answers a question from your documents, checks every sentence against them, and tries again if one "
        "is not supported."
    ),
    build=lambda services, checkpointer: _part("docmind.workflows.docs.graph:build_graph_workflow")(
        max_hallucinations=services.max_hallucinations, checkpointer=checkpointer
    ),
    start=_part("docmind.workflows.docs.state:initial_state"),
    finish=_part("docmind.workflows.docs.result:result_of"),
    bounds=lambda services: _part("docmind.workflows.docs.edges:docs_bounds")(
        max_hallucinations=services.max_hallucinations
    ),
)

STRATEGY = Workflow(
    name="strategy",
    title="Strategy",
    about=(
        "Weighs evidence from several documents, audits every citation, scores the answer, and asks you "
        "when the documents disagree."
    ),
    build=lambda _services, checkpointer: _part("docmind.workflows.strategy.graph:build_strategy_graph")(
        checkpointer=checkpointer
    ),
    start=lambda question: _part("docmind.workflows.strategy.state:MASISInput")(user_query=question).to_state(),
    finish=_part("docmind.workflows.strategy.result:result_of"),
    bounds=lambda services: _part("docmind.workflows.strategy.edges:strategy_bounds")(
        max_retries=services.strategy.max_retries
    ),
    waiting=_part("docmind.workflows.strategy.result:result_of"),
)

CHAT = Workflow(
    name="chat",
    title="Chat",
    about=(
        "Holds a conversation about your documents, asks back when a question is unclear, and finds "
        "facilities near a place."
    ),
    build=lambda services, checkpointer: _part("docmind.workflows.chat.graph:build_chat_graph")(
        limits=services.chat, checkpointer=checkpointer
    ),
    start=_part("docmind.workflows.chat.state:next_turn"),
    finish=_part("docmind.workflows.chat.result:result_of"),
    bounds=lambda services: _part("docmind.workflows.chat.edges:chat_bounds")(services.chat),
    converses=True,
    replies=True,
    answer_within_s=lambda services: services.chat.answer_within_s,
)

CHAT_SIMPLE = Workflow(
    name="chat-simple",
    title="Chat, each question by itself",
    about="Answers each question on its own, without remembering what was said before.",
    build=lambda _services, checkpointer: _part("docmind.workflows.chat.graph:build_simple_graph")(
        checkpointer=checkpointer
    ),
    start=_part("docmind.workflows.chat.state:next_turn"),
    finish=_part("docmind.workflows.chat.result:result_of"),
    bounds=lambda _services: _part("docmind.workflows.chat.edges:simple_bounds")(),
    mode_of=CHAT.name,
)

FINANCE = Workflow(
    name="finance",
    title="Finance",
    about=(
        "Reads figures from reports and their tables, calculates exactly, and draws charts, every number with "
        "its source."
    ),
    build=lambda _services, checkpointer: _part("docmind.workflows.finance.graph:build_finance_graph")(
        checkpointer=checkpointer
    ),
    start=_part("docmind.workflows.finance.state:next_turn"),
    finish=_part("docmind.workflows.finance.result:result_of"),
    bounds=lambda _services: _part("docmind.workflows.finance.bounds:finance_bounds")(),
    converses=True,
    recursion_limit=RECURSION_LIMIT,
)

WORKFLOWS = {workflow.name: workflow for workflow in (DOCS, STRATEGY, FINANCE, CHAT, CHAT_SIMPLE)}


def _misfit(name: str, value: object) -> str:
    if not isinstance(value, Workflow):
        return f"is of type {type(value).__name__} and not a Workflow"
    return "" if value.name == name else f"calls itself {value.name!r}"


ADDED: Extensions[Workflow] = Extensions("workflow", WORKFLOWS, _misfit)
"""Workflows of other packages."""


def workflow_named(name: str) -> Workflow:
    if name in WORKFLOWS:
        return WORKFLOWS[name]
    try:
        added = ADDED.get(name)
    except Unusable as error:
        raise InvalidQuery(str(error)) from error
    if added is None:
        known = ", ".join((*WORKFLOWS, *ADDED.names()))
        raise InvalidQuery(f"There is no workflow called {name[:80]!r}: choose from {known}.")
    return added


def in_mode(name: str, *, conversational: bool | None, thread: str | None, default: bool) -> str:
    """Of the two graphs of the chat workflow the one that is meant: as the request says, else its thread, else the
    setting. Other workflows have one."""
    if name != CHAT.name:
        return name
    remembers = (default or thread is not None) if conversational is None else conversational
    return CHAT.name if remembers else CHAT_SIMPLE.name


# The colour of the words goes with that of the box: a dark page would choose light ones.
_STYLES = NodeStyles(
    default="fill:#f2f0ff,color:#1f1b2e,line-height:1.2",
    first="fill:#ffffff,color:#1f1b2e",
    last="fill:#bfb6fc,color:#1f1b2e",
)


def mermaid(graph: Graph) -> str:
    """The graph with those inside it as a Mermaid diagram."""
    drawn = graph.get_graph(xray=True)
    # LangGraph draws one edge where several ways lead to one node, and labels it with one of them.
    ways = {edge: " or ".join(labels) for edge, labels in _ways(graph).items() if len(labels) > 1}
    edges = [edge._replace(data=ways.get((edge.source, edge.target), edge.data)) for edge in drawn.edges]
    return Drawn(drawn.nodes, edges).draw_mermaid(node_colors=_STYLES)


def _ways(graph: Graph) -> Mapping[tuple[str, str], list[str]]:
    """By source and target, the names under which a router leads from one to the other."""
    found = defaultdict(list)
    for prefix, each in _graphs(graph):
        for source, branches in each.builder.branches.items():
            for branch in branches.values():
                for label, target in (branch.ends or {}).items():
                    found[f"{prefix}{source}", f"{prefix}{target}"].append(str(label))
    return found


def _graphs(graph: Graph) -> Iterator[tuple[str, Graph]]:
    """The graph and those that are nodes of it, with what LangGraph puts before the names of their nodes."""
    yield "", graph
    for name, inner in graph.get_subgraphs():
        if isinstance(inner, CompiledStateGraph):
            yield f"{name}:", inner
