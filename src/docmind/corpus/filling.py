"""Writes into an index what the catalogue holds and the index lacks, whatever made it lack it. No file is read."""

from collections.abc import Callable, Iterator, Sequence

from docmind.corpus.catalogue import Catalogue
from docmind.corpus.indexing import Owned, parts, write
from docmind.corpus.workspace_index import Place
from docmind.domain.documents import Document

DOCUMENTS_AT_ONCE = 200
PASSAGES_AT_ONCE = 128
"""Few enough that a search which needs the embedder meanwhile does not wait long for it."""

Written = Callable[[int], None]
"""Told how many more passages are in the index."""


def fill(catalogue: Catalogue, workspace: str, place: Place, written: Written = lambda _: None) -> int:
    """Write every passage of the workspace's documents that the index lacks; returns how many were written."""
    new = 0
    for documents in _pages(catalogue, workspace):
        missing = [] if _whole(place, workspace, documents) else [one for one in documents if _lacks(place, one)]
        written(sum(one.passages for one in documents) - sum(one.passages for one in missing))
        for part in parts(_owned(catalogue, missing), PASSAGES_AT_ONCE):
            write(place.index, workspace, part, place.embedder)
            new += len(part)
            written(len(part))
        _withdraw_deleted(catalogue, workspace, place, missing)
    return new


def _pages(catalogue: Catalogue, workspace: str) -> Iterator[list[Document]]:
    last = ""
    while documents := catalogue.ready_after(workspace, last, DOCUMENTS_AT_ONCE):
        yield documents
        last = documents[-1].id


def _whole(place: Place, workspace: str, documents: Sequence[Document]) -> bool:
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
