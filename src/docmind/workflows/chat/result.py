"""The end of a turn as the one form that all runs give back."""

from typing import Any

from docmind.domain.answers import (
    CheckedClaim,
    Citation,
    Clarification,
    MessageKind,
    NearPassage,
    RunResult,
    RunUsage,
    Status,
)
from docmind.domain.documents import file_name
from docmind.domain.trace import Event
from docmind.skills.nearest import NO_RELIABLE_ANSWER
from docmind.workflows.chat.state import AgentState
from docmind.workflows.citations import Source, citations, renumbered


def result_of(state: AgentState, *, run_id: str, usage: RunUsage) -> RunResult:
    """The answer with its sources, or what was found of places."""
    found = state.get("facilities")
    passed = bool(state.get("grounded"))
    claims = (state.get("claims") or []) if passed else []
    result = RunResult(
        run_id=run_id,
        workflow="chat",
        status=_status(state, found),
        answer=_answer(state),
        message_kind=MessageKind(state.get("reply") or MessageKind.QUESTION),
        citations=_citations(state, claims),
        claims=[
            CheckedClaim.model_validate({key: claim[key] for key in CheckedClaim.model_fields}) for claim in claims
        ],
        confidence=round(state["confidence"], 4) if passed else 0.0,
        nearest=[NearPassage.model_validate(one) for one in state.get("nearest") or []],
        clarification=_asked(found),
        actions=_actions(found),
        usage=usage,
        trace=[Event.model_validate(event) for event in state.get("trace") or []],
    )
    return renumbered(result)


def _status(state: AgentState, found: dict[str, Any] | None) -> Status:
    if found is not None:
        if found["clarification"]:
            return Status.NEEDS_CLARIFICATION
        return Status.ANSWERED if found["geojson"]["features"] else Status.REFUSED
    if not _goes_out(state):
        return Status.REFUSED
    return Status.CAVEAT if state.get("caveat") else Status.ANSWERED


def _answer(state: AgentState) -> str:
    """What was said; a caveat stands behind it, so that every place of a claim stays where it is."""
    if (found := state.get("facilities")) and found["clarification"]:
        return ""
    if state.get("nearest") and not _goes_out(state):
        # Whoever is shown passages to read on need not be told to ask again.
        return NO_RELIABLE_ANSWER
    caveat = state.get("caveat") if _goes_out(state) else None
    return "\n\n".join(filter(None, (state.get("final_answer"), caveat)))


def _goes_out(state: AgentState) -> bool:
    """Whether the draft is given as an answer: it passed its check, or nobody could make one, which its caveat says."""
    return bool(state.get("grounded") or state.get("unchecked"))


def _asked(found: dict[str, Any] | None) -> Clarification | None:
    """Which place is meant, where nobody can be asked while the run goes on."""
    return Clarification.model_validate(found["clarification"]) if found and found["clarification"] else None


def _actions(found: dict[str, Any] | None) -> list[dict[str, Any]]:
    """What can be done about the facilities found: call, go there, look at them on a map."""
    if not found or not found["geojson"]["features"]:
        return []
    return [*found["actions"], {"type": "map", "label": "Show on a map", "geojson": found["geojson"]}]


def _citations(state: AgentState, claims: list[dict[str, Any]]) -> list[Citation]:
    sources = {
        doc["passage_id"]: Source(number, doc["document_id"], doc["title"], file_name(doc["source"]), doc["page"])
        for number, doc in enumerate(state["retrieved_docs"], start=1)
    }
    return citations(claims, sources)
