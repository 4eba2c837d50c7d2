"""The state that flows through the docs workflow; its fields are a contract with those who build on it."""

from typing import Any, NotRequired, TypedDict

from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.scope import Scope
from docmind.domain.search import Hit


class Section(TypedDict):
    """A retrieved passage."""

    title: str
    content: str
    source: str
    relevance_score: float
    page: int | None
    start: int
    end: int
    passage_id: str
    document_id: str
    document_title: str
    heading: list[str]
    kind: str


class Verdict(TypedDict):
    """What the judge found."""

    is_hallucinated: bool
    should_return: bool
    reasoning: str
    claims: list[dict[str, Any]]
    confidence_score: float


class DocMindState(TypedDict):
    query: str
    decomposition: dict[str, Any] | None
    retrieved_sections: list[Section]
    generated_response: str | None
    judge_verdict: Verdict | None
    final_output: str | None
    retry_count: int
    node_history: list[str]
    refusal: NotRequired[str | None]
    """Why the draft does not answer, where it says so itself."""
    useless: NotRequired[list[str]]
    """Passages of earlier attempts that had nothing to say of what was claimed, by id."""
    trace: NotRequired[list[dict[str, Any]]]


class DocMindUpdate(TypedDict, total=False):
    """What a node may change. LangGraph drops other keys silently, so they are a type error instead."""

    decomposition: dict[str, Any]
    retrieved_sections: list[Section]
    generated_response: str
    judge_verdict: Verdict
    final_output: str
    retry_count: int
    node_history: list[str]
    refusal: str | None
    useless: list[str]
    trace: list[dict[str, Any]]


def initial_state(query: str) -> DocMindState:
    return {
        "query": query,
        "decomposition": None,
        "retrieved_sections": [],
        "generated_response": None,
        "judge_verdict": None,
        "final_output": None,
        "retry_count": 0,
        "node_history": [],
    }


def section_of(hit: Hit) -> Section:
    passage, document = hit.passage, hit.document
    return {
        "title": passage.heading[-1] if passage.heading else document.title,
        "content": passage.text,
        "source": document.name,
        "relevance_score": round(hit.relevance_score, 4),
        "page": passage.page,
        "start": passage.span.start,
        "end": passage.span.end,
        "passage_id": passage.id,
        "document_id": document.id,
        "document_title": document.title,
        "heading": list(passage.heading),
        "kind": passage.kind,
    }


def hit_of(section: Section, scope: Scope) -> Hit:
    """The hit a section was made of, as far as answering and checking need it."""
    passage = Passage(
        id=section["passage_id"],
        document_id=section["document_id"],
        ordinal=section["start"],
        span=Span(section["start"], section["end"]),
        text=section["content"],
        heading=tuple(section["heading"]),
        page=section["page"],
        kind=section["kind"],
    )
    document = Document(
        id=section["document_id"],
        scope=scope,
        source=section["source"],
        name=section["source"],
        content_hash="",
        media_type="",
        metadata=Metadata(title=section["document_title"]),
        pages=None,
        characters=0,
        passages=0,
        ingested_at="",
    )
    return Hit(passage, document, section["relevance_score"], 0.0, 0.0)
