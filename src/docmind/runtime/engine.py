"""DocMind as one object: from settings to documents in and cited passages out."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import anyio
import anyio.to_thread

from docmind.corpus.catalogue import Catalogue, open_catalogue
from docmind.corpus.index import open_index
from docmind.corpus.index.contract import Index
from docmind.corpus.relevance import open_relevance
from docmind.corpus.search import Searcher
from docmind.domain.documents import Document, Passage
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.models.embedding import Embedder, open_embedder
from docmind.settings import Settings

if TYPE_CHECKING:
    from docmind.corpus.ingest import Ingestor, IngestReport, Progress
    from docmind.domain.answers import RunResult
    from docmind.models.chat.model import ChatModel
    from docmind.models.word_vectors import WordVectors
    from docmind.quality.grounding import Grounder
    from docmind.skills.extract.select import StatementScorer
    from docmind.workflows.services import Services

Part = TypeVar("Part")

SEARCHES_AT_ONCE = 2
"""Searches that run in threads beside an event loop; more only wait for each other."""


def _once(build: Callable[[Any], Part]) -> Part:
    """A part that is opened when first needed, by whichever thread comes first, until `close`."""

    def get(engine: "DocMind") -> Part:
        with engine._lock:
            if build.__name__ not in engine._open:
                engine._open[build.__name__] = build(engine)
            return engine._open[build.__name__]  # type: ignore[no-any-return]

    return property(get, doc=build.__doc__)  # type: ignore[return-value]


class DocMind:
    """One installation: its documents, its index and its models, each opened when first needed.

    Methods block and may be called from any thread; those that start with `a` are for event loops.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings.load()
        self._lock = RLock()
        self._open: dict[str, Any] = {}
        # Threads take turns with the event loop's own: with many of them it would wait for a turn too long.
        self._searching = anyio.CapacityLimiter(SEARCHES_AT_ONCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store, so that another process may open it."""
        with self._lock:
            for part in reversed(list(self._open.values())):
                if hasattr(part, "close"):
                    part.close()
            self._open.clear()

    def ingest(self, paths: Sequence[Path | str], scope: Scope, progress: "Progress | None" = None) -> "IngestReport":
        """Bring files, folders and archives into the scope."""
        return self._ingestor.ingest([Path(path) for path in paths], scope, progress)

    def search(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        """The passages of the scope that are most relevant to the query."""
        return self._searcher.search(query, scope, limit=limit, min_score=min_score, filters=filters)

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        return await anyio.to_thread.run_sync(
            lambda: self.search(query, scope, limit=limit, min_score=min_score, filters=filters),
            limiter=self._searching,
        )

    async def aingest(
        self, paths: Sequence[Path | str], scope: Scope, progress: "Progress | None" = None
    ) -> "IngestReport":
        return await anyio.to_thread.run_sync(lambda: self.ingest(paths, scope, progress))

    def run(self, question: str, scope: Scope, *, workflow: str = "docs") -> "RunResult":
        """Answer a question from the documents of the scope."""
        return anyio.run(partial(self.arun, question, scope, workflow=workflow))

    async def arun(self, question: str, scope: Scope, *, workflow: str = "docs") -> "RunResult":
        from docmind.runtime.runs import WORKFLOWS, plan_docs, run_docs

        if workflow not in WORKFLOWS:
            raise InvalidQuery(f"There is no workflow called {workflow!r}: choose from {', '.join(WORKFLOWS)}.")
        return await run_docs(question, plan_docs(self.services(scope), self.chat))

    def services(self, scope: Scope) -> "Services":
        """What the nodes of a workflow may reach for, within the scope."""
        from docmind.workflows.services import Services

        docs = self.settings.docs
        return Services(
            self,
            scope,
            self.grounder,
            self._scorer,
            max_hallucinations=docs.max_hallucinations,
            sections=docs.sections,
        )

    def documents(self, scope: Scope) -> list[Document]:
        return list(self.catalogue.documents(scope))

    def document(self, reference: str, scope: Scope) -> Document:
        """A document by its id, the start of its id, or its name."""
        return self.catalogue.find(scope, reference)

    def text(self, document: Document) -> str:
        return self.catalogue.text(document.id)

    def passages(self, document: Document) -> list[Passage]:
        return self.catalogue.passages_of(document.id)

    def delete(self, references: Sequence[str], scope: Scope) -> list[Document]:
        """Remove documents with all their passages; an unknown reference removes nothing."""
        found = [self.document(reference, scope) for reference in references]
        self._ingestor.delete(found)
        return found

    @_once
    def catalogue(self) -> Catalogue:
        return open_catalogue(self.settings.database.url, self.settings.home)

    @_once
    def embedder(self) -> Embedder:
        models = self.settings.models
        return open_embedder(models.embedder, threads=models.threads, cache=self.settings.home / "embeddings.db")

    @_once
    def chat(self) -> "ChatModel | None":
        from docmind.models.chat.opening import open_chat

        models = self.settings.models
        key = models.chat_api_key
        if models.chat is None:
            return None
        return open_chat(models.chat, api_key=key.get_secret_value() if key else None, threads=models.threads)

    @_once
    def _words(self) -> "WordVectors":
        from docmind.models.word_vectors import WordVectors

        return WordVectors()

    @_once
    def grounder(self) -> "Grounder":
        from docmind.quality.grounding import Grounder

        return Grounder(self._words)

    @_once
    def _scorer(self) -> "StatementScorer":
        from docmind.skills.extract.select import LexicalScorer

        return LexicalScorer(self.grounder, self._words)

    @_once
    def index(self) -> Index:
        key = self.settings.index.api_key
        return open_index(
            self.settings.index.url,
            self.settings.home / "index",
            dimension=self.embedder.dimension,
            embedder=self.embedder.name,
            api_key=key.get_secret_value() if key else None,
        )

    @_once
    def _searcher(self) -> Searcher:
        relevance = open_relevance(self.embedder, self.settings.home)
        return Searcher(self.catalogue, self.index, self.embedder, relevance, self.settings.search.candidates)

    @_once
    def _ingestor(self) -> "Ingestor":
        # The libraries that read files take longer to import than a search takes; who only searches never needs them.
        from docmind.corpus.ingest import Ingestor
        from docmind.corpus.load import Limits

        chosen = self.settings.ingest
        limits = Limits(max_bytes=chosen.max_file_mb << 20, max_pages=chosen.max_pages)
        return Ingestor(self.catalogue, self.index, self.embedder, limits, chosen.workers, chosen.timeout_s)
