"""The state of a conversation; its fields are a contract with those who build on it.

Passages are kept by id, never by their text: a thread may go on for long, and every step of it is written down.
They are brought back with their text where a node has to read them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NotRequired, TypedDict

from langchain_core.messages import BaseMessage

from docmind.domain.search import Hit
from docmind.workflows.services import Services


class RetrievedDoc(TypedDict):
    """A passage that was found, and where it stands."""

    passage_id: str
    document_id: str
    title: str
    source: str
    page: int | None
    start: int
    end: int
    relevance_score: float


class AgentState(TypedDict):
    messages: list[BaseMessage]
    """What was said, as it was said; old turns of a long thread are one summary."""
    original_query: str
    rewritten_query: str | None
    """What is searched, where that is not the question itself."""
    retrieved_docs: list[RetrievedDoc]
    doc_relevance_scores: list[float]
    draft_answer: str | None
    final_answer: str | None
    sources: list[dict[str, Any]]
    """What the answer of this turn cites."""
    route_decision: str
    retry_count: int
    needs_clarification: str | None
    """What a person is to be asked."""
    confidence: float
    question: NotRequired[str]
    """The query as a question of its own: what is graded, answered and checked."""
    within: NotRequired[list[str]]
    """The documents that the question is looked for in, where it goes on from an answer that cites them; else all."""
    queries: NotRequired[list[str]]
    """Everything that was searched for since the question was last understood anew."""
    clarifications: NotRequired[int]
    """How often a person was asked in this turn."""
    caveat: NotRequired[str | None]
    """What the reader of the answer must know."""
    refusal: NotRequired[str | None]
    """Why the draft does not answer, where it says so itself."""
    draft_confidence: NotRequired[float | None]
    """How likely the draft is right, where it is quoted from the documents."""
    claims: NotRequired[list[dict[str, Any]]]
    """What the check found for each claim of the draft."""
    grounded: NotRequired[bool]
    """Whether the answer passed its check."""
    unchecked: NotRequired[bool]
    """Whether the check itself failed, so that the answer goes out marked."""
    nearest: NotRequired[list[dict[str, Any]]]
    """Passages near the question, where the turn ends without an answer."""
    reply: NotRequired[str | None]
    """The kind of a message that is no question; what is said to it is the draft."""
    facilities: NotRequired[dict[str, Any] | None]
    """What this turn found of places: its text, actions and map; and a question, where it ended with one."""
    place_query: NotRequired[dict[str, Any] | None]
    """What the newest answer about places was looked for by, so that the next can go on from it."""
    trace: NotRequired[list[dict[str, Any]]]


class AgentUpdate(TypedDict, total=False):
    """What a node may change. LangGraph drops other keys silently, so they are a type error instead."""

    messages: list[BaseMessage]
    rewritten_query: str | None
    retrieved_docs: list[RetrievedDoc]
    doc_relevance_scores: list[float]
    draft_answer: str | None
    final_answer: str | None
    sources: list[dict[str, Any]]
    route_decision: str
    retry_count: int
    needs_clarification: str | None
    confidence: float
    question: str
    within: list[str]
    queries: list[str]
    clarifications: int
    caveat: str | None
    refusal: str | None
    draft_confidence: float | None
    claims: list[dict[str, Any]]
    grounded: bool
    unchecked: bool
    nearest: list[dict[str, Any]]
    reply: str | None
    facilities: dict[str, Any] | None
    place_query: dict[str, Any] | None
    trace: list[dict[str, Any]]


def next_turn(query: str) -> dict[str, Any]:
    """What a new question changes: everything but what the conversation remembers."""
    return {
        "original_query": query,
        "rewritten_query": None,
        "retrieved_docs": [],
        "doc_relevance_scores": [],
        "draft_answer": None,
        "final_answer": None,
        "sources": [],
        "route_decision": "",
        "retry_count": 0,
        "needs_clarification": None,
        "confidence": 0.0,
        "question": query,
        "within": [],
        "queries": [],
        "clarifications": 0,
        "caveat": None,
        "refusal": None,
        "draft_confidence": None,
        "claims": [],
        "grounded": False,
        "unchecked": False,
        "nearest": [],
        "reply": None,
        "facilities": None,
        "trace": [],
    }


def doc_of(hit: Hit) -> RetrievedDoc:
    passage, document = hit.passage, hit.document
    return {
        "passage_id": passage.id,
        "document_id": document.id,
        "title": document.title,
        "source": document.name,
        "page": passage.page,
        "start": passage.span.start,
        "end": passage.span.end,
        "relevance_score": round(hit.relevance_score, 4),
    }


def noted(state: AgentState, event: dict[str, Any]) -> AgentUpdate:
    return {"trace": [*(state.get("trace") or []), event]}


async def read_docs(docs: Sequence[RetrievedDoc], services: Services) -> list[Hit]:
    """The hits that the docs stand for, in their order."""
    return await read_hits({doc["passage_id"]: doc["relevance_score"] for doc in docs}, services)


async def read_hits(scores: Mapping[str, float], services: Services) -> list[Hit]:
    """Passages by their ids, with the relevance they were found with; what was deleted since is gone."""
    found = await services.corpus.afetch(list(scores), services.scope) if scores else []
    return [replace(hit, relevance_score=scores[hit.passage.id]) for hit in found]
