"""Changing the embedder of what is stored: what it would take, and doing it, gone on with after a kill."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from docmind.domain.errors import NotFound, UnderWay
from docmind.domain.scope import Scope
from docmind.memory.leases import RENEWED_EVERY_S
from docmind.models.embedding import LOCAL_EMBEDDERS, open_embedder
from docmind.models.weights import canonical, plain_name, same_weights
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.corpus.index.identity import Identity
    from docmind.corpus.indexing import Reindexer, Written
    from docmind.corpus.ingest import Ingestor
    from docmind.corpus.notes import Notes
    from docmind.corpus.workspace_index import Place, WorkspaceIndex
    from docmind.memory.leases import Leases
    from docmind.memory.recollections import ConversationMemory
    from docmind.runtime.engine import DocMind


_TURNS_AT_ONCE = 500
_LEASE = "reindex"


@dataclass(frozen=True, slots=True)
class WorkspaceVectors:
    """By which embedder's vectors a workspace is searched."""

    workspace: str
    embedder: str
    passages: int
    is_current: bool
    """Whether that is the embedder that is set, with the weights it has now."""
    done: int | None
    """While it is reindexed, how many passages the new index has; None where nothing is under way."""


ReindexProgress = Callable[[WorkspaceVectors], None]


class Reindexing:
    """The reindexing of an engine."""

    catalogue: "Catalogue"
    index: "WorkspaceIndex"
    _leases: "Leases"
    _ingestor: "Ingestor"
    _memory: "ConversationMemory"
    _notes: "Notes"

    def _finish_deletions(self) -> None:
        raise NotImplementedError

    def vectors(self) -> list[WorkspaceVectors]:
        """Of every workspace that holds anything, by which embedder it is searched, and how far a reindex is."""
        return [self._vectors_of(name, passages) for name, passages in self._indexed().items()]

    def reindex(self, workspace: str | None = None, progress: ReindexProgress | None = None) -> list[WorkspaceVectors]:
        """Embed what is stored again by the embedder that is set, in all workspaces or one; returns those it changed.

        Searches go on with the old vectors until the new ones are whole. Where they are current already, what the index
        lacks of the catalogue is written. Whatever `progress` raises ends it, and the next one goes on.
        """
        self._finish_deletions()
        with self._one_at_a_time() as renew:
            return [
                told
                for name, passages in self._chosen(workspace).items()
                if (told := self._reindex(name, passages, progress, renew))
            ]

    def request_reindex(self, workspace: str | None = None) -> list[WorkspaceVectors]:
        """Have `continue_reindex` do it, whichever process that is called in; returns how things stand."""
        self._finish_deletions()
        for name in self._chosen(workspace):
            for collection in self._collections(name):
                self.index.begin(collection)
        return self.vectors()

    def complete_vectors(self, workspace: str, progress: ReindexProgress | None = None) -> None:
        """Give a workspace that is searched by quick vectors those of its embedder."""
        if self.index.building(workspace) is not None:
            # Another process that reindexes does this workspace too, or the next reindex or ingest does.
            with suppress(UnderWay):
                self.reindex(workspace, progress)

    def continue_reindex(self, progress: ReindexProgress) -> None:
        """Do what was asked for or left undone; nothing, where another process is at it."""
        from docmind.corpus.workspaces import VectorState

        building = set(self.index.records.in_state(VectorState.BUILDING))
        if building:
            for name in self._indexed():
                if building.intersection(self._collections(name)):
                    self.reindex(name, progress)

    def _reindex(
        self, name: str, passages: int, progress: ReindexProgress | None, renew: Callable[[], None]
    ) -> WorkspaceVectors | None:
        from docmind.corpus.indexing import fill

        done = 0

        def written(more: int) -> None:
            nonlocal done
            done += more
            renew()
            if progress is not None:
                embedder = plain_name(self.index.chosen().name)
                progress(WorkspaceVectors(name, embedder, passages, is_current=False, done=done))

        changed = self._reindexer.documents(name, written)
        if not changed:
            changed = fill(self.catalogue, name, self.index.place(name), written) > 0
        if name in self._remembered():
            shelf = self._notes.shelf(name)
            changed |= self._reindexer.collection(shelf, lambda place, told: self._write_turns(name, place, told))
        return self._vectors_of(name, passages) if changed else None

    def _write_turns(self, workspace: str, place: "Place", written: "Written") -> int:
        """Have every turn of a workspace's conversations found by these vectors."""
        count = 0
        for turn in self._memory.turns_in(workspace, _TURNS_AT_ONCE):
            self._notes.write(place, turn.id, turn.question, turn.scope, group=turn.session)
            written(0)
            count += 1
        return count

    def _vectors_of(self, name: str, passages: int) -> WorkspaceVectors:
        chosen = self.index.chosen()
        collections = self._collections(name)
        outdated = [one for one in collections if not same_weights(self.index.current(one).embedder, chosen.name)]
        building = [place for one in collections if (place := self.index.building(one))]
        done = building[0].index.count(name) if building else None
        return WorkspaceVectors(name, _called(self.index.current(name)), passages, not outdated, done)

    def _chosen(self, workspace: str | None) -> dict[str, int]:
        held = self._indexed()
        if workspace is None:
            return held
        name = Scope(workspace).workspace
        if name not in held:
            raise NotFound(f"There is nothing in workspace {name!r} to be reindexed.")
        return {name: held[name]}

    def _indexed(self) -> dict[str, int]:
        """The workspaces with anything in the index, and how many passages they have."""
        passages = {name: count for name, (_, count) in self.catalogue.workspaces().items()}
        return dict(sorted({**dict.fromkeys(self._remembered(), 0), **passages}.items()))

    def _remembered(self) -> set[str]:
        return self._memory.workspaces()

    def _collections(self, name: str) -> list[str]:
        """What of a workspace is in the index under names of its own."""
        return [name, self._notes.shelf(name)] if name in self._remembered() else [name]

    @contextmanager
    def _one_at_a_time(self) -> Iterator[Callable[[], None]]:
        """Nobody else reindexes meanwhile; what is handed out is to be called now and then."""
        try:
            lease = self._leases.take(_LEASE)
        except UnderWay:
            raise UnderWay("Another process is reindexing; searches go on, and it will be done by that one.") from None
        renewed = time.monotonic()

        def renew() -> None:
            nonlocal renewed
            if time.monotonic() - renewed > RENEWED_EVERY_S:
                self._leases.renew(lease)
                renewed = time.monotonic()

        try:
            yield renew
        finally:
            self._leases.release(lease)

    @once
    def _reindexer(self) -> "Reindexer":
        from docmind.corpus.indexing import Reindexer

        return Reindexer(self.catalogue, self.index, self._ingestor.storing)


