"""The index as its workspaces see it: each is searched by the vectors of one embedder, its own, until others are ready.

The embedder that is set is that of new workspaces. One that holds vectors keeps the embedder that made them until it is
reindexed (`indexing.py`), so changing the setting never mixes vectors of two embedders and never stops a search.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from docmind.corpus.index.contract import Candidates, Engine, Index, Point, SparseVector
from docmind.corpus.index.identity import Identity
from docmind.corpus.workspaces import VectorRecords, VectorState
from docmind.domain.errors import EmbeddingError, StoreMismatch
from docmind.domain.scope import Scope
from docmind.domain.search import Filters
from docmind.models.embedding import QUICK_EMBEDDER, Embedder
from docmind.models.weights import canonical, plain_name, same_weights

HOW_TO_REINDEX = (
    "Run `docmind reindex`: it embeds the stored texts again without reading a file, and documents, runs, threads, "
    "memory and keys stay as they are."
)


class Embedders:
    """Those in use, each opened once."""

    def __init__(self, open_named: Callable[[str], Embedder]) -> None:
        self._open = open_named
        self._opened: dict[str, Embedder] = {}

    def named(self, name: str) -> Embedder:
        """The embedder that settings call by this name."""
        if name not in self._opened:
            self._opened.setdefault(name, self._open(name))
        return self._opened[name]

    def that_made(self, identity: Identity) -> Embedder | None:
        """The one that makes the same vectors; None where there is none any more."""
        try:
            embedder = self.named(plain_name(canonical(identity.embedder)))
        except EmbeddingError:
            return None
        return embedder if same_weights(embedder.name, identity.embedder) else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where vectors of a workspace are, and who made them."""

    index: Index
    embedder: Embedder
    recorded: str | None
    """The embedder as the record names it; None where the workspace has no record."""


