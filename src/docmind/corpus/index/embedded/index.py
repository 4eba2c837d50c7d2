"""The embedded engine: Qdrant in a process of its own, which programs share, one shard a workspace."""

import copy
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docmind.corpus.index.conditions import visible
from docmind.corpus.index.contract import Candidates, Point, SparseVector
from docmind.corpus.index.embedded import lock
from docmind.corpus.index.embedded.lock import Holder
from docmind.corpus.index.embedded.optimiser import Optimisation
from docmind.corpus.index.embedded.wire import PROTOCOL_VERSION, SOCKET, framed, pack, pack_vector, read_answer
from docmind.corpus.index.identity import Identity
from docmind.domain import socket_file
from docmind.domain.errors import StoreError, StoreLocked
from docmind.domain.files import PRIVATE, FileLock, private_file, private_folder
from docmind.domain.scope import Scope
from docmind.domain.search import Filters

_CLOSING_S = 30.0
_DYING_S = 10.0
"""A process that no longer answers may take this long to be gone, where it is heard how it ended."""
_COMING_S = 30.0
"""One that another program starts may take this long to answer, and one whose programs are gone to end."""
_RETRY_S = 0.05

_still_running: list[subprocess.Popen[bytes]] = []
"""Started here, and still answering other programs."""


class _GoneError(Exception):
    """The connection ended before the answer came."""


class HostProcess:
    """Thread-safe; every call waits for its answer."""

    def __init__(self, root: Path, *opening: object) -> None:
        self._root = root
        self._opening = (PROTOCOL_VERSION, *opening)
        self._log = root / "host.log"
        self._lock = threading.Lock()
        self._line: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.pid: int | None = None
        self.closed = False
        with self._lock:
            self._join()

    def call(self, operation: str, *arguments: object) -> Any:
        with self._lock:
            if self.closed:
                raise StoreError("The index is closed.")
            if self._line is None:
                self._join()
            started_here = self._process is not None
            try:
                return self._ask(operation, *arguments)
            except _GoneError:
                ended = self._ended(operation)
                if started_here:
                    raise ended from None
            # It may have been stopped together with the program that started it. Asking twice changes nothing.
            self._join()
            try:
                return self._ask(operation, *arguments)
            except _GoneError:
                raise self._ended(operation) from None

    def close(self) -> None:
        with self._lock:
            if self._line is not None:
                last = False
                with suppress(StoreError, _GoneError):
                    last = self._ask("close")
                self._hang_up(patience_s=_CLOSING_S if last else 0.0)
            self.closed = True

    def _join(self) -> None:
        """Reach the index process of the folder, or start it."""
        private_folder(self._root)
        deadline = time.monotonic() + _COMING_S
        while not (self._reached() or self._started()):
            if lock.is_unreachable(self._root) or time.monotonic() > deadline:
                raise lock.refusal(self._root)
            time.sleep(_RETRY_S)

    def _reached(self) -> bool:
        self._line = socket_file.connect(self._root / SOCKET)
        return self._line is not None and self._opens()

    def _started(self) -> bool:
        if not lock.is_free(self._root):
            return False
        self._line, theirs = socket.socketpair()
        with theirs, private_file(self._log).open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 -- our own module
                [sys.executable, "-m", "docmind.corpus.index.embedded.serving", str(self._root)],
                stdin=theirs.fileno(),
                # Nothing the engine prints may end up among the answers.
                stdout=log,
                stderr=log,
                # Ctrl-C in our terminal is for us; the host must stay to be closed.
                start_new_session=True,
                umask=PRIVATE,
            )
        try:
            return self._opens()
        except StoreLocked:
            # Another program was quicker.
            return False

    def _opens(self) -> bool:
        """False where a process was reached that had just ended."""
        try:
            self.pid = self._ask("open", *self._opening)
        except _GoneError:
            if self._process is not None:
                raise self._ended("open") from None
            self._hang_up()
            return False
        except StoreError:
            self._hang_up(patience_s=_DYING_S)
            raise
        return True

    def _ask(self, operation: str, *arguments: object) -> Any:
        if self._line is None:
            raise StoreError("The index process is not running.")
        try:
            self._line.sendall(framed((operation, arguments)))
            with self._line.makefile("rb") as answers:
                answer = read_answer(answers)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise _GoneError from None
        except BaseException:
            # Interrupted between question and answer: the next question would get this one's answer.
            self._hang_up()
            raise
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _ended(self, operation: str) -> StoreError:
        code = self._hang_up(patience_s=_DYING_S)
        how = "another program had started it" if code is None else _how_it_ended(code)
        return StoreError(
            f"The index process ended unexpectedly ({how}) during {operation}; what was stored is safe, and the next "
            f"call starts a new one. Its last words, if any, are in {self._log}."
        )

    def _hang_up(self, patience_s: float = 0.0) -> int | None:
        """Let go of the process; one that is to end is waited for, and its exit status returned if it is our child."""
        line, process = self._line, self._process
        self._line = self._process = self.pid = None
        if line is not None:
            with line, suppress(OSError):
                if patience_s:
                    line.shutdown(socket.SHUT_WR)
                    line.settimeout(patience_s)
                    line.recv(1)
        _still_running[:] = [other for other in _still_running if other.poll() is None]
        if process is None:
            return None
        with suppress(subprocess.TimeoutExpired):
            return process.wait(patience_s)
        _still_running.append(process)
        return None


def _how_it_ended(code: int) -> str:
    if code == -signal.SIGBUS:
        return f"signal {signal.SIGBUS:d}, as where the disk is full"
    return f"signal {-code}" if code < 0 else f"exit status {code}"


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
