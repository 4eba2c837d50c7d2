"""What is asked of the corpus and what comes back."""

from dataclasses import dataclass, fields

from docmind.domain.documents import Document, Passage


@dataclass(frozen=True, slots=True)
class Filters:
    """Narrow a search by metadata: each field that is set must match; several values in one field are alternatives."""

    company: tuple[str, ...] = ()
    ticker: tuple[str, ...] = ()
    fiscal_year: tuple[int, ...] = ()
    quarter: tuple[int, ...] = ()
    document_type: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    document_id: tuple[str, ...] = ()
    exclude_passages: tuple[str, ...] = ()
    date_from: str | None = None
    date_to: str | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, f.name) for f in fields(self))


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found, with where it stands and how sure the search is that it is relevant."""

    passage: Passage
    document: Document
    relevance_score: float
    """Calibrated probability in 0..1 that the passage is relevant to the query."""
    dense_score: float
    """Cosine similarity as the embedder gives it."""
    bm25_score: float
    duplicates: tuple[str, ...] = ()
    """Ids of passages left out because they say the same in almost the same words."""
