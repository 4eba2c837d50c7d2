"""Passages on their way into the index: new ones, those that it lacks, and all of them again by another embedder."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import NamedTuple

import numpy as np

from docmind.corpus.catalogue import Catalogue
from docmind.corpus.index import bm25
from docmind.corpus.index.contract import Index, Point
from docmind.corpus.workspace_index import Place, WorkspaceIndex
from docmind.corpus.workspaces import VectorState
from docmind.domain.documents import Document, Passage
from docmind.domain.errors import NotFound
from docmind.models.embedding import Embedder, Vectors

AT_ONCE = 500
"""Passages embedded and indexed together, since one document may have any number of them."""


class Owned(NamedTuple):
    """A passage with the document it belongs to."""

    document: Document
    passage: Passage
    vector: "Vectors | None" = None


def embed(owned: Sequence[Owned], embedder: Embedder) -> Vectors:
    """The vectors that the passages have already, or else new ones."""
    known = [one.vector for one in owned if one.vector is not None]
    if len(known) == len(owned):
        return np.asarray(known)
    return embedder.embed_passages([one.passage.indexed_text for one in owned])


def write(index: Index, workspace: str, owned: Iterable[Owned], embedder: Embedder) -> None:
    for part in parts(owned):
        index.upsert(workspace, _points(part, embed(part, embedder)))


def parts(owned: Iterable[Owned], size: int = AT_ONCE) -> Iterator[list[Owned]]:
    following = iter(owned)
    while part := list(islice(following, size)):
        yield part


def _points(owned: Sequence[Owned], vectors: Vectors) -> list[Point]:
    return [
        Point(
            id=passage.id,
            document_id=document.id,
            user=document.scope.user,
            dense=vector.tolist(),
            sparse=bm25.encode_passage(passage.indexed_text),
            payload={**document.metadata.known(), "kind": passage.kind},
        )
        for (document, passage, _), vector in zip(owned, vectors, strict=True)
    ]


DOCUMENTS_AT_ONCE = 200
PASSAGES_AT_ONCE = 128
"""Few enough that a search which needs the embedder meanwhile does not wait long for it."""

Written = Callable[[int], None]
"""Told how many more passages are in the index."""


def fill(catalogue: Catalogue, workspace: str, place: Place, written: Written = lambda _: None) -> int:
    """Write every passage of the workspace's documents that the index lacks; returns how many were written."""
    new = 0
    for documents in _documents(catalogue, workspace):
        missing = [] if _has_all(place, workspace, documents) else [one for one in documents if _lacks(place, one)]
        written(sum(one.passages for one in documents) - sum(one.passages for one in missing))
        for part in parts(_owned(catalogue, missing), PASSAGES_AT_ONCE):
            write(place.index, workspace, part, place.embedder)
            new += len(part)
            written(len(part))
        _withdraw_deleted(catalogue, workspace, place, missing)
    return new


def _documents(catalogue: Catalogue, workspace: str) -> Iterator[list[Document]]:
    last = ""
    while documents := catalogue.ready_after(workspace, last, DOCUMENTS_AT_ONCE):
        yield documents
        last = documents[-1].id


def _has_all(place: Place, workspace: str, documents: Sequence[Document]) -> bool:
    there = place.index.count(workspace, *(one.id for one in documents))
    return there == sum(one.passages for one in documents)


def _lacks(place: Place, document: Document) -> bool:
    return place.index.count(document.scope.workspace, document.id) != document.passages


def _owned(catalogue: Catalogue, documents: Sequence[Document]) -> Iterator[Owned]:
    for document in documents:
        for passages in catalogue.passages_in_parts(document.id, PASSAGES_AT_ONCE):
            yield from (Owned(document, passage) for passage in passages)


def _withdraw_deleted(catalogue: Catalogue, workspace: str, place: Place, written: Sequence[Document]) -> None:
    """A document that was deleted while it was written was taken out of the index too early."""
    ids = [one.id for one in written]
    place.index.delete_documents(workspace, sorted(set(ids) - catalogue.are_ready(ids)))


Fill = Callable[[Place, Written], int]
"""Writes to a place whatever belongs there and it lacks; returns how much that was."""
FEW = 100
"""So many passages are embedded within a second."""


class Reindexer:
    """Embeds what is stored again, by another embedder or other weights, while searches use the vectors there are.

    The new vectors are written beside the old ones. Once they are whole, one transaction has the workspace searched by
    them, and the old ones are removed. Only whole vectors are ever searched, wherever a process is killed: what is
    building is gone on with by the next reindex, and what was replaced is removed by the next reindex or ingest.
    """

    def __init__(self, catalogue: Catalogue, index: WorkspaceIndex, storing: AbstractContextManager[object]) -> None:
        """While `storing` is held no document of this process comes or goes."""
        self._catalogue = catalogue
        self._index = index
        self._storing = storing

    def documents(self, workspace: str, written: Written) -> bool:
        """Have a workspace's documents searched by vectors of the chosen embedder; False where they are already."""
        return self._replace(workspace, lambda place, told: fill(self._catalogue, workspace, place, told), written)

    def collection(self, name: str, fill: Fill) -> bool:
        """The same for a collection beside the documents."""
        return self._replace(name, fill, _untold)

    def _replace(self, name: str, fill: Fill, written: Written) -> bool:
        self.finish(name, fill)
        place = self._index.begin(name)
        if place is None:
            return False
        new = fill(place, written)
        # What comes in meanwhile is written too, until so little is missing that whoever stores documents can wait.
        while new > FEW:
            new = fill(place, lambda _: written(0))
        place.index.optimize(name)
        with self._storing:
            try:
                while not self._switched(name, place, fill):
                    pass
            except NotFound:
                place.index.drop(name)
                raise
        self.finish(name, fill)
        return True

    def _switched(self, name: str, place: Place, fill: Fill) -> bool:
        before, seen = self._index.current(name), self._index.records.fingerprint(name)
        # What came in meanwhile.
        fill(place, _untold)
        return self._index.records.switch(name, before, seen)

    def finish(self, name: str, fill: Fill) -> None:
        """Remove vectors that were replaced, by this process or by one that was killed before it did."""
        if VectorState.REPLACED in self._index.records.of(name):
            # Another process may have written to the old ones in the last moment.
            fill(self._index.place(name), _untold)
            self._index.finish(name)


def _untold(_written: int) -> None:
    """For what nobody follows."""
