"""From files to searchable passages: idempotent, parallel, resumable, and never half done."""

import hashlib
import threading
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from docmind.corpus import chunk as chunking
from docmind.corpus.catalogue import Catalogue
from docmind.corpus.discover import Unit, Unreadable, discover
from docmind.corpus.index import bm25
from docmind.corpus.index.contract import Index, Point
from docmind.corpus.label import label
from docmind.corpus.load import Limits, load
from docmind.corpus.originals import Originals
from docmind.corpus.readers import Readers
from docmind.corpus.report import Filed, Filing, IngestReport, Outcome, Progress
from docmind.domain.documents import Document, Loaded, Passage
from docmind.domain.errors import FileRejected, StoreError
from docmind.domain.scope import Scope
from docmind.models.embedding import Embedder

BATCH = 256
"""Passages embedded and indexed together; documents are committed once a batch of them is complete."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as its reader hands it over."""

    loaded: Loaded
    chunks: list[chunking.Chunk]
    content_hash: str


@dataclass(frozen=True, slots=True)
class _Composed:
    """A file as it is going to be stored."""

    unit: Unit
    document: Document
    text: str
    passages: list[Passage]


class Ingestor:
    """Brings files into the catalogue and the index of one installation."""

    def __init__(
        self,
        catalogue: Catalogue,
        index: Index,
        embedder: Embedder,
        originals: Originals,
        limits: Limits,
        workers: int | None = None,
        timeout_s: float = 300,
    ) -> None:
        self._catalogue = catalogue
        self._index = index
        self._embedder = embedder
        self._originals = originals
        self._limits = limits
        self._workers = workers
        self._timeout_s = timeout_s
        # What a stored document was made with; another recipe means it is read again.
        self._recipe = f"{chunking.VERSION}:{embedder.name}"
        # One ingest at a time: a second would take what the first has pending for the remains of a killed process.
        self._ingesting = threading.Lock()

    def ingest(self, paths: Sequence[Path], scope: Scope, progress: Progress | None = None) -> IngestReport:
        """Read everything below `paths`; unchanged files are skipped, changed ones replaced, broken ones reported."""
        return self.ingest_units(discover(paths, self._limits), scope, progress)

    def ingest_units(
        self, units: Iterable[Unit | Unreadable], scope: Scope, progress: Progress | None = None
    ) -> IngestReport:
        """As `ingest`, for files that were found already."""
        filing = Filing(progress)
        with self._ingesting, Readers(partial(_read, self._limits), self._workers, self._timeout_s) as readers:
            self.recover()
            read = readers.map(self._unread(units, scope, filing))
            for batch in _batches(self._accepted(read, scope, filing)):
                self._store(batch, scope, filing)
        self._index.optimize(scope.workspace)
        return filing.report

    def delete(self, documents: Sequence[Document]) -> None:
        for workspace in {document.scope.workspace for document in documents}:
            ids = [document.id for document in documents if document.scope.workspace == workspace]
            self._catalogue.retire(ids)
            self._discard(workspace, ids)

    def drop(self, workspace: str) -> None:
        """Remove every document of a workspace, once nothing is being ingested any more."""
        with self._ingesting:
            ids = self._catalogue.all_in(workspace)
            self._catalogue.retire(ids)
            self._index.drop(workspace)
            self._originals.discard(ids)
            self._catalogue.forget(ids)

    def recover(self) -> int:
        """Finish what a killed process left half done; returns how many documents that were."""
        leftovers = self._catalogue.leftovers(shared=self._index.shared)
        for workspace, ids in leftovers.items():
            self._discard(workspace, ids)
        return sum(len(ids) for ids in leftovers.values())

    def _discard(self, workspace: str, document_ids: Sequence[str]) -> None:
        self._index.delete_documents(workspace, document_ids)
        self._originals.discard(document_ids)
        self._catalogue.forget(document_ids)

    def _unread(self, units: Iterable[Unit | Unreadable], scope: Scope, filing: Filing) -> Iterator[Unit]:
        for unit in units:
            if isinstance(unit, Unreadable):
                filing.done(Filed(unit.name, Outcome.REJECTED, reason=unit.reason))
            elif self._catalogue.is_current(scope, unit.source, unit.content_hash, self._recipe):
                identity = _identity(scope, unit.source, unit.content_hash, self._recipe)
                filing.done(Filed(unit.name, Outcome.UNCHANGED, str(identity)))
            else:
                yield unit

    def _accepted(
        self, read: Iterable[tuple[Unit, _Read | FileRejected]], scope: Scope, filing: Filing
    ) -> Iterator[_Composed]:
        for unit, outcome in read:
            if isinstance(outcome, FileRejected):
                filing.done(Filed(unit.name, Outcome.REJECTED, reason=str(outcome)))
            else:
                yield _compose(unit, outcome, scope, self._recipe)

    def _store(self, batch: Sequence[_Composed], scope: Scope, filing: Filing) -> None:
        for each in batch:
            self._catalogue.begin(each.document, self._recipe, each.text, each.passages)
            self._originals.keep(each.document.id, each.unit)
        owners = [(each.document, passage) for each in batch for passage in each.passages]
        for start in range(0, len(owners), BATCH):
            self._index.upsert(scope.workspace, self._points(owners[start : start + BATCH]))
        for each in batch:
            # Another process sharing the store may have taken this one for abandoned; then it is simply not committed.
            if self._index.count(scope.workspace, each.document.id) != len(each.passages):
                raise StoreError(f"The index did not keep every passage of {each.document.name}. Ingest it again.")
        known = self._catalogue.sources(scope, [each.document.source for each in batch])
        old = self._catalogue.commit([each.document.id for each in batch])
        if old:
            self._discard(scope.workspace, old)
        for each in batch:
            outcome = Outcome.UPDATED if each.document.source in known else Outcome.ADDED
            filing.done(Filed(each.document.name, outcome, each.document.id), len(each.passages))

    def _points(self, owned: Sequence[tuple[Document, Passage]]) -> list[Point]:
        texts = [passage.indexed_text for _, passage in owned]
        vectors = self._embedder.embed_passages(texts)
        return [
            Point(
                id=passage.id,
                document_id=document.id,
                user=document.scope.user,
                dense=vector.tolist(),
                sparse=bm25.encode_passage(text),
                payload={**document.metadata.known(), "kind": passage.kind},
            )
            for (document, passage), text, vector in zip(owned, texts, vectors, strict=True)
        ]


def _read(limits: Limits, unit: Unit) -> _Read:
    """Runs in a reader process."""
    data = unit.read()
    loaded = load(data, unit.name, limits)
    chunks = chunking.chunk(loaded, label(loaded.metadata, unit.name))
    if not chunks:
        raise FileRejected("holds no text.")
    return _Read(loaded, chunks, hashlib.sha256(data).hexdigest())


def _identity(scope: Scope, source: str, content_hash: str, recipe: str) -> uuid.UUID:
    """The same content of the same source, read the same way, is the same document."""
    key = "\0".join((scope.workspace, scope.user or "", source, content_hash, recipe))
    return uuid.UUID(bytes=hashlib.sha256(key.encode()).digest()[:16])


def _compose(unit: Unit, read: _Read, scope: Scope, recipe: str) -> _Composed:
    text = read.loaded.text
    document_id = _identity(scope, unit.source, read.content_hash, recipe)
    passages = [
        Passage(
            id=str(uuid.uuid5(document_id, str(ordinal))),
            document_id=str(document_id),
            ordinal=ordinal,
            span=piece.span,
            text=piece.span.of(text),
            heading=piece.heading,
            page=piece.page,
            kind=piece.kind,
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
    return _Composed(unit, document, text, passages)


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
