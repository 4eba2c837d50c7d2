"""The nodes of simple mode: one question, one pass, nothing remembered and nobody asked."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from docmind.domain.search import Hit
from docmind.skills.disputes import caveat, contested, find_disputes
from docmind.skills.drafting import draft
from docmind.skills.judge import judge_by_both
from docmind.skills.places import seeks_place
from docmind.skills.route import Decision
from docmind.workflows.chat import location
from docmind.workflows.chat.nodes import graded
from docmind.workflows.chat.state import AgentState, AgentUpdate, doc_of, noted, read_docs
from docmind.workflows.chat.validation import NO_ANSWER, NO_DOCUMENTS, near, sources_of
from docmind.workflows.citations import by_place
from docmind.workflows.services import Services
from docmind.workflows.step import Step

UNSUPPORTED = "Not everything in this answer is supported by the documents."


async def classify_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Tell a search for a place from a question to the documents."""
    step = Step("classify", state, runtime)
    sought = seeks_place(state["original_query"], await location.heard(state, step.services))
    decision = Decision.LOCATION_SEARCH if sought else Decision.RETRIEVE
    event = step.decided("location_search" if sought else "information")
    return {"route_decision": decision.value, **noted(state, event)}


async def rerank_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Score each passage against the question, and put the best first."""
    step = Step("rerank", state, runtime)
    hits, scores, note = await graded(state, step.services)
    event = step.decided(f"{len(hits)} scored", note=note, scores=scores)
    return {"retrieved_docs": [doc_of(hit) for hit in hits], "doc_relevance_scores": scores, **noted(state, event)}


async def generate_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Write the answer with its citations, and say where they do not bear it out; where nowhere, there is none."""
    step = Step("generate", state, runtime)
    services, question = step.services, state["original_query"]
    hits = await read_docs(state["retrieved_docs"], services)
    drafted = await draft(
        question, hits, services.grounder, services.scorer, services.writer, tell=by_place(step.draft, hits)
    )
    if not hits:
        event = step.decided("refused", NO_DOCUMENTS, note=drafted.note)
        return {"refusal": NO_DOCUMENTS, "final_answer": NO_DOCUMENTS, **noted(state, event)}
    if drafted.refused:
        return _unanswered(state, step, hits, drafted.reason, drafted.note)
    opinion = await judge_by_both(
        drafted.text, [hit.passage for hit in hits], services.grounder, services.judge, asked=question
    )
    judgement, likely = opinion.judgement, opinion.confidence(drafted.confidence)
    note = " ".join(filter(None, (drafted.note, opinion.note)))
    claims = judgement.claims()
    for claim in claims:
        step.checked(claim)
    refused = opinion.refusal(drafted.confidence)
    if refused or (claims and all(claim["status"] != "supported" for claim in claims)):
        return _unanswered(state, step, hits, refused or judgement.reasoning, note)
    disputes = find_disputes([question], hits, claims, services.scorer, services.conflicting)
    unsupported = UNSUPPORTED if judgement.hallucinated else None
    return {
        "draft_answer": drafted.text,
        "final_answer": drafted.text,
        "claims": claims,
        "sources": sources_of(claims, hits),
        "confidence": contested(likely, disputes),
        "grounded": True,
        "caveat": " ".join(filter(None, (caveat(disputes), unsupported))) or None,
        **noted(state, step.decided("drafted", judgement.reasoning, note=note)),
    }


def _unanswered(state: AgentState, step: Step, hits: Sequence[Hit], reason: str, note: str) -> AgentUpdate:
    """The end of a turn without an answer: why, and what is near the question."""
    near_by = near(state, hits, step.services)
    event = step.decided("refused", reason, note=note)
    return {"refusal": reason, "final_answer": NO_ANSWER, "nearest": near_by, **noted(state, event)}


async def location_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Find what is looked for; which of several places is meant stays a question."""
    step = Step("location", state, runtime)
    query, note = await location.read(state, step.services)
    answer = await location.find(query, step.services)
    event = step.decided("found" if answer.found else "nothing found", note=note)
    return {"final_answer": answer.text, "facilities": answer.model_dump(), **noted(state, event)}
