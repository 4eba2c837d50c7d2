"""One workspace's shard as the index process keeps it: open, written to, searched, and replaced by a faster copy."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import qdrant_edge as qe

from docmind.corpus.index.both_scores import weighed
from docmind.corpus.index.conditions import PAYLOAD_INDEXES, Conditions
from docmind.corpus.index.contract import Candidates, SparseVector
from docmind.corpus.index.embedded import queries
from docmind.corpus.index.embedded.generations import Current, Generations, remove
from docmind.corpus.index.embedded.packing import PackedPoint
from docmind.corpus.index.embedded.rebuild import Rebuild

# The write-ahead log is replayed after a kill: flushing now and then keeps it, and so the next opening, short.
FLUSH_EVERY = 10_000
# Where nothing is written for months, what was asked for must not pile up.
MOST_REMEMBERED = 10_000


class Shard:
    def __init__(self, generations: Generations, current: Current, dimension: int, engine: qe.EdgeShard) -> None:
        self._generations = generations
        self._dimension = dimension
        self._generation = current.generation
        self._unindexed = current.unindexed
        self._unflushed = 0
        self._rebuild: Rebuild | None = None
        self._engine = engine
        # Both change with every write, and are asked for again and again between writes.
        self._known_weights: dict[int, float] = {}
        self._known_totals: dict[Conditions, int] = {}
        self._fields = set(engine.info().payload_schema)

    @classmethod
    def open(cls, generations: Generations, usual_dimension: int) -> "Shard | None":
        """The shard as it was left, however its last process ended; None where there is none."""
        current = generations.current()
        generations.remove_remains()
        if current is None:
            return None
        dimension = current.dimension or usual_dimension
        return cls(generations, current, dimension, _load(generations.path(current.generation), dimension))

    @classmethod
    def create(cls, generations: Generations, dimension: int) -> "Shard":
        path = generations.path(1)
        path.mkdir(parents=True)
        engine = qe.EdgeShard.create(str(path), queries.configuration(dimension, build_graphs=False))
        first = Current(generation=1, unindexed=0, dimension=dimension)
        generations.commit(first)
        return cls(generations, first, dimension, engine)

    def upsert(self, points: Sequence[PackedPoint]) -> None:
        self._forget_statistics()
        self._index_new_fields(points)
        self._engine.update(qe.UpdateOperation.upsert_points([queries.engine_point(*point) for point in points]))
        if self._rebuild:
            self._rebuild.upserted(id for id, *_ in points)
        self._unindexed += len(points)
        self._unflushed += len(points)
        if self._unflushed >= FLUSH_EVERY:
            self._flush()

    def delete_documents(self, document_ids: Sequence[str]) -> None:
        self._forget_statistics()
        self._engine.update(qe.UpdateOperation.delete_points_by_filter(queries.of_documents(document_ids)))
        if self._rebuild:
            self._rebuild.deleted(document_ids)

    def search(self, conditions: Conditions, dense: bytes, sparse: SparseVector, limit: int) -> Candidates:
        if not conditions.fields() <= self._fields:
            # No point ever had the field, so none can meet the condition.
            return Candidates()
        weights, total = self._weights(weighed(sparse)), self._total(conditions)
        return queries.search(self._engine, conditions, dense, sparse, limit, weights=weights, total=total)

    def _weights(self, tokens: Sequence[int]) -> dict[int, float]:
        if new := [token for token in tokens if token not in self._known_weights]:
            self._known_weights |= queries.inverse_frequencies(self._engine, new)
        return self._known_weights

    def _total(self, conditions: Conditions) -> int:
        seen = replace(conditions, excluded=())
        if seen not in self._known_totals:
            if len(self._known_totals) >= MOST_REMEMBERED:
                self._known_totals.clear()
            self._known_totals[seen] = queries.count(self._engine, seen)
        return self._known_totals[seen]

    def _forget_statistics(self) -> None:
        self._known_weights.clear()
        self._known_totals.clear()

    def count(self, *document_ids: str) -> int:
        chosen = queries.of_documents(document_ids) if document_ids else None
        return self._engine.count(qe.CountRequest(exact=True, filter=chosen))

    def begin_rebuild(self, threshold: int) -> tuple[Path, Path] | None:
        """From now on remember what is written; the caller copies the first folder to the second and optimises that."""
        if min(self._unindexed, self.count()) <= threshold:
            return None
        self.abandon_rebuild()
        self._flush()
        target = self._generations.path(self._generation + 1)
        remove(target)
        self._rebuild = Rebuild(self._engine, target)
        return self._generations.path(self._generation), target

    @property
    def rebuilding(self) -> bool:
        return self._rebuild is not None

    def catch_up(self) -> bool:
        """Bring a part of what was written meanwhile into the copy; True while there is more."""
        if self._rebuild is None:
            return False
        if not self._rebuild.opened:
            self._rebuild.open(_load(self._rebuild.path, self._dimension))
        return self._rebuild.catch_up()

    def finish_rebuild(self) -> bool:
        """Put the copy in this shard's place; False where the rebuild was given up meanwhile."""
        if self._rebuild is None:
            return False
        while self.catch_up():
            pass
        engine, written = self._rebuild.finished()
        queries.index_fields(engine, self._fields)
        self._generations.commit(Current(self._generation + 1, written, self._dimension))
        self._rebuild = None
        replaced, self._engine = self._engine, engine
        self._generation += 1
        self._unindexed, self._unflushed = written, 0
        replaced.close()
        self._generations.remove_remains()
        return True

    def abandon_rebuild(self) -> None:
        if self._rebuild:
            self._rebuild.close()
            self._rebuild = None
            self._generations.remove_remains()

    def close(self) -> None:
        self.abandon_rebuild()
        # The engine flushes when it closes; only the count is ours to keep.
        if self._unflushed:
            self._generations.commit(Current(self._generation, self._unindexed, self._dimension))
        self._engine.close()

    def drop(self) -> None:
        self.abandon_rebuild()
        self._engine.close()
        self._generations.drop()

    def _index_new_fields(self, points: Sequence[PackedPoint]) -> None:
        """An index costs dozens of files and syncs, and most workspaces use few of the fields."""
        used = {name for *_, payload in points for name in payload if name in PAYLOAD_INDEXES}
        if new := used - self._fields:
            queries.index_fields(self._engine, new)
            self._fields |= new

    def _flush(self) -> None:
        self._engine.flush()
        self._unflushed = 0
        self._generations.commit(Current(self._generation, self._unindexed, self._dimension))


def _load(path: Path, dimension: int) -> qe.EdgeShard:
    return qe.EdgeShard.load(str(path), queries.configuration(dimension, build_graphs=False))
