"""Overhead: what a node costs beyond its own work, beside LangGraph alone, and what starting a command costs."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from docmind.bench import generated, starting
from docmind.bench.report import Aim, Row
from docmind.bench.stores import generated_store
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.runtime.engine import DocMind
from docmind.workflows.docs.edges import should_retry
from docmind.workflows.docs.graph import build_graph_workflow
from docmind.workflows.docs.state import DocMindState, DocMindUpdate, initial_state

AIM_RATIO = Aim(1.2, at_most=True)

Updates = Mapping[str, DocMindUpdate]
"""What each node of a run changed."""
BareGraph = CompiledStateGraph[DocMindState, None, DocMindState, DocMindState]


def run(bench: Workbench, *, passages: int = 1_000, runs: int = 100, warm_up: int = 5) -> list[Row]:
    store = generated_store(bench, passages, "static")
    questions = generated.questions(warm_up + runs)
    with open_engine(store.data_dir, "static") as engine, bench.steps("overhead: runs", len(questions)) as done:
        pairs = asyncio.run(_in_turn(bench, engine, questions, done))[warm_up:]
    ours, bare = (median(one) * 1000 for one in zip(*pairs, strict=True))
    return [
        Row("overhead", "docmind", "node_ms", ours, runs),
        Row("overhead", "langgraph", "node_ms", bare, runs),
        Row("overhead", "docmind", "ratio", ours / bare, runs, {"langgraph": 1.0}, AIM_RATIO),
        *starting.rows(store.data_dir, "static", questions[0]),
    ]


async def _in_turn(
    bench: Workbench, engine: DocMind, questions: Sequence[str], done: Callable[[int], None]
) -> list[tuple[float, float]]:
    """Seconds a node, of the engine and of LangGraph alone, for one question after the other."""
    pairs = []
    async with _checkpoints(bench.scratch / "overhead.db") as checkpoints:
        for number, question in enumerate(questions, start=1):
            updates = await _updates(engine, question)
            bare = await _bare_seconds(_bare(updates, checkpoints), question, thread=str(number))
            pairs.append((_engine_seconds(engine, question), bare / len(updates)))
            done(number)
    return pairs


@asynccontextmanager
async def _checkpoints(file: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """LangGraph's own in a file, as durable as the engine's."""
    async with AsyncSqliteSaver.from_conn_string(str(file)) as checkpoints:
        await checkpoints.conn.execute("PRAGMA synchronous=NORMAL")
        yield checkpoints


def _engine_seconds(engine: DocMind, question: str) -> float:
    """What a run took beyond what its nodes did themselves, a node."""
    begun = time.perf_counter()
    result = engine.run(question, SCOPE)
    took = time.perf_counter() - begun
    return (took - sum(event.seconds for event in result.trace)) / len(result.trace)


async def _bare_seconds(graph: BareGraph, question: str, *, thread: str) -> float:
    begun = time.perf_counter()
    # As the engine does: a node has finished when its checkpoint is written.
    await graph.ainvoke(initial_state(question), {"configurable": {"thread_id": thread}}, durability="sync")
    return time.perf_counter() - begun


async def _updates(engine: DocMind, question: str) -> Updates:
    """What the nodes of the docs workflow change for this question; without a chat model each of them runs once."""
    graph = build_graph_workflow()
    steps = graph.astream(initial_state(question), context=engine.services(SCOPE), stream_mode="updates")
    return {node: update async for step in steps for node, update in step.items()}


class _Giving:
    """A node that does no work."""

    def __init__(self, update: DocMindUpdate) -> None:
        self._update = update

    async def __call__(self, state: DocMindState) -> DocMindUpdate:  # noqa: ARG002 - LangGraph gives it by name
        return self._update


def _bare(updates: Updates, checkpointer: Checkpointer) -> BareGraph:
    """A graph of the same shape whose nodes do no work: they give what the real ones gave, so that as much is kept."""
    graph = StateGraph(DocMindState)
    for name, update in updates.items():
        graph.add_node(name, _Giving(update))
    graph.add_edge(START, "decompose")
    graph.add_edge("decompose", "retrieve")
    graph.add_edge("retrieve", "generate")
    graph.add_edge("generate", "judge")
    graph.add_conditional_edges("judge", should_retry, {"retry": "retrieve", "output": "output"})
    graph.add_edge("output", END)
    return graph.compile(checkpointer=checkpointer)
