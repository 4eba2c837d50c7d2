"""Where the strategy workflow goes: one conditional edge drives it, and a second one skips work on no evidence."""

from typing import Literal

from docmind.workflows.strategy.state import MASISState


def route_from_supervisor(state: MASISState) -> Literal["first_run", "retry", "end"]:
    """Hand over to a person before anything else; then look again where the supervisor said so; then begin or end."""
    if state.get("requires_human_review"):
        return "end"
    trace = state.get("trace") or []
    if trace and trace[-1].get("decision") == "retry":
        return "retry"
    if state.get("draft_answer") is None:
        return "first_run"
    return "end"


def route_from_researcher(state: MASISState) -> Literal["evidence", "nothing"]:
    """Without evidence there is nothing to write, and no model is asked."""
    return "evidence" if state.get("evidence") else "nothing"
