"""One step of a run: what a node works with, and the note of what it decided, why, and what that took."""

import time
from collections.abc import Mapping
from typing import Any

from langgraph.runtime import Runtime

from docmind.domain.answers import CheckedClaim
from docmind.domain.stream import ClaimChecked, DraftText, NodeDecided, NodeStarted
from docmind.domain.trace import Event
from docmind.workflows.activities import activity
from docmind.workflows.services import Services, services_of

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
