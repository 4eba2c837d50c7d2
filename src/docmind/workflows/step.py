"""One step of a run: what a node works with and does, in words, and what it decided, why, and what that took."""

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from langgraph.runtime import Runtime

from docmind.domain.answers import CheckedClaim
from docmind.domain.stream import ClaimChecked, DraftText, NodeDecided, NodeStarted
from docmind.domain.trace import Event
from docmind.workflows.services import Services, services_of

ACTIVITIES: Mapping[str, str] = MappingProxyType(
    {
        # Before a graph runs
        "message": "Reading your message",
        # Documents
        "decompose": "Reading the question",
        "retrieve": "Searching the documents",
        "generate": "Reading {passages} and writing the answer",
        "judge": "Checking each sentence",
        "output": "Finishing the answer",
        # Strategy
        "supervisor": "Deciding what to do next",
        "researcher": "Searching the documents",
        "synthesizer": "Reading {passages} and writing the answer",
        "critic": "Checking each sentence",
        "evaluator": "Rating the answer",
        # Chat
        "router": "Reading the question",
        "classify": "Reading the question",
        "rewrite": "Working out what the question refers to",
        "grade": "Reading {passages}",
        "rerank": "Reading {passages}",
        "rewrite_retry": "Searching with other words",
        "rewrite_final": "Searching with other words",
        "generate_caveat": "Reading {passages} and writing the answer",
        "validate": "Checking each sentence",
        "clarify": "Preparing a question for you",
        "clarify_final": "Preparing a question for you",
        "location": "Looking for places",
        # Finance
        "memory_and_query": "Reading the question",
        "retrieval": "Searching the reports",
        "refinement": "Searching for what is missing",
        "analysis": "Reading {passages} and calculating",
        "validation": "Checking what was found",
        "text_explanation": "Explaining the figures",
        "synthesis": "Putting the answer together",
        "quality_check": "Checking each sentence",
        "self_heal": "Correcting the answer",
        "memory_update": "Saving the conversation",
    }
)
"""By the name that a node has in the trace. `{passages}` is how many it was given."""


def activity(node: str, passages: int | None = None) -> str:
    """`Reading 8 passages and writing the answer`; a node that is not listed is told by its name."""
    told = ACTIVITIES.get(node, node.replace("_", " ").capitalize())
    if not passages:
        return told.format(passages="the passages")
    return told.format(passages=f"{passages} passage{'s' if passages != 1 else ''}")


_PASSAGES = ("retrieved_sections", "evidence", "retrieved_docs", "retrieved_context")
"""Where the states of the workflows keep what was found."""


class Step:
    """Opened first thing by every node; whoever streams the run is told of it at once."""

    def __init__(self, node: str, state: Mapping[str, Any], runtime: Runtime[Services]) -> None:
        past: list[dict[str, Any]] = state.get("trace") or []
        services = services_of(runtime.context)
        self._node = node
        self._tell = runtime.stream_writer
        # Where it stands in the run and its name tell a step apart from all others, also when the run is replayed.
        self.services, self._spent = services.in_step(f"{len(past)}.{node}.")
        self._begun = time.perf_counter()
        # Run as it is, a graph has no clock of its own: it goes on from where the last step ended.
        since = sum(event["seconds"] for event in past) if services.began is None else time.time() - services.began
        self._started = round(since, 6)
        passages = next((len(state[name]) for name in _PASSAGES if state.get(name)), None)
        self._tell(NodeStarted(node=node, started=self._started, doing=activity(node, passages)))

    def draft(self, text: str, *, fresh: bool) -> None:
        """Hand on a piece of what is being written; `fresh` where a new text begins."""
        self._tell(DraftText(node=self._node, text=text, fresh=fresh))

    def checked(self, claim: Mapping[str, Any]) -> None:
        """Hand on what became of a claim."""
        self._tell(ClaimChecked(claim=CheckedClaim.model_validate(claim)))

    def decided(self, decision: str, reason: str = "", *, note: str = "", **detail: Any) -> dict[str, Any]:
        """The step's entry in the trace of the state, as plain data; `note` says what failed on the way."""
        event = Event(
            node=self._node,
            decision=decision,
            reason=reason,
            note=note,
            started=self._started,
            seconds=round(time.perf_counter() - self._begun, 6),
            model_calls=self._spent.spent.model_calls,
            tokens=self._spent.spent.tokens,
            output_tokens=self._spent.spent.output_tokens,
            cost=self._spent.spent.cost,
            detail=detail,
        )
        self._tell(NodeDecided(event=event))
        return event.model_dump()
