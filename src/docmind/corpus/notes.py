"""Short texts that are no documents, found again by meaning and by words: a collection of their own in the index."""

import hashlib

from docmind.corpus.index import bm25
from docmind.corpus.index.contract import Index, Point
from docmind.domain.scope import Scope
from docmind.domain.search import Filters
from docmind.models.embedding import Embedder


class Notes:
    """A named collection beside the documents of every workspace. Thread-safe and blocking."""

    def __init__(self, collection: str, index: Index, embedder: Embedder) -> None:
        self._collection = collection
        self._index = index
        self._embedder = embedder

    def put(self, note_id: str, text: str, scope: Scope, *, group: str) -> None:
        """Keep a text under a UUID; those of one `group` are forgotten together."""
        dense = self._embedder.embed_passages([text])[0].tolist()
        point = Point(note_id, group, scope.user, dense, bm25.encode_passage(text), {})
        self._index.upsert(self._shelf(scope.workspace), [point])

    def near(self, text: str, scope: Scope, limit: int) -> list[str]:
        """The ids of the texts of the scope that are nearest in meaning, nearest first."""
        dense = self._embedder.embed_query(text).tolist()
        shelf = Scope(self._shelf(scope.workspace), scope.user)
        found = self._index.search(shelf, dense, bm25.encode_query(text), Filters(), limit)
        return list(found.dense_top[:limit])

    def forget(self, group: str, workspace: str) -> None:
        self._index.delete_documents(self._shelf(workspace), [group])

    def drop(self, workspace: str) -> None:
        self._index.drop(self._shelf(workspace))

    def _shelf(self, workspace: str) -> str:
        """No longer than the name of a workspace may be, and one that nobody gives to a workspace of documents."""
        digest = hashlib.sha256(workspace.encode()).hexdigest()[:24]
        return f"{self._collection}.{digest}"
