"""DocMind as one object: from settings to documents in and cited passages out."""

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from docmind.corpus.catalogue import Catalogue, open_catalogue
from docmind.corpus.index import open_index
from docmind.corpus.index.contract import Index
from docmind.corpus.relevance import open_relevance
from docmind.corpus.search import Searcher
from docmind.domain.documents import DocumentList, Metadata
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.models.embedding import Embedder, open_embedder
from docmind.runtime.asking import Asking
from docmind.runtime.checking import Checking
from docmind.runtime.collecting import Collecting
from docmind.runtime.parts import Parts, once
from docmind.runtime.remembering import Remembering
from docmind.runtime.threads import Conversing
from docmind.runtime.watching import Watches
from docmind.runtime.workspaces import Keeping
from docmind.settings import Settings

if TYPE_CHECKING:
    from docmind.corpus.facilities import Facilities
    from docmind.corpus.workspaces import Register
    from docmind.memory.checkpoints import Checkpoints
    from docmind.memory.claims import Claims
    from docmind.memory.keys import Keys
    from docmind.memory.runs import Runs
    from docmind.models.chat.roles import Roles
    from docmind.models.reader import Reader
    from docmind.quality.conflicts import ConflictJudge
    from docmind.quality.grounding import Grounder
    from docmind.runtime.loop import Loop
    from docmind.runtime.runner import Runner
    from docmind.skills.extract.reading import StatementScorer
    from docmind.skills.messages.classifier import MessageClassifier
    from docmind.workflows.services import Services

SEARCHES_AT_ONCE = 2
"""Searches that run in threads beside an event loop; more only wait for each other."""


_SEARCHING: RunVar[anyio.CapacityLimiter] = RunVar("searching")


