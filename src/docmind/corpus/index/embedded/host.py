"""What the index process can be asked: the shards of all workspaces, opened when they are needed."""

from collections.abc import Sequence
from pathlib import Path

from docmind.corpus.index.conditions import Conditions
from docmind.corpus.index.contract import Candidates, SparseVector
from docmind.corpus.index.embedded.generations import Generations, begun
from docmind.corpus.index.embedded.lock import acquire
from docmind.corpus.index.embedded.packing import PackedPoint, unpack_vector
from docmind.corpus.index.embedded.shard import Shard
from docmind.corpus.index.identity import Identity
from docmind.domain.durable_file import read_json, write_json
from docmind.domain.errors import StoreError

# Each open shard has threads and memory of its own; opening one again takes a tenth of a second.
MOST_OPEN = 32


class Host:
    """Every public method is an operation that a program may ask for."""

    def __init__(self, root: Path, identity: Identity) -> None:
        self._root = root
        self._shards: dict[str, Shard] = {}
        root.mkdir(parents=True, exist_ok=True)
        self._lock = acquire(root)
        self._manifest = root / "index.json"
        recorded = read_json(self._manifest)
        if recorded is None or (recorded.get("format") == identity.format and not begun(root)):
            write_json(self._manifest, identity.record())
            recorded = identity.record()
        self._base = Identity.recorded(recorded, str(root), "use another DOCMIND_DATA_DIR")

    def made_by(self) -> Identity:
        """The embedder that the store was begun with."""
        return self._base

    def upsert(self, workspace: str, points: Sequence[PackedPoint]) -> None:
        shard = self._shard(workspace)
        if shard is None:
            # A place holds vectors of one length, whichever embedder's they are.
            shard = Shard.create(Generations(self._root, workspace), len(unpack_vector(points[0][1])))
            self._keep(workspace, shard)
        shard.upsert(points)

    def delete_documents(self, workspace: str, document_ids: Sequence[str]) -> None:
        if shard := self._shard(workspace):
            shard.delete_documents(document_ids)

    def search(
        self, workspace: str, conditions: Conditions, dense: bytes, sparse: SparseVector, limit: int
    ) -> Candidates:
        shard = self._shard(workspace)
        return shard.search(conditions, dense, sparse, limit) if shard else Candidates()

    def count(self, workspace: str, *document_ids: str) -> int:
        shard = self._shard(workspace)
        return shard.count(*document_ids) if shard else 0

    def drop(self, workspace: str) -> None:
        if shard := self._shard(workspace):
            shard.drop()
            del self._shards[workspace]

    def begin_rebuild(self, workspace: str, threshold: int) -> tuple[str, str] | None:
        shard = self._shard(workspace)
        folders = shard.begin_rebuild(threshold) if shard else None
        return (str(folders[0]), str(folders[1])) if folders else None

    def catch_up(self, workspace: str) -> bool:
        shard = self._shard(workspace)
        return shard is not None and shard.catch_up()

    def finish_rebuild(self, workspace: str) -> bool:
        shard = self._shard(workspace)
        return shard is not None and shard.finish_rebuild()

    def abandon_rebuild(self, workspace: str) -> None:
        if shard := self._shard(workspace):
            shard.abandon_rebuild()

    def close(self) -> None:
        while self._shards:
            self._shards.popitem()[1].close()

    def _shard(self, workspace: str) -> Shard | None:
        shard = self._shards.pop(workspace, None) or self._opened(workspace)
        if shard is not None:
            self._keep(workspace, shard)
        return shard

    def _opened(self, workspace: str) -> Shard | None:
        generations = Generations(self._root, workspace)
        try:
            return Shard.open(generations, self._base.dimension)
        except StoreError:
            raise
        except Exception as error:  # the engine raises bare Exceptions
            reason = " ".join(str(error).split())[:300]
            raise StoreError(
                f"The index of workspace {workspace!r} cannot be opened ({reason}). If it is damaged, move "
                f"{generations.folder} away and ingest any file into the workspace: what is missing is then written "
                "anew, and other workspaces are not affected."
            ) from error

    def _keep(self, workspace: str, shard: Shard) -> None:
        """Have the shard open, and close those that nobody asked for longest where there are too many."""
        resting = [name for name, other in self._shards.items() if not other.rebuilding]
        for name in resting[: max(0, len(self._shards) + 1 - MOST_OPEN)]:
            self._shards.pop(name).close()
        self._shards[workspace] = shard
