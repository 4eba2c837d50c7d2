"""The index process: the embedded engine holds Python's lock while it works, so it works where no event loop waits.

It answers one pickled request after the other, `(operation, arguments)`, from its standard input, and lives exactly as
long as the process that started it.
"""

import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from docmind.corpus.index.conditions import Conditions
from docmind.corpus.index.contract import Candidates, SparseVector
from docmind.corpus.index.embedded.durable_file import read_json, write_json
from docmind.corpus.index.embedded.generations import Generations
from docmind.corpus.index.embedded.lock import Holder, acquire
from docmind.corpus.index.embedded.packing import PackedPoint
from docmind.corpus.index.embedded.shard import Shard
from docmind.corpus.index.identity import Identity
from docmind.domain.errors import DocMindError, StoreError

_ORPHAN_CHECK_S = 1.0
# Each open shard has threads and memory of its own; opening one again takes a tenth of a second.
MOST_OPEN = 32

Request = tuple[str, tuple[Any, ...]]


class Host:
    """Every public method is an operation the parent may ask for."""

    def __init__(self, root: Path, identity: Identity, holder: Holder) -> None:
        self._root = root
        self._dimension = identity.dimension
        self._shards: dict[str, Shard] = {}
        root.mkdir(parents=True, exist_ok=True)
        self._lock = acquire(root, holder)
        manifest = root / "index.json"
        recorded = read_json(manifest)
        if recorded is None:
            write_json(manifest, identity.record())
        else:
            identity.require(recorded, str(root), "use another DOCMIND_DATA_DIR")

    def upsert(self, workspace: str, points: Sequence[PackedPoint]) -> None:
        shard = self._shard(workspace)
        if shard is None:
            shard = Shard.create(Generations(self._root, workspace), self._dimension)
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

    def begin_rebuild(self, workspace: str, threshold: int) -> tuple[Path, Path] | None:
        shard = self._shard(workspace)
        return shard.begin_rebuild(threshold) if shard else None

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
            return Shard.open(generations, self._dimension)
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


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Open what the first request names, then answer until told to close or until the parent is gone.

    A parent that is gone is no reason to tidy up: the write-ahead log has everything, and the next opener is waiting.
    """

    def send(answer: object) -> None:
        pickle.dump(answer, answers)
        answers.flush()

    incoming = _incoming(requests, os.getppid())
    _, opening = next(incoming)
    host = _attempt(Host, *opening)
    if not isinstance(host, Host):
        send(host)
        return
    send(None)
    for operation, arguments in incoming:
        send(_attempt(getattr(host, operation), *arguments))
        if operation == "close":
            return


def _incoming(requests: BinaryIO, parent: int) -> Iterator[Request]:
    # The end of the pipe is not the only sign that the parent is gone: a child it forked may keep the pipe open.
    while os.getppid() == parent:
        if select.select([requests], [], [], _ORPHAN_CHECK_S)[0]:
            try:
                yield pickle.load(requests)  # noqa: S301 -- the other end is this program
            except EOFError:
                return


def _attempt(call: Callable[..., Any], *arguments: Any) -> Any:
    """The result, or the error as a value that the parent raises."""
    try:
        return call(*arguments)
    except DocMindError as error:
        return error
    except Exception as error:  # noqa: BLE001 -- the edge of the process: the engine raises bare Exceptions
        return StoreError(f"The index could not do what was asked: {error}.")


def main() -> None:
    # A terminal's Ctrl-C or a service manager's stop reaches the whole group; the parent closes us when it is done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Nothing the engine prints may end up among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, answers)
    os._exit(0)


if __name__ == "__main__":
    main()
