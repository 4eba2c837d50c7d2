"""Files of this machine: closed to others, whole after a crash, and locked by one program at a time."""

import fcntl
import json
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from docmind.domain.errors import StoreError

PRIVATE = 0o077
"""What others may not do, as a process's `umask` says it."""
_SQLITE_BESIDE = ("-wal", "-shm", "-journal")
"""SQLite gives these the permissions of their database, unless they were there before."""


def private_file(file: Path) -> Path:
    """The file, there and closed to others, and so is its folder.

    It may be a database of SQLite: one that is there is not opened here, which would end this process's locks on it.
    """
    make_folder(file.parent)
    _close(file.parent)
    # Where it cannot be made, whoever opens it says why.
    with suppress(OSError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for each in (file, *(file.with_name(file.name + beside) for beside in _SQLITE_BESIDE)):
        _close(each)
    return file


def private_folder(folder: Path) -> Path:
    """The folder, there and closed to others; one that was open to them is closed with everything in it."""
    make_folder(folder)
    _close(folder.parent)
    if _close(folder):
        for at, folders, files in os.walk(folder):
            for name in (*folders, *files):
                _close(Path(at, name))
    return folder


def make_folder(folder: Path) -> None:
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _close(path: Path) -> bool:
    """Take from others what they may do; returns whether they could do anything."""
    # What is somebody else's, or on a disk that cannot be written to, stays as it is.
    with suppress(OSError):
        mode = path.lstat().st_mode
        # A place that everybody may write to, such as /tmp, is not ours to close.
        if mode & PRIVATE and not path.is_symlink() and not mode & 0o1000:
            path.chmod(mode & 0o7777 & ~PRIVATE)
            return True
    return False


def write_json(path: Path, content: Mapping[str, object]) -> None:
    draft = private_file(path.with_name(path.name + ".draft"))
    with draft.open("w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    sync_folder(path.parent)


def read_json(path: Path) -> dict[str, Any] | None:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise StoreError(f"{path} is damaged ({error}): put a copy of it back, or move its folder away.") from error
    return content


def sync_folder(folder: Path) -> None:
    """A rename is durable once the folder that holds the name is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
