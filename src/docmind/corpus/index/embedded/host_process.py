"""A program's end of the index process: reached or started, asked one thing at a time, and replaced when it dies."""

import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from docmind.corpus.index.embedded import lock
from docmind.corpus.index.embedded.wire import PROTOCOL_VERSION, SOCKET, framed, read_answer
from docmind.domain import socket_file
from docmind.domain.errors import StoreError, StoreLocked
from docmind.domain.private_files import PRIVATE, private_file, private_folder

_CLOSING_S = 30.0
_DYING_S = 10.0
"""A process that no longer answers may take this long to be gone, where it is heard how it ended."""
_COMING_S = 30.0
"""One that another program starts may take this long to answer, and one whose programs are gone to end."""
_AGAIN_S = 0.05

_left: list[subprocess.Popen[bytes]] = []
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
            time.sleep(_AGAIN_S)

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
        how = "another program had started it" if code is None else _how(code)
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
        _left[:] = [other for other in _left if other.poll() is None]
        if process is None:
            return None
        with suppress(subprocess.TimeoutExpired):
            return process.wait(patience_s)
        _left.append(process)
        return None


def _how(code: int) -> str:
    if code == -signal.SIGBUS:
        return f"signal {signal.SIGBUS:d}, as where the disk is full"
    return f"signal {-code}" if code < 0 else f"exit status {code}"
