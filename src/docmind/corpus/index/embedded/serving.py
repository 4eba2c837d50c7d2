"""The index process: it keeps the shards of all workspaces, answers its programs, and ends when none is left.

A program is there as long as its connection is. All that has arrived is read before anything is done, and what a dead
program had asked for is not done any more: whoever tidies up after it must not be overtaken.
"""

import os
import selectors
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from docmind.corpus.index.conditions import Conditions
from docmind.corpus.index.contract import Candidates, SparseVector
from docmind.corpus.index.embedded import lock
from docmind.corpus.index.embedded.lock import Holder, acquire
from docmind.corpus.index.embedded.shard import Generations, Shard, begun
from docmind.corpus.index.embedded.wire import (
    PROTOCOL_VERSION,
    SOCKET,
    UNREADABLE,
    PackedPoint,
    Request,
    framed,
    read_request,
    take_value,
    unpack_vector,
)
from docmind.corpus.index.identity import Identity
from docmind.domain import socket_file
from docmind.domain.errors import DocMindError, StoreError
from docmind.domain.files import read_json, write_json

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


_BLOCK = 1 << 18
_LAST_WORD_S = 5.0
_WRITES = {"upsert", "delete_documents", "drop"}
_REBUILDING = {"begin_rebuild", "copied", "catch_up", "finish_rebuild", "abandon_rebuild"}


