"""Runs a workflow from a question to its result, within bounds that are known before it starts."""

import time
from dataclasses import dataclass
from typing import cast
from uuid import uuid4

from docmind.corpus.search import checked
from docmind.domain.answers import RunResult, RunUsage
from docmind.domain.budget import Budget
from docmind.models.chat.meter import Meter
from docmind.models.chat.metered import MeteredChat
from docmind.models.chat.model import ChatModel
from docmind.models.chat.retries import Retries
from docmind.runtime.bounds import Bounds, docs_bounds
from docmind.workflows.docs.graph import build_graph_workflow
from docmind.workflows.docs.result import result_of
from docmind.workflows.docs.state import DocMindState, initial_state
from docmind.workflows.services import Services

WORKFLOWS = ("docs",)


@dataclass(frozen=True, slots=True)
class Plan:
    """A run before it starts: what it works with, and the most it can take."""

    services: Services
    meter: Meter
    bounds: Bounds


def plan_docs(services: Services, chat: ChatModel | None) -> Plan:
    """Bind the chat model to a meter that lets no more calls through than the graph can make."""
    retries = Retries()
    bounds = docs_bounds(
        max_hallucinations=services.max_hallucinations, calls_each=retries.attempts if chat is not None else 0
    )
    meter = Meter(Budget(calls=bounds.model_calls))
    writer = MeteredChat(chat, meter, retries=retries) if chat is not None else None
    return Plan(services.with_writer(writer), meter, bounds)


async def run_docs(question: str, plan: Plan) -> RunResult:
    """Ask the docs workflow; what a person typed is checked first, so that no run starts on nothing."""
    graph = build_graph_workflow(max_hallucinations=plan.services.max_hallucinations)
    started = time.perf_counter()
    state = await graph.ainvoke(
        initial_state(checked(question)),
        context=plan.services,
        # One more than the nodes that can run: LangGraph counts the step in which it finds nothing left to do.
        config={"recursion_limit": plan.bounds.steps + 1},
    )
    spent = plan.meter.spent
    usage = RunUsage(
        model_calls=spent.model_calls, tokens=spent.tokens, seconds=round(time.perf_counter() - started, 4)
    )
    return result_of(cast("DocMindState", state), run_id=uuid4().hex, usage=usage)
