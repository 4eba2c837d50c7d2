"""Where the chat workflow goes after the router, after grading and after validation; and simple mode's two ways."""

from typing import Literal

from docmind.domain.chat import ChatLimits
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
