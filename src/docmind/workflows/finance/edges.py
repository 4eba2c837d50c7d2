"""The nodes of the finance workflow and where it goes: on while nothing failed, back while attempts last."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol

from langgraph.errors import GraphBubbleUp
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from docmind.workflows.finance.bounds import MAX_RETRIEVALS, MAX_SELF_HEALS
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


def unless_failed(state: FinanceState) -> Literal["success", "error"]:
    """On to the next node or agent, unless something failed."""
    return "error" if state.get("error") else "success"


def route_after_validation(state: FinanceState) -> Literal["sufficient", "insufficient", "error"]:
    """Look again for what is missing, at most so often; then go on with what there is."""
    if state.get("error"):
        return "error"
    enough = state["retrieval_sufficient"] or state["retrieval_attempts"] >= MAX_RETRIEVALS
    return "sufficient" if enough else "insufficient"


def route_after_quality_check(state: FinanceState) -> Literal["valid", "invalid", "error"]:
    """Heal what is wrong, at most so often; then remember what was said."""
    if state.get("error"):
        return "error"
    done = state["response_valid"] or state["self_heal_attempts"] >= MAX_SELF_HEALS
    return "valid" if done else "invalid"