def _called(identity: "Identity") -> str:
    return plain_name(canonical(identity.embedder))


_SAMPLE = 32
"""Passages that are embedded to see how long it takes."""


@dataclass(frozen=True, slots=True)
class EmbedderCost:
    """The embedder in use, and what another one would cost here."""

    now: str
    wanted: str
    passages: int
    """To be embedded again, in all workspaces."""
    seconds: float | None
    """About how long that takes on this machine, measured now on some of them; None where it was not measured."""
    sent_away: bool
    """Whether the texts would go to a provider."""


def embedder_cost(engine: "DocMind", wanted: str) -> EmbedderCost:
    """What changing to this embedder would take. No text leaves the machine for it."""
    settings, held = engine.settings, engine.catalogue.workspaces()
    passages = sum(count for _, count in held.values())
    local = wanted in LOCAL_EMBEDDERS
    # A name that is none is told here, and not at the next start.
    embedder = open_embedder(wanted, threads=settings.models.threads)
    sample = list(islice(_texts(engine.catalogue), _SAMPLE)) if local else []
    seconds = None
    if sample:
        # The first text loads the weights, which is no part of the rate.
        embedder.embed_passages(sample[:1])
        began = time.perf_counter()
        embedder.embed_passages(sample)
        seconds = (time.perf_counter() - began) / len(sample) * passages
    return EmbedderCost(plain_name(engine.embedder.name), wanted, passages, seconds, not local)


def _texts(catalogue: "Catalogue") -> Iterator[str]:
    for workspace in catalogue.workspaces():
        for document in catalogue.all_ready_in(workspace):
            yield from (passage.indexed_text for passage in catalogue.passages_of(document.id))
