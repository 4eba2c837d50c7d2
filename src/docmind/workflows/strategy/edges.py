"""Where the strategy workflow goes, and how long a run can get at most."""

from typing import Literal

from docmind.domain.budget import Most
from docmind.skills.prompts import requests
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


_NODES_A_ROUND = 5
"""Researcher, synthesizer, critic, evaluator, and the supervisor that decides what comes next."""


def strategy_bounds(*, max_retries: int) -> Most:
    """The first draft, its retries, and one more draft after a person has settled what sources disagree on.

    The judging model criticises and evaluates every draft.
    """
    rounds = 1 + max_retries + 1
    judged = (requests(task, rounds, judged=True) for task in ("audit", "evaluate"))
    return Most(steps=1 + _NODES_A_ROUND * rounds, requests=(requests("board_answer", rounds, calls=1), *judged))
