"""Copies of prepared stores: what takes long to make is made once, and each test changes a copy of its own."""

import errno
import os
import shutil
from pathlib import Path

from docmind.settings import Settings


def copied(store: Path, to: Path) -> Path:
    """A copy of a data folder with the holes left out: a small store takes hundreds of megabytes with them."""
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(store, to, copy_function=_copy_data, ignore=shutil.ignore_patterns("*.sock"))
    return to


def without_sockets(settings: Settings) -> None:
    """Let the index be as on a disk that has no sockets, so that one program at a time can have it."""
    (settings.home / "index" / "host.sock").mkdir(parents=True)


def _copy_data(source: str, target: str) -> str:
    with open(source, "rb", buffering=0) as read, open(target, "wb", buffering=0) as written:  # noqa: PTH123
        size = os.fstat(read.fileno()).st_size
        os.truncate(written.fileno(), size)
        start = 0
        while (start := _next_data(read.fileno(), start)) < size:
            end = os.lseek(read.fileno(), start, os.SEEK_HOLE)
            for at in range(start, end, 1 << 20):
                os.pwrite(written.fileno(), os.pread(read.fileno(), min(1 << 20, end - at), at), at)
            start = end
    shutil.copystat(source, target)
    return target


def _next_data(file: int, start: int) -> int:
    """Where data begins at or after `start`: at the end of the file if there is none."""
    try:
        return os.lseek(file, start, os.SEEK_DATA)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return os.fstat(file).st_size
