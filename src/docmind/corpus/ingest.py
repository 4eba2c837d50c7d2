"""From files to searchable passages: idempotent, parallel, resumable, and never half done."""

import hashlib
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
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
from docmind.corpus.readers import Readers
from docmind.domain.documents import Document, Loaded, Passage
from docmind.domain.errors import FileRejected, StoreError
from docmind.domain.scope import Scope
from docmind.models.embedding import Embedder

BATCH = 256
"""Passages embedded and indexed together; documents are committed once a batch of them is complete."""


@dataclass(frozen=True, slots=True)
class Rejection:
    name: str
    reason: str


@dataclass(slots=True)
class IngestReport:
    """What became of every file."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    passages: int = 0
    rejected: list[Rejection] = field(default_factory=list)

    @property
    def files(self) -> int:
        return self.added + self.replaced + self.unchanged + len(self.rejected)


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as its reader hands it over."""

    loaded: Loaded
    chunks: list[chunking.Chunk]
    content_hash: str


Progress = Callable[[str, IngestReport], None]
"""Called with the name of each file that is done and the report so far."""


class Ingestor:
    """Brings files into the catalogue and the index of one installation."""

    def __init__(
        self,
        catalogue: Catalogue,
        index: Index,
        embedder: Embedder,
        limits: Limits,
        workers: int | None = None,
        timeout_s: float = 300,
    ) -> None:
        self._catalogue = catalogue
        self._index = index
        self._embedder = embedder
        self._limits = limits
        self._workers = workers
        self._timeout_s = timeout_s
        # What a stored document was made with; another recipe means it is read again.
        self._recipe = f"{chunking.VERSION}:{embedder.name}"
        # One ingest at a time: a second would take what the first has pending for the remains of a killed process.
        self._ingesting = threading.Lock()

    def ingest(self, paths: Sequence[Path], scope: Scope, progress: Progress | None = None) -> IngestReport:
        """Read everything below `paths`; unchanged files are skipped, changed ones replaced, broken ones reported."""
        report = IngestReport()
        with self._ingesting, Readers(partial(_read, self._limits), self._workers, self._timeout_s) as readers:
            self.recover()
            read = readers.map(self._unread(discover(paths, self._limits), scope, report, progress))
            for batch in _batches(self._accepted(read, scope, report, progress)):
                self._store(batch, scope, report)
                for document, _, _ in batch:
                    if progress:
                        progress(document.name, report)
        self._index.optimize(scope.workspace)
        return report

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
            self._catalogue.forget(ids)

    def recover(self) -> int:
        """Finish what a killed process left half done; returns how many documents that were."""
        leftovers = self._catalogue.leftovers(shared=self._index.shared)
        for workspace, ids in leftovers.items():
            self._discard(workspace, ids)
        return sum(len(ids) for ids in leftovers.values())

    def _discard(self, workspace: str, document_ids: Sequence[str]) -> None:
        self._index.delete_documents(workspace, document_ids)
        self._catalogue.forget(document_ids)

    def _unread(
        self, units: Iterable[Unit | Unreadable], scope: Scope, report: IngestReport, progress: Progress | None
    ) -> Iterator[Unit]:
        for unit in units:
            if isinstance(unit, Unreadable):
                report.rejected.append(Rejection(unit.name, unit.reason))
            elif self._catalogue.is_current(scope, unit.source, unit.content_hash, self._recipe):
                report.unchanged += 1
            else:
                yield unit
                continue
            if progress:
                progress(unit.name, report)

    def _accepted(
        self,
        read: Iterable[tuple[Unit, _Read | FileRejected]],
        scope: Scope,
        report: IngestReport,
        progress: Progress | None,
    ) -> Iterator[tuple[Document, str, list[Passage]]]:
        for unit, outcome in read:
            if isinstance(outcome, FileRejected):
                report.rejected.append(Rejection(unit.name, str(outcome)))
                if progress:
                    progress(unit.name, report)
            else:
                yield _compose(unit, outcome, scope, self._recipe)

    def _store(self, batch: Sequence[tuple[Document, str, list[Passage]]], scope: Scope, report: IngestReport) -> None:
        for document, text, passages in batch:
            self._catalogue.begin(document, self._recipe, text, passages)
        owners = [(document, passage) for document, _, passages in batch for passage in passages]
        for start in range(0, len(owners), BATCH):
            self._index.upsert(scope.workspace, self._points(owners[start : start + BATCH]))
        for document, _, passages in batch:
            # Another process sharing the store may have taken this one for abandoned; then it is simply not committed.
            if self._index.count(scope.workspace, document.id) != len(passages):
                raise StoreError(f"The index did not keep every passage of {document.name}. Ingest it again.")
        old = self._catalogue.commit([document.id for document, _, _ in batch])
        if old:
            self._discard(scope.workspace, old)
        report.added += len(batch) - len(old)
        report.replaced += len(old)
        report.passages += len(owners)

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


def _compose(unit: Unit, read: _Read, scope: Scope, recipe: str) -> tuple[Document, str, list[Passage]]:
    text = read.loaded.text
    key = "\0".join((scope.workspace, scope.user or "", unit.source, read.content_hash, recipe))
    document_id = uuid.UUID(bytes=hashlib.sha256(key.encode()).digest()[:16])
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
    return document, text, passages


def _batches(
    composed: Iterable[tuple[Document, str, list[Passage]]],
) -> Iterator[list[tuple[Document, str, list[Passage]]]]:
    """Whole documents together until they make a batch of passages."""
    batch: list[tuple[Document, str, list[Passage]]] = []
    waiting = 0
    for item in composed:
        batch.append(item)
        waiting += len(item[2])
        if waiting >= BATCH:
            yield batch
            batch, waiting = [], 0
    if batch:
        yield batch
