"""Where the finance workflow goes: on while nothing failed, back while attempts last."""

from typing import Literal

from docmind.workflows.finance.limits import MAX_RETRIEVALS, MAX_SELF_HEALS
from docmind.workflows.finance.state import FinanceState


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
