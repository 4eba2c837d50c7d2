"""Where the chat workflow goes, and how long a turn can get at most; simple mode's two ways."""

from typing import Literal

from docmind.domain.budget import Most
from docmind.domain.limits import ChatLimits
from docmind.skills.prompts import requests
from docmind.skills.route import Decision
from docmind.workflows.chat.state import AgentState

LIMITS = ChatLimits()


def route_after_router(
    state: AgentState,
) -> Literal["generate", "retrieve", "rewrite", "clarify", "location"]:
    """As the router decided; anything else is searched for."""
    match state.get("route_decision"):
        case Decision.DIRECT_ANSWER:
            return "generate"
        case Decision.REWRITE_THEN_RETRIEVE:
            return "rewrite"
        case Decision.ASK_CLARIFICATION:
            return "clarify"
        case Decision.LOCATION_SEARCH:
            return "location"
        case _:
            return "retrieve"


def route_after_grading(
    state: AgentState, *, limits: ChatLimits = LIMITS
) -> Literal["generate", "rewrite_retry", "generate_caveat"]:
    """Answer with enough evidence; otherwise look again while retries last, then answer with a caveat."""
    scores = state.get("doc_relevance_scores") or []
    if relevant_count(scores, limits) >= min(limits.enough, len(scores)):
        return "generate"
    return "rewrite_retry" if state.get("retry_count", 0) < limits.max_retries else "generate_caveat"


def route_after_validation(
    state: AgentState, *, limits: ChatLimits = LIMITS
) -> Literal["end", "rewrite_final", "clarify_final"]:
    """Give out what validation let go; otherwise look from another side while retries last, then ask the person."""
    if state.get("final_answer") is not None:
        return "end"
    return "rewrite_final" if state.get("retry_count", 0) < limits.max_retries else "clarify_final"


def route_after_classify(state: AgentState) -> Literal["retrieve", "location"]:
    """Places are found in the table of facilities, everything else in the documents."""
    return "location" if state.get("route_decision") == Decision.LOCATION_SEARCH else "retrieve"


def relevant_count(scores: list[float], limits: ChatLimits) -> int:
    return sum(score > limits.relevant_above for score in scores)


_NODES_A_ROUND = 4
"""Retrieve, grade, generate and validate."""
_SIMPLE_STEPS = 4


def chat_bounds(limits: ChatLimits) -> Most:
    """The router and a rewrite, then rounds: the first and each retry, once more after each clarification.

    A message that looks for a place is read instead of rewritten, which takes no more.
    """
    stretches = 1 + limits.max_clarifications
    rounds, retries = stretches * (1 + limits.max_retries), stretches * limits.max_retries
    return Most(
        steps=2 + rounds * _NODES_A_ROUND + retries + limits.max_clarifications,
        requests=(
            requests("route", 1),
            requests("rewrite", 1),
            requests("another_query", retries),
            requests("grade_passages", rounds),
            requests("answer", rounds, calls=1),
            requests("check_claims", rounds, judged=True),
        ),
    )


def simple_bounds() -> Most:
    """Classify, retrieve, rerank and generate, which is judged; or classify and find a place, which takes no more."""
    asked = (requests("grade_passages", 1), requests("answer", 1, calls=1), requests("check_claims", 1, judged=True))
    return Most(steps=_SIMPLE_STEPS, requests=asked)