class Program:
    """One program's connection."""

    def __init__(self, line: socket.socket) -> None:
        line.setblocking(False)
        self.line = line
        self.opened = False
        self.gone = False
        self._received = bytearray()
        self._unsent = bytearray()

    @property
    def waits(self) -> bool:
        """Whether not all of an answer is sent."""
        return bool(self._unsent)

    def receive(self) -> Iterator[Request]:
        """Take in all that is there; the requests that are whole now."""
        with suppress(BlockingIOError):
            while not self.gone:
                try:
                    block = self.line.recv(_BLOCK)
                except ConnectionError:
                    block = b""
                self._received += block
                self.gone = not block
        while (content := take_value(self._received)) is not None:
            yield read_request(content)

    def tell(self, answer: object) -> None:
        self._unsent += framed(answer)
        self.send()

    def send(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: self.line.send(self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.gone = True

    def tell_last(self, answer: object) -> None:
        """An answer after which nothing follows."""
        self._unsent += framed(answer)
        self.line.settimeout(_LAST_WORD_S)
        with suppress(OSError):
            self.line.sendall(self._unsent)


class IndexServer:
    """Answers the program that started this process, and all others that come over the socket in the folder."""

    def __init__(self, root: Path, line: socket.socket) -> None:
        self.told_to_stop = False
        self._root = root
        self._host: Host | None = None
        self._listener: socket.socket | None = None
        self._selector = selectors.DefaultSelector()
        self._programs: list[Program] = []
        self._asked: deque[tuple[Program, Request]] = deque()
        # Who is making a faster copy of which workspace, and of which the files are being copied just now.
        self._rebuilds: dict[str, Program] = {}
        self._copying: set[str] = set()
        self._starter = self._welcome(line)
        self._last: Program | None = None

    def run(self) -> None:
        # A service manager that stops our starter stops us too; others then start a process of their own.
        while self._programs and not (self.told_to_stop and self._starter.gone):
            self._hear(wait=self._turn() is None)
            if turn := self._turn():
                self._asked.remove(turn)
                self._perform(*turn)
        self._selector.close()
        if self._listener is not None:
            self._listener.close()
            with suppress(OSError):
                socket_file.remove(self._root / SOCKET)
        if self._programs and self._host is not None:
            self._host.close()

    def _welcome(self, line: socket.socket) -> Program:
        program = Program(line)
        self._programs.append(program)
        self._selector.register(line, selectors.EVENT_READ, program)
        return program

    def _hear(self, *, wait: bool) -> None:
        for program in self._programs:
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if program.waits else 0)
            if self._selector.get_key(program.line).events != wanted:
                self._selector.modify(program.line, wanted, program)
        for key, events in self._selector.select(None if wait else 0):
            if key.data is None:
                self._accept()
                continue
            if events & selectors.EVENT_WRITE:
                key.data.send()
            if events & selectors.EVENT_READ:
                self._asked.extend((key.data, request) for request in key.data.receive())
        for program in [program for program in self._programs if program.gone]:
            self._leave(program)

    def _accept(self) -> None:
        if self._listener is not None:
            with suppress(OSError):
                self._welcome(self._listener.accept()[0])

    def _leave(self, program: Program) -> None:
        self._programs.remove(program)
        self._selector.unregister(program.line)
        self._asked = deque(turn for turn in self._asked if turn[0] is not program)
        for workspace in [name for name, owner in self._rebuilds.items() if owner is program]:
            self._end_rebuild(workspace)
            if self._host is not None and self._programs:
                _attempt(self._host.abandon_rebuild, workspace)
        if self._programs:
            program.line.close()
        else:
            # It closes with this process: that is how a program knows that the index is free.
            self._last = program

    def _turn(self) -> tuple[Program, Request] | None:
        """The request that comes next; those that would write to files that are being copied wait."""
        for program, (operation, arguments) in self._asked:
            held = operation in _WRITES and str(arguments[0] if arguments else "") in self._copying
            if not held or self._rebuilds.get(arguments[0]) is program:
                return program, (operation, arguments)
        return None

    def _perform(self, program: Program, request: Request) -> None:
        operation, arguments = request
        if operation == "open":
            answer = _attempt(self._open, program, *arguments)
        elif operation == "close":
            self._close(program)
            return
        elif self._host is None or not program.opened:
            answer = StoreError("The index is not open.")
        elif operation in _REBUILDING:
            answer = _attempt(self._rebuild, program, self._host, operation, *arguments)
        elif request == UNREADABLE or operation.startswith("_"):
            answer = StoreError("The index was asked something that it does not know.")
        else:
            answer = _attempt(lambda: getattr(self._host, operation)(*arguments))
        program.tell(answer)

    def _open(self, program: Program, version: int, identity: Identity, holder: Holder) -> int:
        """The number of this process, for whoever may come in."""
        if version != PROTOCOL_VERSION:
            raise lock.refusal(self._root)
        if self._host is None:
            self._host = Host(self._root, identity)
            self._listener = socket_file.listen(self._root / SOCKET)
            if self._listener is not None:
                self._selector.register(self._listener, selectors.EVENT_READ, None)
            lock.record(self._root, replace(holder, reachable=self._listener is not None))
        program.opened = True
        return os.getpid()

    def _close(self, program: Program) -> None:
        """Tell whether this process ends with the program; if so it is not told before all is safe."""
        last = self._programs == [program]
        failed = _attempt(self._host.close) if last and self._host is not None else None
        program.tell_last(failed or last)
        program.gone = True
        self._leave(program)

    def _rebuild(self, program: Program, host: Host, operation: str, workspace: str, *arguments: Any) -> Any:
        """One program at a time makes a faster copy of a workspace."""
        owner = self._rebuilds.get(workspace)
        if operation == "begin_rebuild":
            folders = host.begin_rebuild(workspace, *arguments) if owner in (None, program) else None
            if folders is not None:
                self._rebuilds[workspace] = program
                self._copying.add(workspace)
            return folders
        if owner is not program:
            return False
        if operation == "copied":
            self._copying.discard(workspace)
            return None
        answer = getattr(host, operation)(workspace)
        if operation != "catch_up":
            self._end_rebuild(workspace)
        return answer

    def _end_rebuild(self, workspace: str) -> None:
        self._rebuilds.pop(workspace, None)
        self._copying.discard(workspace)


def _attempt(call: Callable[..., Any], *arguments: Any) -> Any:
    """The result, or the error as a value that the program raises."""
    try:
        return call(*arguments)
    except DocMindError as error:
        return error
    except Exception as error:  # noqa: BLE001 -- the edge of the process: the engine raises bare Exceptions
        return StoreError(f"The index could not do what was asked: {error}.")


def main() -> None:
    # A terminal's Ctrl-C reaches the whole group; the programs say when they are done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    line = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    server = IndexServer(Path(sys.argv[1]), line)

    def stop(_signal: int, _frame: object) -> None:
        server.told_to_stop = True

    signal.signal(signal.SIGTERM, stop)
    server.run()
    os._exit(0)


if __name__ == "__main__":
    main()
