"""Passages as a search finds them."""

from collections.abc import Callable

import pytest

from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.scope import Scope
from docmind.domain.search import Hit
from docmind.models.reader import Reader
from docmind.quality.grounding import Grounder
from docmind.skills.extract.statement_scorer import ReadingScorer

FindHits = Callable[..., list[Hit]]


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="session")
def grounder(reader: Reader) -> Grounder:
    return Grounder(reader)


@pytest.fixture(scope="session")
def scorer(reader: Reader) -> ReadingScorer:
    return ReadingScorer(reader)


@pytest.fixture(scope="session")
def find_hits() -> FindHits:
    return hits_of


def hits_of(*texts: str, heading: tuple[str, ...] = (), relevance: float = 0.9) -> list[Hit]:
    """Each text as the only passage of a document of its own."""
    return [_hit(number, text, heading, relevance) for number, text in enumerate(texts, 1)]


def _hit(number: int, text: str, heading: tuple[str, ...], relevance: float) -> Hit:
    name = f"document-{number}"
    document = Document(
        name, Scope("test"), name, name, name, "text/markdown", Metadata(), None, len(text), 1, "2026-01-01"
    )
    kind = "table" if " | " in text else "text"
    passage = Passage(f"passage-{number}", name, 0, Span(0, len(text)), text, heading, kind=kind)
    return Hit(passage, document, relevance, 0.5, 5.0)
