"""The nodes of the finance workflow and the agents made of them: a fault ends the run, and the state says why."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from langgraph.errors import GraphBubbleUp
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from docmind.workflows.finance.state import FinanceState, FinanceUpdate
from docmind.workflows.services import Services
from docmind.workflows.step import Step

Agent = CompiledStateGraph[FinanceState, Services, FinanceState, FinanceState]
Work = Callable[[FinanceState, Step], Awaitable[FinanceUpdate]]


class Node(Protocol):
    """What LangGraph takes as a node."""

    async def __call__(self, state: FinanceState, runtime: Runtime[Services]) -> FinanceUpdate: ...


def node(name: str, work: Work) -> Node:
    """`work` as a node: what it cannot recover from becomes the state's `error`, which every edge looks at."""

    async def run(state: FinanceState, runtime: Runtime[Services]) -> FinanceUpdate:
        step = Step(name, state, runtime)
        try:
            return await work(state, step)
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 - the edge of a node: the trace records it and the graph ends
            reason = str(error) or type(error).__name__
            return {"error": f"{name}: {reason}", **noted(state, step.decided("failed", reason))}

    return run


def noted(state: FinanceState, event: dict[str, Any]) -> FinanceUpdate:
    """The trace with the event."""
    return {"trace": [*(state.get("trace") or []), event]}
