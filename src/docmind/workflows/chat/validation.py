"""The node that checks a draft, and decides what goes out, what is looked for again, and what is asked."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from langgraph.runtime import Runtime

from docmind.domain.answers import MessageKind
from docmind.domain.search import Hit
from docmind.skills.clarify import unanswered
from docmind.skills.dialogue.coreference import taken_as_known
from docmind.skills.disputes import caveat, contested, find_disputes
from docmind.skills.judge import Opinion, judge_by_both
from docmind.skills.nearest import NO_RELIABLE_ANSWER, nearest
from docmind.workflows.chat.conversation import NO_MARKS, answered, history_of
from docmind.workflows.chat.state import AgentState, AgentUpdate, doc_of, noted, read_docs
from docmind.workflows.services import Services
from docmind.workflows.step import Step

NO_ANSWER = f"{NO_RELIABLE_ANSWER} Ask it in words that the documents use, or add a document that covers it."
NO_DOCUMENTS = "This workspace has no documents that could be searched. Please upload documents and ask again."
UNVALIDATED = "This answer could not be checked against its sources."
_NO_SOURCES: Mapping[str, float] = MappingProxyType({})


async def validate_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Check every claim of the draft against the passages; what passes goes out."""
    step = Step("validate", state, runtime)
    text = state["draft_answer"] or ""
    hits = await read_docs(state["retrieved_docs"], step.services)
    if state.get("reply"):
        return _replied(state, step, text, hits)
    if not hits:
        return {
            **_out(state, NO_DOCUMENTS),
            **noted(state, step.decided("nothing to search", "Nothing was brought into it yet.")),
        }
    try:
        opinion = await _judged(state, text, hits, step.services)
    except Exception as error:  # noqa: BLE001 - whatever it is, the answer goes out marked, and the trace says why
        event = step.decided("unvalidated", UNVALIDATED, note=f"The check failed: {error!r}")
        return {**_out(state, text), **_unchecked(state), **noted(state, event)}
    judgement, likely = opinion.judgement, opinion.confidence(state.get("draft_confidence"))
    claims = judgement.claims()
    for claim in claims:
        step.checked(claim)
    refused = state.get("refusal") or opinion.refusal(state.get("draft_confidence"))
    grounded = not judgement.hallucinated and not refused
    event = step.decided("grounded" if grounded else "not grounded", refused or judgement.reasoning, note=opinion.note)
    found: AgentUpdate = {"claims": claims, "grounded": grounded, **noted(state, event)}
    if grounded:
        sources = sources_of(claims, hits)
        scores = {source["passage_id"]: source["relevance_score"] for source in sources}
        services, question = step.services, state.get("question") or state["original_query"]
        disputes = find_disputes([question], hits, claims, services.scorer, services.conflicting)
        return {
            **found,
            **_out(state, text, scores, _marks(sources)),
            "sources": sources,
            "caveat": " ".join(filter(None, (caveat(disputes), state.get("caveat")))) or None,
            "confidence": contested(likely, disputes),
        }
    return {**found, **_next(state, hits, step.services)}


def _unchecked(state: AgentState) -> AgentUpdate:
    """An answer whose check failed has not passed; what was found of an earlier draft does not speak of it."""
    caveat = " ".join(filter(None, (UNVALIDATED, state.get("caveat"))))
    return {"caveat": caveat, "unchecked": True, "grounded": False, "claims": []}


def _replied(state: AgentState, step: Step, text: str, hits: Sequence[Hit]) -> AgentUpdate:
    """What is said to a message that is no question: a summary was checked when it was made, nothing else claims."""
    claims = state.get("claims") or []
    for claim in claims:
        step.checked(claim)
    sources = sources_of(claims, hits)
    scores = {source["passage_id"]: source["relevance_score"] for source in sources}
    event = step.decided("grounded", "Every claim is quoted." if claims else "It claims nothing.")
    # What only sums up the conversation is not summed up again.
    sums_up = state.get("reply") == MessageKind.SUMMARISE_CONVERSATION.value
    marks = NO_MARKS if sums_up else _marks(sources)
    return {**_out(state, text, scores, marks), "sources": sources, "grounded": True, **noted(state, event)}


async def _judged(state: AgentState, text: str, hits: Sequence[Hit], services: Services) -> Opinion:
    asked = state.get("question") or state["original_query"]
    return await judge_by_both(text, [hit.passage for hit in hits], services.grounder, services.judge, asked=asked)


def _next(state: AgentState, hits: Sequence[Hit], services: Services) -> AgentUpdate:
    """What becomes of a draft that is not grounded, once no retry is left: a question, or the end."""
    limits = services.chat
    if state["retry_count"] < limits.max_retries:
        return {}
    if (state.get("clarifications") or 0) >= limits.max_clarifications:
        return {**_out(state, NO_ANSWER), "nearest": near(state, hits, services)}
    query, history = state["original_query"], history_of(state["messages"][:-1])
    # Whoever has answered already was asked which one: what is still not found is not there.
    thing = "" if state.get("clarifications") else taken_as_known(query, history)
    asked = query if state.get("within") else state.get("question") or query
    return {"needs_clarification": unanswered(asked, thing)}


def near(state: AgentState, hits: Sequence[Hit], services: Services) -> list[dict[str, Any]]:
    """The passages that come nearest to an answer, as plain data."""
    question = state.get("question") or state["original_query"]
    return [one.model_dump() for one in nearest(question, hits, services.scorer)]


def sources_of(claims: Sequence[dict[str, Any]], hits: Sequence[Hit]) -> list[dict[str, Any]]:
    """The passages that the claims rest on, under the numbers that the answer cites them by."""
    cited = {claim["passage_id"] for claim in claims}
    return [
        {"marker": f"[{number}]", **doc_of(hit)} for number, hit in enumerate(hits, start=1) if hit.passage.id in cited
    ]


def _marks(sources: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The passages by the numbers that the answer cites them by."""
    return {str(source["marker"]).strip("[]"): source["passage_id"] for source in sources}


def _out(
    state: AgentState, text: str, cited: Mapping[str, float] = _NO_SOURCES, marks: Mapping[str, str] = NO_MARKS
) -> AgentUpdate:
    """The end of a turn: what is said, kept in the conversation with the passages it rests on."""
    messages = answered(state["messages"], text, cited, marks)
    return {"final_answer": text, "place_query": None, "messages": messages}
