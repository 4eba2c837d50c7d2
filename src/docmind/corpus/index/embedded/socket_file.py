"""The socket in the index's folder by which programs reach the index process; who may open the folder may use it."""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = "host.sock"
_LONGEST = 100
"""Bytes of a socket's path: Linux takes 107, macOS 103."""
_WAITING = 128


def listen(root: Path) -> socket.socket | None:
    """Where programs come from now on; None where this file system has no sockets."""
    listener = socket.socket(socket.AF_UNIX)
    try:
        remove(root)
        with _address(root) as address:
            listener.bind(address)
        (root / _NAME).chmod(0o600)
        listener.listen(_WAITING)
        listener.setblocking(False)
    except OSError:
        listener.close()
        return None
    return listener


def connect(root: Path) -> socket.socket | None:
    """A connection to the index process; None where nothing listens, or nothing that this user may ask."""
    line = socket.socket(socket.AF_UNIX)
    try:
        with _address(root) as address:
            line.connect(address)
    except OSError:
        line.close()
        return None
    return line


def remove(root: Path) -> None:
    (root / _NAME).unlink(missing_ok=True)


@contextmanager
def _address(root: Path) -> Iterator[str]:
    """The socket's path, or one that leads there over a link where it is longer than a socket's path may be."""
    path = root / _NAME
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    with tempfile.TemporaryDirectory(prefix="docmind-") as folder:
        link = Path(folder, "index")
        link.symlink_to(root)
        yield str(link / _NAME)
