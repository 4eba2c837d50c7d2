"""A shard's faster copy while it is being made: what is written to the original meanwhile has to reach it too."""

from collections.abc import Iterable
from pathlib import Path

import qdrant_edge as qe

from docmind.corpus.index.embedded import queries

# Enough to be quick, few enough that a search waits only tens of milliseconds for one step.
POINTS_A_STEP = 500


class Rebuild:
    """The copy equals the original but for the ids and documents remembered here; each step makes both sets smaller."""

    def __init__(self, original: qe.EdgeShard, path: Path) -> None:
        self.path = path
        self._original = original
        self._copy: qe.EdgeShard | None = None
        self._ids: set[str] = set()
        self._document_ids: set[str] = set()
        self._written = 0

    def upserted(self, ids: Iterable[str]) -> None:
        self._ids.update(ids)

    def deleted(self, document_ids: Iterable[str]) -> None:
        self._document_ids.update(document_ids)

    @property
    def opened(self) -> bool:
        return self._copy is not None

    def open(self, copy: qe.EdgeShard) -> None:
        self._copy = copy

    def catch_up(self) -> bool:
        """Deletions first: what was written after one is among the ids, and is read from the original as it is now."""
        copy = self._opened_copy()
        if self._document_ids:
            copy.update(qe.UpdateOperation.delete_points_by_filter(queries.of_documents([*self._document_ids])))
            self._document_ids.clear()
        ids = [self._ids.pop() for _ in range(min(POINTS_A_STEP, len(self._ids)))]
        if ids:
            records = self._original.retrieve([*ids], with_payload=True, with_vector=True)
            points = [qe.Point(record.id, record.vector or {}, record.payload) for record in records]
            gone = set(ids) - {str(record.id) for record in records}
            copy.update(qe.UpdateOperation.delete_points([*gone]))
            copy.update(qe.UpdateOperation.upsert_points(points))
            self._written += len(points)
        return bool(self._ids)

    def finished(self) -> tuple[qe.EdgeShard, int]:
        """The copy, safe on disk, and how many points came to it after its search graph was built."""
        copy = self._opened_copy()
        copy.flush()
        return copy, self._written

    def close(self) -> None:
        if self._copy is not None:
            self._copy.close()

    def _opened_copy(self) -> qe.EdgeShard:
        if self._copy is None:
            raise RuntimeError("the copy is not open yet")
        return self._copy
