"""The supervisor: pure code that decides whether a draft goes out, is tried again, or is a person's to decide."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from docmind.domain.limits import StrategyLimits
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.disputes import Dispute, Settlement, put, settle
from docmind.skills.nearest import nearest
from docmind.skills.question.words import read_words
from docmind.workflows.services import Services
from docmind.workflows.step import Step
from docmind.workflows.strategy.state import Attempt, MASISState, MASISUpdate, hits_in, noted

ONLY_QUOTES = (
    "Without a chat model this workflow quotes the documents and does not calculate; the finance workflow does."
)
_ASKING_FOR_A_SUM = vocabulary("sum combined together altogether difference average add")


def who_calculates(question: str, services: Services) -> str:
    """A sentence for the person whose question it is; empty where it asks for no sum, or a chat model writes."""
    asks = not _ASKING_FOR_A_SUM.isdisjoint(word.lower for word in read_words(question))
    return ONLY_QUOTES if asks and services.writer is None else ""


HAND_OVER = "After {attempts}, confidence remains {confidence:.1%}."
NARROW = "Please ask a narrower question, or add documents about it."
MOST_ASKED = 3
"""Disputes that a person is asked to settle in one run."""
_MOST_GAPS = 3


async def supervisor_node(state: MASISState, runtime: Runtime[Services]) -> MASISUpdate:
    """Begin, finalize, retry, or hand over to a person."""
    step = Step("supervisor", state, runtime)
    attempt = state.get("attempt")
    if state.get("requires_human_review"):
        best = state.get("best")
        shown = _shown(best) if best is not None else MASISUpdate()
        return {**shown, **noted(state, step.decided("human_review", state.get("clarification_question") or ""))}
    if attempt is None:
        return noted(state, step.decided("first_run"))
    issues = quality_issues(attempt, step.services.strategy)
    if not issues:
        return noted(state, step.decided("finalize", _sound(attempt)))
    retries = state.get("retry_count", 0)
    if retries < most_retries(state, step.services.strategy):
        reasons = [*state["metrics"].get("retry_reasons", []), _retry_reason(attempt)]
        event = step.decided("retry", " ".join(issues))
        return {"retry_count": retries + 1, **noted(state, event, retry_reasons=reasons)}
    if attempt["disputes"]:
        settlements = [_ask(dispute) for dispute in attempt["disputes"][:MOST_ASKED]]
        # What was drafted before knew nothing of the choice, however sure it was of itself.
        chosen: MASISUpdate = {"settlements": settlements, "best": None}
        return {**chosen, **noted(state, step.decided("retry", "A person settled what the sources disagree on."))}
    return _hand_over(state, step, state.get("best") or attempt, retries)


def _sound(attempt: Attempt) -> str:
    return f"The critic's confidence is {attempt['confidence']:.1%}, and there are no issues."


def quality_issues(attempt: Attempt, limits: StrategyLimits) -> list[str]:
    """What keeps a draft from going out, as sentences."""
    doubted = attempt["confidence"] < limits.min_confidence
    low = f"Confidence {attempt['confidence']:.1%} is below {limits.min_confidence:.0%}."
    return [low, *_faults(attempt)] if doubted else _faults(attempt)


def _faults(attempt: Attempt) -> list[str]:
    critique = attempt["critique"]
    found = {
        "A citation leads nowhere.": bool(critique["invalid_citations"]),
        "Something is said that the evidence does not bear out.": critique["hallucination_detected"],
        "Too much is left open or cites nothing.": critique["needs_retry"],
        "The sources disagree.": bool(attempt["disputes"]),
    }
    return [fault for fault, holds in found.items() if holds]


def most_retries(state: MASISState, limits: StrategyLimits) -> int:
    """Only where the question leaves it open the settings decide: 0 means none."""
    asked = state.get("max_retries")
    return limits.max_retries if asked is None else asked


def _ask(dispute: Dispute) -> Settlement:
    """Wait for a person's choice, and ask again where the reply is none of the options."""
    question = put(dispute)
    while True:
        reply = interrupt(question)
        if settled := settle(dispute, reply):
            return settled
        question = {**put(dispute), "problem": f"{str(reply)[:80]!r} is not one of the options."}


def _retry_reason(attempt: Attempt) -> dict[str, Any]:
    critique = attempt["critique"]
    return {
        "confidence": attempt["confidence"],
        "citation_issue": bool(critique["invalid_citations"]),
        "hallucination": critique["hallucination_detected"],
        "needs_retry": critique["needs_retry"],
        "conflict": bool(attempt["disputes"]),
    }


def _hand_over(state: MASISState, step: Step, best: Attempt, retries: int) -> MASISUpdate:
    attempts = "1 refinement attempt" if retries == 1 else f"{retries} refinement attempts"
    told = [HAND_OVER.format(attempts=attempts, confidence=best["confidence"])]
    told += _faults(best)
    if gaps := best["critique"]["logical_gaps"]:
        told.append(f"Left open: {', '.join(f'“{gap}”' for gap in gaps[:_MOST_GAPS])}.")
    told += (who_calculates(state["user_query"], step.services), NARROW)
    question = " ".join(filter(None, told))
    # A draft that claims nothing answers nothing: what was found is shown in its place.
    hits = [] if best["claims"] else hits_in(state, step.services)
    near = nearest(state["user_query"], hits, step.services.scorer)
    return {
        **_shown(best),
        "nearest": [one.model_dump() for one in near],
        "requires_human_review": True,
        "clarification_question": question,
        **noted(state, step.decided("human_review", question), evaluation=best["evaluation"]),
    }


def _shown(best: Attempt) -> MASISUpdate:
    """What a person is handed is the best draft, not the last."""
    return {
        "attempt": best,
        "final_answer": best["answer"],
        "confidence": best["confidence"],
        "critique": best["critique"],
    }
