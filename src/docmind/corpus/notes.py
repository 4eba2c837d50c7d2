"""Short texts that are no documents, found again by meaning and by words: a collection of their own in the index."""

import hashlib

from docmind.corpus.index import bm25
from docmind.corpus.index.contract import Point
from docmind.corpus.workspace_index import Place, WorkspaceIndex
from docmind.domain.scope import Scope
from docmind.domain.search import Filters


class Notes:
    """A named collection beside the documents of every workspace. Thread-safe and blocking."""

    def __init__(self, collection: str, index: WorkspaceIndex) -> None:
        self._collection = collection
        self._index = index

    def put(self, note_id: str, text: str, scope: Scope, *, group: str) -> None:
        """Keep a text under a UUID; those of one `group` are forgotten together."""
        shelf = self.shelf(scope.workspace)
        place = None
        # Where the collection was reindexed meanwhile, it goes to the new vectors too.
        while place is None or place.recorded != self._index.place(shelf).recorded:
            place = self._index.place_to_write(shelf)
            self.write(place, note_id, text, scope, group=group)

    def write(self, place: Place, note_id: str, text: str, scope: Scope, *, group: str) -> None:
        """Write it to a place of the collection's, whether that is searched already or not."""
        dense = place.embedder.embed_passages([text])[0].tolist()
        point = Point(note_id, group, scope.user, dense, bm25.encode_passage(text), {})
        place.index.upsert(self.shelf(scope.workspace), [point])

    def near(self, text: str, scope: Scope, limit: int) -> list[str]:
        """The ids of the texts of the scope that are nearest in meaning, nearest first."""
        shelf = Scope(self.shelf(scope.workspace), scope.user)
        place = self._index.place(shelf.workspace)
        dense = place.embedder.embed_query(text).tolist()
        found = place.index.search(shelf, dense, bm25.encode_query(text), Filters(), limit)
        return list(found.dense_top[:limit])

    def forget(self, group: str, workspace: str) -> None:
        self._index.delete_documents(self.shelf(workspace), [group])

    def drop(self, workspace: str) -> None:
        self._index.drop(self.shelf(workspace))

    def shelf(self, workspace: str) -> str:
        """No longer than the name of a workspace may be, and one that nobody gives to a workspace of documents."""
        digest = hashlib.sha256(workspace.encode()).hexdigest()[:24]
        return f"{self._collection}.{digest}"
