"""Hits and documents as programs read them: one form for the command line's `--json` and for the service."""

from typing import Annotated, Self

from pydantic import BaseModel, Field

from docmind.domain.documents import Document
from docmind.domain.search import Hit


class HitRow(BaseModel):
    """A passage that was found: how likely it is relevant, and exactly where it stands."""

    rank: Annotated[int, Field(examples=[1])]
    relevance_score: Annotated[float, Field(description="Probability in 0..1 that it is relevant.", examples=[0.906])]
    document: Annotated[str, Field(description="The document's id.")]
    name: Annotated[str, Field(examples=["strategy/board-paper-european-expansion.pdf"])]
    title: Annotated[str, Field(examples=["Board paper: European expansion"])]
    source: str
    page: Annotated[int | None, Field(examples=[2])]
    start: Annotated[int, Field(description="Its first character in the document's text.", examples=[4597])]
    end: Annotated[int, Field(description="The character after its last.", examples=[4764])]
    heading: Annotated[list[str], Field(description="The headings above it, outermost first.")]
    text: str
    dense_score: float
    bm25_score: float
    duplicates: Annotated[list[str], Field(description="Passages left out because they say the same.")]

    @classmethod
    def of(cls, rank: int, hit: Hit) -> Self:
        passage, document = hit.passage, hit.document
        return cls(
            rank=rank,
            relevance_score=round(hit.relevance_score, 6),
            document=document.id,
            name=document.name,
            title=document.title,
            source=document.source,
            page=passage.page,
            start=passage.span.start,
            end=passage.span.end,
            heading=list(passage.heading),
            text=passage.text,
            dense_score=round(hit.dense_score, 6),
            bm25_score=round(hit.bm25_score, 6),
            duplicates=list(hit.duplicates),
        )


class DocumentRow(BaseModel):
    """A document without its text."""

    id: str
    name: Annotated[str, Field(examples=["strategy/board-paper-european-expansion.pdf"])]
    title: Annotated[str, Field(examples=["Board paper: European expansion"])]
    source: Annotated[str, Field(description="Where it came from.")]
    workspace: Annotated[str, Field(examples=["strategy"])]
    user: Annotated[str | None, Field(description="Whose it is; nobody's own where everyone in the workspace has it.")]
    media_type: Annotated[str, Field(examples=["application/pdf"])]
    metadata: Annotated[
        dict[str, str | int],
        Field(description="What it says of itself, as far as known.", examples=[{"company": "Varmoor Thermal plc"}]),
    ]
    pages: int | None
    characters: int
    passages: int
    ingested_at: str

    @classmethod
    def of(cls, document: Document) -> Self:
        return cls(
            id=document.id,
            name=document.name,
            title=document.title,
            source=document.source,
            workspace=document.scope.workspace,
            user=document.scope.user,
            media_type=document.media_type,
            metadata=document.metadata.known(),
            pages=document.pages,
            characters=document.characters,
            passages=document.passages,
            ingested_at=document.ingested_at,
        )