class DocMind(Asking, Checking, Conversing, Keeping, Collecting, Remembering, Parts):
    """One installation: its documents, its index, its models and its runs, each opened when first needed.

    Methods block and may be called from any thread; those that start with `a` are for event loops.
    """

    def __init__(self, settings: Settings | None = None, *, roles: "Roles | None" = None) -> None:
        """`roles` are chat models of one's own, instead of those that the settings name."""
        super().__init__()
        self.settings = settings or Settings.load()
        self._given = roles
        self.watches = Watches()
        """Whoever is told what runs do; to be added before the first."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop what is running and let go of the store, so that another process may open it."""
        # Runs that wind up use other parts, and must not wait for a lock that is held here.
        if "_loop" in self._open:
            self._loop.close()
        super().close()

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
            limiter=_searching(),
        )

    async def afetch(self, passage_ids: Sequence[str], scope: Scope) -> list[Hit]:
        """Passages by their ids, in that order, as far as the scope sees them; no search has scored them."""
        found = await anyio.to_thread.run_sync(lambda: self.catalogue.fetch(scope, passage_ids), limiter=_searching())
        return [Hit(*found[one], 0.0, 0.0, 0.0) for one in passage_ids if one in found]

    async def adocuments(self, scope: Scope, *, limit: int) -> DocumentList:
        """The first documents of the scope by name, and how many it has."""

        def listed() -> DocumentList:
            return DocumentList(tuple(self.catalogue.documents(scope, limit)), self.catalogue.count(scope)[0])

        return await anyio.to_thread.run_sync(listed, limiter=_searching())

    async def areports(self, scope: Scope) -> list[Metadata]:
        """What the documents of companies say of themselves, beside their titles, newest first, the same once."""
        return await anyio.to_thread.run_sync(lambda: self.catalogue.reports(scope), limiter=_searching())

    def services(self, scope: Scope) -> "Services":
        """What the nodes of a workflow may reach for, within the scope, with the chat models of this installation."""
        from docmind.models.chat.meter import Meter

        meter = Meter()
        return self._embedded(scope).with_chat(self.roles.writing(meter), self.roles.judging(meter))

    def _embedded(self, scope: Scope) -> "Services":
        """The same without chat models."""
        from docmind.domain.strategy import StrategyLimits
        from docmind.workflows.finder import TableFinder
        from docmind.workflows.services import Services

        docs = self.settings.docs
        return Services(
            self,
            scope,
            self.grounder,
            self._scorer,
            self._conflict_judge.conflicting,
            max_hallucinations=docs.max_hallucinations,
            sections=docs.sections,
            strategy=StrategyLimits(**self.settings.strategy.model_dump()),
            chat=self.settings.chat.limits(),
            memory=self,
            facilities=TableFinder(lambda: self.facilities),
            messages=self._messages,
        )

    @once
    def catalogue(self) -> Catalogue:
        return open_catalogue(self.settings.database.url, self.settings.home)

    @once
    def _register(self) -> "Register":
        from docmind.corpus.workspaces import open_register

        return open_register(self.settings.database.url, self.settings.home)

    @once
    def facilities(self) -> "Facilities":
        """The facility tables, and what finds the nearest of them."""
        from docmind.corpus.facilities import Facilities

        return Facilities(self.settings.database.url, self.settings.home)

    @once
    def embedder(self) -> Embedder:
        models = self.settings.models
        return open_embedder(models.embedder, threads=models.threads, cache=self.settings.home / "embeddings.db")

    @once
    def roles(self) -> "Roles":
        """The chat models, each for what it does."""
        from docmind.runtime.roles import open_roles

        return self._given or open_roles(self.settings.models)

    @once
    def _reader(self) -> "Reader":
        from docmind.models.reader import Reader

        return Reader(threads=self.settings.models.threads)

    @once
    def grounder(self) -> "Grounder":
        from docmind.quality.grounding import Grounder

        return Grounder(self._reader)

    @once
    def _scorer(self) -> "StatementScorer":
        from docmind.skills.extract.reading import ReadingScorer

        return ReadingScorer(self._reader)

    @once
    def _messages(self) -> "MessageClassifier":
        from docmind.models.minilm import MiniLMEmbedder
        from docmind.skills.messages.classifier import MessageClassifier

        minilm = MiniLMEmbedder(threads=self.settings.models.threads)
        return MessageClassifier(self.embedder if self.embedder.name == minilm.name else minilm)

    @once
    def _conflict_judge(self) -> "ConflictJudge":
        from docmind.quality.conflicts import ConflictJudge

        return ConflictJudge(self._reader)

    @once
    def _runs(self) -> "Runs":
        from docmind.memory.runs import open_runs

        return open_runs(self.settings.database.url, self.settings.home)

    @once
    def _claims(self) -> "Claims":
        from docmind.memory.claims import open_claims

        return open_claims(self.settings.database.url, self.settings.home)

    @once
    def keys(self) -> "Keys":
        """Who may ask the service."""
        from docmind.memory.keys import open_keys

        return open_keys(self.settings.database.url, self.settings.home)

    @once
    def _loop(self) -> "Loop":
        from docmind.runtime.loop import Loop

        return Loop()

    @once
    def _checkpoints(self) -> "Checkpoints":
        from docmind.memory.checkpoints import open_checkpoints

        return self._loop.open(open_checkpoints(self.settings.database.url, self.settings.home))

    @once
    def _runner(self) -> "Runner":
        from docmind.runtime.runner import Runner

        self._finish_deletions()
        roles = self.watches.around(self.roles)
        parts = self._runs, self._claims, self._checkpoints
        budget, threshold = self.settings.budget, self.settings.answers.threshold()
        return self._loop.open(Runner(*parts, self.services, roles, budget, threshold, self.watches))

    @once
    def index(self) -> Index:
        key = self.settings.index.api_key
        return open_index(
            self.settings.index.url,
            self.settings.home / "index",
            dimension=self.embedder.dimension,
            embedder=self.embedder.name,
            api_key=key.get_secret_value() if key else None,
        )

    @once
    def _searcher(self) -> Searcher:
        self._finish_deletions()
        relevance = open_relevance(self.embedder, self.settings.home)
        search = self.settings.search
        return Searcher(self.catalogue, self.index, self.embedder, relevance, search.candidates)


def _searching() -> anyio.CapacityLimiter:
    """One for each event loop, as its waiters are. Threads take turns with the loop's own: many would make it wait."""
    try:
        return _SEARCHING.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(SEARCHES_AT_ONCE)
        _SEARCHING.set(limiter)
        return limiter
