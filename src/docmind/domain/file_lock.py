"""A lock that all programs of this machine share, with their threads: free at once when whoever has it is killed."""

import fcntl
import os
import threading
from pathlib import Path

from docmind.domain.private_files import private_file


class FileLock:
    """Held by one thread at a time; `with` waits for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._here = threading.Lock()
        self._descriptor = -1

    def acquire(self, *, wait: bool = True) -> bool:
        """True once it is held here; False at once where it is held elsewhere and this is not to wait."""
        if not self._here.acquire(blocking=wait):
            return False
        try:
            self._descriptor = os.open(private_file(self._path), os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            self._let_go()
            return False
        except BaseException:
            self._let_go()
            raise
        return True

    def release(self) -> None:
        try:
            # A process forked meanwhile has the lock as well, and closing alone would leave it to that.
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        finally:
            self._let_go()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def _let_go(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
        self._here.release()
