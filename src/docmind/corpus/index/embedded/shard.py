"""One workspace's shard as the index process keeps it: open, written to, searched, and replaced by a faster copy."""

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import qdrant_edge as qe

from docmind.corpus.index.conditions import PAYLOAD_INDEXES, Conditions
from docmind.corpus.index.contract import Candidates, SparseVector, weighed
from docmind.corpus.index.embedded import queries
from docmind.corpus.index.embedded.wire import PackedPoint
from docmind.domain.files import read_json, write_json

_POINTER = "current.json"


@dataclass(frozen=True, slots=True)
class Current:
    generation: int
    unindexed: int
    """About how many vectors were written since the search graph was built; a kill may lose some of the count."""
    dimension: int | None = None
    """Of its vectors; the first version left it to the store, which had vectors of one embedder."""


def begun(root: Path) -> bool:
    """Whether anything was ever written to the index; one that was only opened may as well be of another embedder."""
    return any(root.glob(f"*/{_POINTER}"))


class Generations:
    """Where a workspace's shard lies, so that a better copy can take its place and a kill at any moment harms neither.

    A workspace folder holds numbered generations and `current.json`, which names the one that counts. Replacing that
    file is the only commit: any generation it does not name is the rest of something interrupted, and is removed on
    opening.
    """

    def __init__(self, root: Path, workspace: str) -> None:
        # Names that differ in case alone are one file name on some disks; the hash keeps them apart.
        digest = hashlib.sha256(workspace.encode()).hexdigest()[:12]
        self.folder = root / f"{workspace.lower()}-{digest}"
        self._pointer = self.folder / _POINTER

    def path(self, generation: int) -> Path:
        return self.folder / f"{generation:06d}"

    def current(self) -> Current | None:
        content = read_json(self._pointer)
        return Current(**content) if content else None

    def commit(self, current: Current) -> None:
        write_json(self._pointer, asdict(current))

    def remove_remains(self) -> None:
        """Remove every generation that is not the current one."""
        current = self.current()
        for path in self.folder.glob("[0-9]*"):
            if current is None or path != self.path(current.generation):
                remove_folder(path)

    def drop(self) -> None:
        # The pointer goes first: without it the rest counts for nothing, however far the removal gets.
        self._pointer.unlink(missing_ok=True)
        remove_folder(self.folder)


def remove_folder(path: Path) -> None:
    """What cannot be removed now, because a process that is being killed still writes there, is removed next time."""
    shutil.rmtree(path, ignore_errors=True)


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
        remove_folder(target)
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
