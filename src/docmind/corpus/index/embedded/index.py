"""The embedded engine: Qdrant in a process of its own, which programs share, one shard a workspace."""

import copy
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from docmind.corpus.index.conditions import visible
from docmind.corpus.index.contract import Candidates, Point, SparseVector
from docmind.corpus.index.embedded.host_process import HostProcess
from docmind.corpus.index.embedded.lock import Holder
from docmind.corpus.index.embedded.optimiser import Optimisation
from docmind.corpus.index.embedded.packing import pack, pack_vector
from docmind.corpus.index.identity import Identity
from docmind.domain.errors import StoreError
from docmind.domain.file_lock import FileLock
from docmind.domain.scope import Scope
from docmind.domain.search import Filters

# A search that arrives during a write waits for it: this many points keep that below a tenth of a second or so.
POINTS_A_WRITE = 500


class EdgeIndex:
    """`optimize_above`: from how many vectors without a search graph on it is worth building one."""

    shared = False

    def __init__(self, root: Path, *, dimension: int, embedder: str, optimize_above: int = 50_000) -> None:
        self._root = root.absolute()
        self.storing = FileLock(self._root / "storing.lock")
        self._identity = Identity(embedder, dimension)
        self._optimize_above = optimize_above
        self._writing = threading.Lock()
        self._optimizing = threading.Lock()
        self._optimisations: set[Optimisation] = set()
        self._host = HostProcess(self._root, self._identity, _this_program())
        self.base: Identity = self._host.call("made_by")

    def of(self, identity: Identity) -> "EdgeIndex":
        """The same process, locks and files, for the vectors of another embedder."""
        other = copy.copy(self)
        other._identity = identity
        return other

    def upsert(self, workspace: str, points: Sequence[Point]) -> None:
        for start in range(0, len(points), POINTS_A_WRITE):
            packed = [pack(point) for point in points[start : start + POINTS_A_WRITE]]
            with self._writing:
                self._host.call("upsert", self._place(workspace), packed)

    def delete_documents(self, workspace: str, document_ids: Sequence[str]) -> None:
        if document_ids:
            with self._writing:
                self._host.call("delete_documents", self._place(workspace), list(document_ids))

    def search(
        self, scope: Scope, dense: Sequence[float], sparse: SparseVector, filters: Filters, limit: int
    ) -> Candidates:
        place, vector = self._place(scope.workspace), pack_vector(dense)
        found: Candidates = self._host.call("search", place, visible(scope, filters), vector, sparse, limit)
        return found

    def count(self, workspace: str, *document_ids: str) -> int:
        counted: int = self._host.call("count", self._place(workspace), *document_ids)
        return counted

    def drop(self, workspace: str) -> None:
        with self._writing:
            self._host.call("drop", self._place(workspace))

    def optimize(self, workspace: str) -> bool:
        """Another process makes a faster copy; searches and writes go on, and reach the copy before it serves."""
        place, optimisation = self._place(workspace), None
        with self._optimizing:
            try:
                # Writes wait while the shard is copied, which takes a fraction of a second; searches do not.
                with self._writing:
                    folders = self._host.call("begin_rebuild", place, self._optimize_above)
                    if folders is None:
                        return False
                    source, target = map(Path, folders)
                    optimisation = Optimisation(source, target, self._identity.dimension)
                    self._optimisations.add(optimisation)
                    self._host.call("copied", place)
                optimisation.wait()
                while self._host.call("catch_up", place):
                    pass
                done: bool = self._host.call("finish_rebuild", place)
            except BaseException:
                if optimisation:
                    optimisation.kill()
                with suppress(StoreError):
                    self._host.call("abandon_rebuild", place)
                raise
            finally:
                self._optimisations.discard(optimisation)
        return done

    def describe(self) -> dict[str, str | int]:
        return {"engine": "qdrant-edge", "place": str(self._root), "version": version("qdrant-edge-py")}

    def close(self) -> None:
        for optimisation in list(self._optimisations):
            optimisation.kill()
        self._host.close()

    def _place(self, workspace: str) -> str:
        """What the workspace's vectors are kept under; no name of a workspace has such a sign in it."""
        return workspace if self._identity.is_same(self.base) else f"{workspace}+{self._identity.key}"


def _this_program() -> Holder:
    """The command as a person knows it, without arguments that may be private, such as a question."""
    command = [Path(sys.argv[0]).name or "python", *(word for word in sys.argv[1:2] if word.isalpha())]
    return Holder(os.getpid(), " ".join(command), datetime.now().astimezone().isoformat(" ", "seconds"))
