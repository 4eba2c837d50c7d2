"""From files to searchable passages: idempotent, parallel, resumable, and never half done."""

import hashlib
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path

from docmind.corpus import chunk as chunking
from docmind.corpus.catalogue import Catalogue
from docmind.corpus.discover import Unit, Unreadable, discover
from docmind.corpus.file_reading import EmbeddedFile, ReadFile, open_readers
from docmind.corpus.indexing import Owned, embed, fill, parts, write
from docmind.corpus.load import Limits
from docmind.corpus.originals import Originals
from docmind.corpus.readers import Readers
from docmind.corpus.report import Filed, Filing, IngestReport, Outcome, Progress
from docmind.corpus.workspace_index import Place, WorkspaceIndex
from docmind.corpus.workspaces import VectorState
from docmind.domain.documents import Document, Passage, facts_within, passage_id
from docmind.domain.errors import FileRejected, StoreError
from docmind.domain.scope import Scope
from docmind.models.embedding import Vectors

BATCH = 256
"""Documents are embedded, indexed and committed together once they have so many passages."""


@dataclass(frozen=True, slots=True)
class _Composed:
    """A file as it is going to be stored."""

    unit: Unit
    document: Document
    text: str
    passages: list[Passage]
    embedded: EmbeddedFile | None
    """With the vectors of the passages, where their reader embedded them."""
    notes: tuple[str, ...] = ()

    def owned(self, embedder: str) -> Iterator[Owned]:
        known = self.embedded is not None and self.embedded.embedder == embedder
        vectors: Iterable[Vectors | None] = self.embedded.vectors if self.embedded and known else repeat(None)
        return map(Owned, repeat(self.document), self.passages, vectors)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Documents that are stored together, with their passages as one embedder sees them."""

    place: Place
    owned: list[Owned]


class Ingestor:
    """Brings files into the catalogue and the index of one installation."""

    def __init__(
        self,
        catalogue: Catalogue,
        index: WorkspaceIndex,
        originals: Originals,
        limits: Limits,
        workers: int | None = None,
        timeout_s: float = 300,
        ray: str | None = None,
    ) -> None:
        """Files are read by up to `workers` processes, here or on the Ray cluster at that address."""
        self._catalogue = catalogue
        self._index = index
        self._originals = originals
        self._limits = limits
        self._open_readers: Callable[[int | None], Readers[Unit, ReadFile]] = lambda count: open_readers(
            limits, index.chosen().name, count or workers, timeout_s, ray
        )
        self._recipe = str(chunking.VERSION)
        # One batch is stored at a time: another's pending documents would be taken for the remains of a killed process.
        # Files are read and embedded beside that, so that a long ingest does not hold up a short one.
        self._storing = index.storing
        self._dropped: Counter[str] = Counter()

    def ingest(self, paths: Sequence[Path], scope: Scope, progress: Progress | None = None) -> IngestReport:
        """Read everything below `paths`; unchanged files are skipped, changed ones replaced, broken ones reported."""
        return self.ingest_units(discover(paths, self._limits), scope, progress)

    def ingest_units(
        self,
        units: Iterable[Unit | Unreadable],
        scope: Scope,
        progress: Progress | None = None,
        readers: Readers[Unit, ReadFile] | None = None,
        *,
        quick_from: int | None = None,
    ) -> IngestReport:
        """As `ingest`, for files that were found already; by `readers` that are open already, where they are given.

        Where the first documents of a workspace come with `quick_from` passages or more, it is searched by quick
        vectors until it is reindexed, which whoever asks for that sees to.
        """
        if readers is None:
            with self.readers() as opened:
                return self.ingest_units(units, scope, progress, opened, quick_from=quick_from)
        filing, dropped = Filing(progress), self._dropped[scope.workspace]
        with self._storing:
            self.recover()
            self._mend(scope.workspace)
        read = readers.map(self._unread(units, scope, filing))
        for batch in _batches(self._accepted(read, scope, filing)):
            quick = quick_from is not None and sum(len(each.passages) for each in batch) >= quick_from
            embedded = self._embedded(batch, scope.workspace, quick=quick)
            with self._storing:
                if self._dropped[scope.workspace] != dropped:
                    _reject(batch, "its workspace was deleted while the file was read.", filing)
                else:
                    new = self._not_stored_meanwhile(batch, scope, filing)
                    if new:
                        self._store(new, embedded, scope, filing)
        self._index.optimize(scope.workspace)
        return filing.report

    def readers(self, count: int | None = None) -> Readers[Unit, ReadFile]:
        """Processes that read files: so many, or as many as the settings say."""
        return self._open_readers(count)

    @property
    def storing(self) -> AbstractContextManager[object]:
        """Held while documents of this process are stored: meanwhile none comes or goes."""
        return self._storing

    def is_current(self, scope: Scope, source: str, content_hash: str) -> bool:
        """True if this content of this source is in the store already, read as it would be read now."""
        return self._catalogue.current(scope, source, content_hash, self._recipe) is not None

    def delete(self, documents: Sequence[Document]) -> None:
        for workspace in {document.scope.workspace for document in documents}:
            ids = [document.id for document in documents if document.scope.workspace == workspace]
            self._catalogue.retire(ids)
            self._discard(workspace, ids)

    def drop(self, workspace: str) -> None:
        """Remove every document of a workspace. What is being read for it is not stored any more."""
        with self._storing:
            self._dropped[workspace] += 1
            ids = self._catalogue.all_in(workspace)
            self._catalogue.retire(ids)
            self._index.drop(workspace)
            self._originals.discard(ids)
            self._catalogue.forget(ids)

    def recover(self) -> int:
        """Finish what a killed process left half done; returns how many documents that were."""
        for name in self._index.records.in_state(VectorState.REPLACED):
            # A collection beside the documents is filled again by whoever knows what is in it.
            if name in self._catalogue.workspaces():
                fill(self._catalogue, name, self._index.place(name))
                self._index.finish(name)
        leftovers = self._catalogue.leftovers(shared=self._index.shared)
        for workspace, ids in leftovers.items():
            self._discard(workspace, ids)
        return sum(len(ids) for ids in leftovers.values())

    def _mend(self, workspace: str) -> None:
        """Write anew what the catalogue has and the index has lost, because a damaged one was moved away."""
        _, passages = self._catalogue.workspaces().get(workspace, (0, 0))
        if self._index.count(workspace) >= passages:
            return
        fill(self._catalogue, workspace, self._index.place(workspace))

    def _discard(self, workspace: str, document_ids: Sequence[str]) -> None:
        self._index.delete_documents(workspace, document_ids)
        self._originals.discard(document_ids)
        self._catalogue.forget(document_ids)

    def _unread(self, units: Iterable[Unit | Unreadable], scope: Scope, filing: Filing) -> Iterator[Unit]:
        for unit in units:
            if isinstance(unit, Unreadable):
                filing.done(Filed(unit.name, Outcome.REJECTED, reason=unit.reason))
            elif known := self._catalogue.current(scope, unit.source, unit.content_hash, self._recipe):
                filing.done(Filed(unit.name, Outcome.UNCHANGED, known))
            else:
                yield unit

    def _accepted(
        self, read: Iterable[tuple[Unit, ReadFile | FileRejected]], scope: Scope, filing: Filing
    ) -> Iterator[_Composed]:
        for unit, outcome in read:
            if isinstance(outcome, FileRejected):
                filing.done(Filed(unit.name, Outcome.REJECTED, reason=str(outcome)))
            else:
                yield _compose(unit, outcome, scope, self._recipe)

    def _not_stored_meanwhile(self, batch: Sequence[_Composed], scope: Scope, filing: Filing) -> dict[str, _Composed]:
        """The documents of a batch, by id, without those that another ingest brought in while they were read."""
        new: dict[str, _Composed] = {}
        for each in batch:
            document = each.document
            if known := self._catalogue.current(scope, document.source, document.content_hash, self._recipe):
                filing.done(Filed(document.name, Outcome.UNCHANGED, known))
            else:
                new[document.id] = each
        return new

    def _embedded(self, batch: Sequence[_Composed], workspace: str, *, quick: bool = False) -> _Batch:
        """The passages of a batch, each with its vector."""
        place = self._index.place_to_write(workspace, quick=quick)
        owned = (one for each in batch for one in each.owned(place.embedder.name))
        vectors = (pair for part in parts(owned) for pair in zip(part, embed(part, place.embedder), strict=True))
        return _Batch(place, [one._replace(vector=vector) for one, vector in vectors])

    def _store(self, new: dict[str, _Composed], embedded: _Batch, scope: Scope, filing: Filing) -> None:
        """Store the new ones of a batch; anew where its workspace was reindexed meanwhile, by whichever process."""
        while (old := self._written(new, embedded, scope)) is None:
            embedded = self._embedded(list(new.values()), scope.workspace)
        known, retired = old
        if retired:
            self._discard(scope.workspace, retired)
        for each in new.values():
            outcome = Outcome.UPDATED if each.document.source in known else Outcome.ADDED
            filed = Filed(each.document.name, outcome, each.document.id, notes=each.notes)
            filing.done(filed, len(each.passages))

    def _written(self, new: dict[str, _Composed], embedded: _Batch, scope: Scope) -> tuple[set[str], list[str]] | None:
        """The sources that were known, and the documents that were replaced; None where the vectors are outdated."""
        batch, place = list(new.values()), embedded.place
        owned = [one for one in embedded.owned if one.document.id in new]
        for each in batch:
            self._catalogue.begin(each.document, self._recipe, each.text, each.passages)
            self._originals.keep(each.document, each.unit)
        write(place.index, scope.workspace, owned, place.embedder)
        # Another process sharing the store may have taken one for abandoned; then they are simply not committed.
        if place.index.count(scope.workspace, *new) != len(owned):
            names = ", ".join(each.document.name for each in batch)
            raise StoreError(f"The index did not keep every passage of {names}. Ingest them again.")
        known = self._catalogue.sources(scope, [each.document.source for each in batch])
        old = self._catalogue.commit(list(new), (scope.workspace, place.recorded))
        return None if old is None else (known, old)


def _reject(batch: Sequence[_Composed], reason: str, filing: Filing) -> None:
    for each in batch:
        filing.done(Filed(each.document.name, Outcome.REJECTED, reason=reason))


def _identity(scope: Scope, source: str, content_hash: str, recipe: str) -> uuid.UUID:
    """The same content of the same source, read the same way, is the same document."""
    key = "\0".join((scope.workspace, scope.user or "", source, content_hash, recipe))
    return uuid.UUID(bytes=hashlib.sha256(key.encode()).digest()[:16])


def _compose(unit: Unit, read: ReadFile, scope: Scope, recipe: str) -> _Composed:
    text = read.loaded.text
    document_id = _identity(scope, unit.source, read.content_hash, recipe)
    passages = [
        Passage(
            id=passage_id(str(document_id), ordinal),
            document_id=str(document_id),
            ordinal=ordinal,
            span=piece.span,
            text=piece.span.of(text),
            heading=piece.heading,
            page=piece.page,
            kind=piece.kind,
            facts=facts_within(read.loaded.facts, piece.span),
        )
        for ordinal, piece in enumerate(read.chunks)
    ]
    document = Document(
        id=str(document_id),
        scope=scope,
        source=unit.source,
        name=unit.name,
        content_hash=read.content_hash,
        media_type=read.loaded.media_type,
        metadata=read.loaded.metadata,
        pages=read.loaded.pages,
        characters=len(text),
        passages=len(passages),
        ingested_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    embedded = read if isinstance(read, EmbeddedFile) else None
    return _Composed(unit, document, text, passages, embedded, read.loaded.notes)


def _batches(composed: Iterable[_Composed]) -> Iterator[list[_Composed]]:
    """Whole documents together until they make a batch of passages."""
    batch: list[_Composed] = []
    waiting = 0
    for item in composed:
        batch.append(item)
        waiting += len(item.passages)
        if waiting >= BATCH:
            yield batch
            batch, waiting = [], 0
    if batch:
        yield batch
