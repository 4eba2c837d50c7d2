"""A workflow: shows the passages that speak of a question, word for word, and draws no conclusion from them."""

from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Checkpointer

from docmind.domain.answers import Citation, RunResult, RunUsage, Status
from docmind.domain.budget import Most
from docmind.domain.trace import Event
from docmind.runtime.workflows import Graph, Workflow
from docmind.workflows.services import Services
from docmind.workflows.step import Step

MOST = 3
LIKELY = 0.5
NOTHING = "No passage is about this."


class QuotesState(TypedDict):
    """What is written down after each node: plain data, and passages by their ids."""

    question: str
    found: list[tuple[str, float]]
    citations: list[dict[str, Any]]
    trace: list[dict[str, Any]]


def start(question: str) -> QuotesState:
    return {"question": question, "found": [], "citations": [], "trace": []}


async def search_node(state: QuotesState, runtime: Runtime[Services]) -> dict[str, Any]:
    """Find the passages that are more likely relevant than not."""
    step = Step("search", state, runtime)
    services = step.services
    hits = await services.corpus.asearch(state["question"], services.scope, limit=MOST, min_score=LIKELY)
    found = [(hit.passage.id, hit.relevance_score) for hit in hits]
    return {"found": found, "trace": [*state["trace"], step.decided(f"{len(hits)} passages")]}


async def quote_node(state: QuotesState, runtime: Runtime[Services]) -> dict[str, Any]:
    """Quote them, each with its place."""
    step = Step("quote", state, runtime)
    services = step.services
    relevance = dict(state["found"])
    hits = await services.corpus.afetch(list(relevance), services.scope)
    citations = [
        Citation(
            marker=f"[{number}]",
            document=hit.document.id,
            title=hit.document.title,
            source=hit.document.file_name,
            page=hit.passage.page,
            start=hit.passage.span.start,
            end=hit.passage.span.end,
            quote=hit.passage.text,
            support=relevance[hit.passage.id],
        ).model_dump()
        for number, hit in enumerate(hits, start=1)
    ]
    return {"citations": citations, "trace": [*state["trace"], step.decided("quoted" if hits else "nothing to quote")]}


def finish(state: QuotesState, *, run_id: str, usage: RunUsage) -> RunResult:
    citations = [Citation.model_validate(one) for one in state["citations"]]
    return RunResult(
        run_id=run_id,
        workflow="quotes",
        status=Status.ANSWERED if citations else Status.REFUSED,
        answer="\n\n".join(f"“{one.quote}” {one.marker}" for one in citations) or NOTHING,
        citations=citations,
        confidence=max((one.support for one in citations), default=0.0),
        usage=usage,
        trace=[Event.model_validate(event) for event in state["trace"]],
    )


def build(_: Services, checkpointer: Checkpointer) -> Graph:
    graph = StateGraph(QuotesState, context_schema=Services)
    graph.add_node("search", search_node)
    graph.add_node("quote", quote_node)
    graph.add_edge(START, "search")
    graph.add_edge("search", "quote")
    graph.add_edge("quote", END)
    return graph.compile(checkpointer=checkpointer)


QUOTES = Workflow(
    name="quotes",
    title="Quotes",
    about="Shows the passages that speak of a question, word for word.",
    build=build,
    start=start,
    finish=finish,
    bounds=lambda _: Most(steps=2),
)