class WorkspaceIndex:
    """Writes and searches each workspace where its current vectors are. Thread-safe."""

    def __init__(
        self, engine: Engine, records: VectorRecords, embedders: Embedders, chosen: Callable[[], Embedder]
    ) -> None:
        """`chosen` is the embedder that is set now."""
        self.shared = engine.shared
        self.storing = engine.storing
        self.records = records
        self._engine = engine
        self._embedders = embedders
        self._chosen = chosen
        self._views: dict[str, Index] = {engine.base.key: engine.of(engine.base)}

    def place(self, workspace: str) -> Place:
        """Where to search the workspace, and with which embedder."""
        recorded, identity = self._current(workspace)
        return Place(self._view(identity), self._embedder(workspace, identity), recorded)

    def place_to_write(self, workspace: str, *, quick: bool = False) -> Place:
        """The same for one that is written to, which settles the embedder of a new workspace.

        With `quick` a new workspace is searched by vectors that take no time to make until it is reindexed.
        """
        recorded, identity = self._current(workspace)
        if recorded is None and quick and self._is_new(workspace):
            self.records.settle(workspace, *self._quick(identity))
        elif recorded is None and not identity.is_same(self._engine.base):
            self.records.settle(workspace, identity)
        return self.place(workspace)

    def current(self, workspace: str) -> Identity:
        """Whose vectors the workspace is searched by."""
        return self._current(workspace)[1]

    def chosen(self) -> Embedder:
        """The embedder that is set now."""
        return self._chosen()

    # Reindexing: begin, (vectors are written), switch, finish.

    def begin(self, workspace: str) -> Place | None:
        """Where the vectors of the chosen embedder are built; None where the workspace has them already."""
        embedder = self._chosen()
        wanted, found = _identity(embedder), self.records.of(workspace)
        building = found.get(VectorState.BUILDING)
        if building is not None and not building.is_same(wanted):
            self._remove(workspace, VectorState.BUILDING, building)
            building = None
        if self.current(workspace).is_same(wanted):
            return None
        if building is None:
            # What a replaced index of this embedder left behind is no part of the new one.
            self._view(wanted).drop(workspace)
            self.records.begin(workspace, wanted)
        return Place(self._view(wanted), embedder, wanted.embedder)

    def building(self, workspace: str) -> Place | None:
        """Where a reindex that has begun builds its vectors."""
        identity = self.records.of(workspace).get(VectorState.BUILDING)
        if identity is None:
            return None
        return Place(self._view(identity), self._embedder(workspace, identity), identity.embedder)

    def finish(self, workspace: str) -> None:
        """Let go of the vectors that were replaced."""
        if replaced := self.records.of(workspace).get(VectorState.REPLACED):
            self._remove(workspace, VectorState.REPLACED, replaced)

    def _remove(self, workspace: str, state: VectorState, identity: Identity) -> None:
        self._view(identity).drop(workspace)
        self.records.end(workspace, state)

    # An index like any other: what is written goes to the current vectors, what is removed is removed everywhere.

    def upsert(self, workspace: str, points: Sequence[Point]) -> None:
        self._here(workspace).upsert(workspace, points)

    def delete_documents(self, workspace: str, document_ids: Sequence[str]) -> None:
        for view in self._everywhere(workspace):
            view.delete_documents(workspace, document_ids)

    def search(
        self, scope: Scope, dense: Sequence[float], sparse: SparseVector, filters: Filters, limit: int
    ) -> Candidates:
        return self._here(scope.workspace).search(scope, dense, sparse, filters, limit)

    def count(self, workspace: str, *document_ids: str) -> int:
        return self._here(workspace).count(workspace, *document_ids)

    def drop(self, workspace: str) -> None:
        for view in self._everywhere(workspace):
            view.drop(workspace)
        self.records.forget(workspace)

    def optimize(self, workspace: str) -> bool:
        return self._here(workspace).optimize(workspace)

    def describe(self) -> dict[str, str | int]:
        return self._engine.describe()

    def close(self) -> None:
        self._engine.close()
        self.records.close()

    def _here(self, workspace: str) -> Index:
        return self._view(self.current(workspace))

    def _everywhere(self, workspace: str) -> Iterable[Index]:
        identities = [self._engine.base, *self.records.of(workspace).values()]
        return {identity.key: self._view(identity) for identity in identities}.values()

    def _current(self, workspace: str) -> tuple[str | None, Identity]:
        if recorded := self.records.of(workspace).get(VectorState.CURRENT):
            return recorded.embedder, recorded
        base, embedder = self._engine.base, self._chosen()
        if same_weights(embedder.name, base.embedder) or self._view(base).count(workspace):
            return None, base
        return None, _identity(embedder)

    def _is_new(self, workspace: str) -> bool:
        return not self._view(self._engine.base).count(workspace)

    def _quick(self, wanted: Identity) -> tuple[Identity, Identity | None]:
        """Whose vectors a new workspace is searched by at first, and those that are to take their place, if any."""
        quick = _identity(self._embedders.named(QUICK_EMBEDDER))
        return (wanted, None) if wanted.is_same(quick) else (quick, wanted)

    def _view(self, identity: Identity) -> Index:
        if identity.key not in self._views:
            self._views.setdefault(identity.key, self._engine.of(identity))
        return self._views[identity.key]

    def _embedder(self, workspace: str, identity: Identity) -> Embedder:
        if embedder := self._embedders.that_made(identity):
            return embedder
        made_by = plain_name(identity.embedder)
        gone = (
            f"other weights of the embedder {made_by!r} than this version of DocMind has"
            if made_by == plain_name(self._chosen().name)
            else f"the embedder {made_by!r}, which cannot be opened here"
        )
        raise StoreMismatch(f"The index of workspace {workspace!r} was made with {gone}. {HOW_TO_REINDEX}")


def _identity(embedder: Embedder) -> Identity:
    return Identity(embedder.name, embedder.dimension)
