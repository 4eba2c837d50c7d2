"""The parent's end of the index process: started when needed, asked one thing at a time, replaced when it dies."""

import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from docmind.domain.errors import StoreError
from docmind.domain.private_files import PRIVATE, private_file, private_folder

_CLOSING_S = 30.0
_DYING_S = 10.0
"""A process that no longer answers may take this long to be gone, where it is heard how it ended."""


class HostProcess:
    """Thread-safe; every call waits for its answer."""

    def __init__(self, root: Path, *opening: object) -> None:
        self._opening = (root, *opening)
        self._log = root / "host.log"
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.closed = False
        with self._lock:
            self._start()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def call(self, operation: str, *arguments: object) -> Any:
        with self._lock:
            if self.closed:
                raise StoreError("The index is closed.")
            if self._process is None:
                self._start()
            return self._ask(operation, arguments)

    def close(self) -> None:
        with self._lock:
            if self._process is not None:
                with suppress(StoreError):
                    self._ask("close", ())
                self._end(patience_s=_CLOSING_S)
            self.closed = True

    def _start(self) -> None:
        private_folder(self._log.parent)
        with private_file(self._log).open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "docmind.corpus.index.embedded.host"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                # Ctrl-C in our terminal is for us; the host must stay to be closed.
                start_new_session=True,
                umask=PRIVATE,
            )
        try:
            self._ask("open", self._opening)
        except StoreError:
            self._end()
            raise

    def _ask(self, operation: str, arguments: tuple[object, ...]) -> Any:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise StoreError("The index process is not running.")
        try:
            pickle.dump((operation, arguments), process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)  # noqa: S301 -- the other end is this program
        except (OSError, EOFError, pickle.UnpicklingError):
            code = self._end(patience_s=_DYING_S)
            raise StoreError(
                f"The index process ended unexpectedly ({_how(code)}) during {operation}; what was stored is safe, "
                f"and the next call starts a new one. Its last words, if any, are in {self._log}."
            ) from None
        except BaseException:
            # Interrupted between question and answer: the next question would get this one's answer.
            self._end()
            raise
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _end(self, patience_s: float = 0.0) -> int:
        """Wait for the host to be gone, with force after a while, and return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience_s)
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        return process.wait()


def _how(code: int) -> str:
    if code == -signal.SIGBUS:
        return f"signal {signal.SIGBUS:d}, as where the disk is full"
    return f"signal {-code}" if code < 0 else f"exit status {code}"
