"""Folders and files that only their owner may read: what people bring in and ask is nobody else's on the machine."""

import os
from contextlib import suppress
from pathlib import Path

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
