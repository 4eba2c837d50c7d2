"""Passages in the states of workflows: plain data that checkpoints keep, and the hits they were made of."""

from typing import TypedDict

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
