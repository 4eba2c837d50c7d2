"""From files to searchable passages: idempotent, parallel, resumable, and never half done."""

import hashlib
import threading
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from docmind.corpus.catalogue import Catalogue
from docmind.corpus.discover import Unit, Unreadable, discover
from docmind.corpus.index import bm25
from docmind.corpus.index.contract import Index, Point
from docmind.corpus.load import Limits
from docmind.corpus.originals import Originals
from docmind.corpus.reading import Embedded, Read, open_readers, recipe
from docmind.corpus.report import Filed, Filing, IngestReport, Outcome, Progress
from docmind.domain.documents import Document, Passage, passage_id
from docmind.domain.errors import FileRejected, StoreError
from docmind.domain.facts import facts_within
from docmind.domain.scope import Scope
from docmind.models.embedding import Embedder, Vectors

BATCH = 256
"""Documents are embedded, indexed and committed together once they have so many passages."""
AT_ONCE = 500
"""Passages of a batch embedded and indexed together, since one document may have any number of them."""


@dataclass(frozen=True, slots=True)
class _Composed:
    """A file as it is going to be stored."""

    unit: Unit
    document: Document
    text: str
    passages: list[Passage]
    vectors: "Vectors | None"
    """Of the passages, where their reader embedded them."""
    notes: tuple[str, ...] = ()

    def owned(self) -> "Iterator[_Owned]":
        vectors = repeat(None) if self.vectors is None else self.vectors
        return map(_Owned, repeat(self.document), self.passages, vectors)


class _Owned(NamedTuple):
    """A passage on its way into the index."""

    document: Document
    passage: Passage
    vector: "Vectors | None"


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
        ray: str | None = None,
    ) -> None:
        """Files are read by up to `workers` processes, here or on the Ray cluster at that address."""
        self._catalogue = catalogue
        self._index = index
        self._embedder = embedder
        self._originals = originals
        self._limits = limits
        self._readers = partial(open_readers, limits, embedder.name, workers, timeout_s, ray)
        self._recipe = recipe(embedder.name)
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
        with self._ingesting, self._readers() as readers:
            self.recover()
            self._mend(scope.workspace)
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

    def _mend(self, workspace: str) -> None:
        """Write anew what the catalogue has and the index has lost, because a damaged one was moved away."""
        _, passages = self._catalogue.workspaces().get(workspace, (0, 0))
        if self._index.count(workspace) >= passages:
            return
        for document in self._catalogue.all_ready_in(workspace):
            if self._index.count(workspace, document.id) != document.passages:
                owned = [_Owned(document, passage, None) for passage in self._catalogue.passages_of(document.id)]
                for start in range(0, len(owned), AT_ONCE):
                    self._index.upsert(workspace, self._points(owned[start : start + AT_ONCE]))

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
        self, read: Iterable[tuple[Unit, Read | FileRejected]], scope: Scope, filing: Filing
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
        owned = [one for each in batch for one in each.owned()]
        for start in range(0, len(owned), AT_ONCE):
            self._index.upsert(scope.workspace, self._points(owned[start : start + AT_ONCE]))
        # Another process sharing the store may have taken one for abandoned; then they are simply not committed.
        if self._index.count(scope.workspace, *(each.document.id for each in batch)) != len(owned):
            names = ", ".join(each.document.name for each in batch)
            raise StoreError(f"The index did not keep every passage of {names}. Ingest them again.")
        known = self._catalogue.sources(scope, [each.document.source for each in batch])
        old = self._catalogue.commit([each.document.id for each in batch])
        if old:
            self._discard(scope.workspace, old)
        for each in batch:
            outcome = Outcome.UPDATED if each.document.source in known else Outcome.ADDED
            filed = Filed(each.document.name, outcome, each.document.id, notes=each.notes)
            filing.done(filed, len(each.passages))

    def _points(self, owned: Sequence[_Owned]) -> list[Point]:
        texts = [one.passage.indexed_text for one in owned]
        vectors = [one.vector for one in owned if one.vector is not None] or self._embedder.embed_passages(texts)
        return [
            Point(
                id=passage.id,
                document_id=document.id,
                user=document.scope.user,
                dense=vector.tolist(),
                sparse=bm25.encode_passage(text),
                payload={**document.metadata.known(), "kind": passage.kind},
            )
            for (document, passage, _), text, vector in zip(owned, texts, vectors, strict=True)
        ]


def _identity(scope: Scope, source: str, content_hash: str, recipe: str) -> uuid.UUID:
    """The same content of the same source, read the same way, is the same document."""
    key = "\0".join((scope.workspace, scope.user or "", source, content_hash, recipe))
    return uuid.UUID(bytes=hashlib.sha256(key.encode()).digest()[:16])


def _compose(unit: Unit, read: Read, scope: Scope, recipe: str) -> _Composed:
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
    vectors = read.vectors if isinstance(read, Embedded) else None
    return _Composed(unit, document, text, passages, vectors, read.loaded.notes)


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
