"""Passages on their way into the index: embedded, weighed by their words, and written a few hundred at a time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from docmind.corpus.index import bm25
from docmind.corpus.index.contract import Index, Point
from docmind.domain.documents import Document, Passage
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
