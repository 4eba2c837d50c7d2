"""DocMind as one object: from settings to documents in and cited passages out."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from docmind.corpus.catalogue import Catalogue, open_catalogue
from docmind.corpus.index import open_index
from docmind.corpus.relevance import open_relevance
from docmind.corpus.search import Searcher
from docmind.corpus.workspace_index import Embedders, WorkspaceIndex
from docmind.corpus.workspaces import open_vector_records
from docmind.domain.documents import DocumentList, Metadata
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.models.embedding import Embedder, open_embedder
from docmind.runtime.checking import Checking
from docmind.runtime.configuration import Configuration
from docmind.runtime.data_folder import InUse
from docmind.runtime.documents import Viewing
from docmind.runtime.parts import Parts, once, renewed
from docmind.runtime.reindex import Reindexing
from docmind.runtime.runs import Asking, Rating
from docmind.runtime.suggestions import Suggesting
from docmind.runtime.threads import Conversing, Remembering
from docmind.runtime.uploads import Uploading
from docmind.runtime.watching import Watches
from docmind.runtime.workspaces import Keeping
from docmind.settings import ModelSettings, Settings

if TYPE_CHECKING:
    from docmind.corpus.facilities import Facilities
    from docmind.corpus.workspaces import Register
    from docmind.memory.checkpoints import Checkpoints
    from docmind.memory.conversations import Labels
    from docmind.memory.keys import Keys
    from docmind.memory.leases import Leases
    from docmind.memory.runs import Runs
    from docmind.models.chat.roles import Roles
    from docmind.models.reader import Reader
    from docmind.quality.conflicts import ConflictJudge
    from docmind.quality.grounding import Grounder
    from docmind.runtime.loop import Loop
    from docmind.runtime.runner import Runner, Tidying
    from docmind.skills.extract.statement_scorer import StatementScorer
    from docmind.skills.messages.classifier import MessageClassifier
    from docmind.workflows.services import Services

SEARCHES_AT_ONCE = 2
"""Searches that run in threads beside an event loop; more only wait for each other."""


_SEARCHING: RunVar[anyio.CapacityLimiter] = RunVar("searching")


class DocMind(
    Asking, Checking, Conversing, Rating, Keeping, Reindexing, Uploading, Viewing, Suggesting, Remembering, Parts
):
    """One installation: its documents, its index, its models and its runs, each opened when first needed.

    Methods block and may be called from any thread; those that start with `a` are for event loops.
    """

    def __init__(self, settings: Settings | None = None, *, roles: "Roles | None" = None) -> None:
        """Without `settings` those of this machine, which are followed when they change.

        `roles` are chat models of one's own, instead of those that the settings name.
        """
        super().__init__()
        self.configuration = Configuration(settings)
        self._given = roles
        self._opened: tuple[ModelSettings, Roles] | None = None
        self.watches = Watches()
        """Whoever is told what runs do; to be added before the first."""

    @property
    def settings(self) -> Settings:  # type: ignore[override]
        """Those in force now; a run keeps the ones that it began with."""
        return self.configuration.now

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    def close(self) -> None:
        """Stop what is running and let go of the store, so that another process may open it."""
        # Files and runs that wind up use other parts, and must not wait for a lock that is held here.
        if "upload_queue" in self._open:
            self.upload_queue.close()
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
        roles = self.roles
        return self._embedded(scope).with_chat(roles.writing(meter), roles.judging(meter))

    def _embedded(self, scope: Scope, settings: Settings | None = None) -> "Services":
        """The same without chat models."""
        from docmind.domain.limits import StrategyLimits
        from docmind.skills.added import ADDED, WiderSearch
        from docmind.workflows.finder import TableFinder
        from docmind.workflows.services import Services

        settings = settings or self.settings
        return Services(
            WiderSearch(self, skills) if (skills := ADDED.usable()) else self,
            scope,
            self.grounder,
            self._scorer,
            self._conflict_judge.conflicting,
            max_hallucinations=settings.docs.max_hallucinations,
            sections=settings.docs.sections,
            strategy=StrategyLimits(**settings.strategy.model_dump()),
            chat=settings.chat.limits(),
            memory=self,
            facilities=TableFinder(lambda: self.facilities),
            messages=self._messages,
        )

    @property
    def home(self) -> Path:  # type: ignore[override]
        """The data folder. As long as this engine has anything in it open, no restored one takes its place."""
        return self._in_use.root

    @once
    def _in_use(self) -> InUse:
        return InUse(self.settings.home)

    @once
    def catalogue(self) -> Catalogue:
        return open_catalogue(self.settings.database.url, self.home)

    @once
    def _register(self) -> "Register":
        from docmind.corpus.workspaces import open_register

        return open_register(self.settings.database.url, self.home)

    @once
    def facilities(self) -> "Facilities":
        """The facility tables, and what finds the nearest of them."""
        from docmind.corpus.facilities import Facilities

        return Facilities(self.settings.database.url, self.home)

    @property
    def embedder(self) -> Embedder:
        """That of new workspaces; one that is indexed keeps its own until it is reindexed."""
        return self._embedders.named(self.settings.models.embedder)

    @once
    def _embedders(self) -> Embedders:
        threads, cache = self.settings.models.threads, self.settings.home / "embeddings.db"
        return Embedders(lambda name: open_embedder(name, threads=threads, cache=cache))

    @property
    def roles(self) -> "Roles":  # type: ignore[override]
        """The chat models, each for what it does."""
        return self._roles(self.settings.models)

    def _roles(self, models: ModelSettings) -> "Roles":
        from docmind.runtime.chat_models import open_roles

        if self._given is not None:
            return self._given
        with self._renewing:
            # Another limit is no reason to load a model once more.
            if self._opened is None or self._opened[0] != models:
                self._opened = models, open_roles(models)
            return self._opened[1]

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
        from docmind.skills.extract.statement_scorer import ReadingScorer

        return ReadingScorer(self._reader)

    @once
    def _messages(self) -> "MessageClassifier":
        from docmind.models.embedders import MiniLMEmbedder
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

        return open_runs(self.settings.database.url, self.home)

    @once
    def _leases(self) -> "Leases":
        from docmind.memory.leases import open_leases

        return open_leases(self.settings.database.url, self.home)

    @once
    def _labels(self) -> "Labels":
        from docmind.memory.conversations import open_labels

        return open_labels(self.settings.database.url, self.home)

    @once
    def keys(self) -> "Keys":
        """Who may ask the service."""
        from docmind.memory.keys import open_keys

        return open_keys(self.settings.database.url, self.home)

    @once
    def _loop(self) -> "Loop":
        from docmind.runtime.loop import Loop

        return Loop()

    @once
    def _checkpoints(self) -> "Checkpoints":
        from docmind.memory.checkpoints import open_checkpoints

        return self._loop.open(open_checkpoints(self.settings.database.url, self.home))

    @once
    def _tidying(self) -> "Tidying":
        from docmind.runtime.runner import Tidying

        self._finish_deletions()
        return self._loop.open(Tidying(self._checkpoints))

    @renewed
    def _runner(self, settings: Settings) -> "Runner":
        from docmind.runtime.runner import Runner

        tidying, roles = self._tidying, self.watches.around(self._roles(settings.models))
        return Runner(
            self._runs,
            self._leases,
            self._checkpoints,
            lambda scope: self._embedded(scope, settings),
            roles,
            settings.budget,
            settings.answers.threshold(),
            self.watches,
            tidying,
        )

    @once
    def index(self) -> WorkspaceIndex:
        settings, key = self.settings, self.settings.index.api_key
        records = open_vector_records(settings.database.url, self.home)
        try:
            store = open_index(
                settings.index.url,
                self.home / "index",
                dimension=self.embedder.dimension,
                embedder=self.embedder.name,
                api_key=key.get_secret_value() if key else None,
            )
        except BaseException:
            records.close()
            raise
        # Asked by threads that `close` waits for, which must not wait for a lock that is held there.
        embedders = self._embedders
        return WorkspaceIndex(store, records, embedders, lambda: embedders.named(self.settings.models.embedder))

    @once
    def _searcher(self) -> Searcher:
        self._finish_deletions()
        home, candidates = self.home, self.settings.search.candidates
        return Searcher(self.catalogue, self.index, lambda embedder: open_relevance(embedder, home), candidates)


def _searching() -> anyio.CapacityLimiter:
    """One for each event loop, as its waiters are. Threads take turns with the loop's own: many would make it wait."""
    try:
        return _SEARCHING.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(SEARCHES_AT_ONCE)
        _SEARCHING.set(limiter)
        return limiter
