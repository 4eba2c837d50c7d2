"""Sockets that are files, by which programs of one machine reach each other: who may open the folder may use them."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGEST = 100
"""Bytes of a socket's path: Linux takes 107, macOS 103."""
_WAITING = 128


def listen(path: Path) -> socket.socket | None:
    """Where programs come from now on; None where this file system has no sockets."""
    listener = socket.socket(socket.AF_UNIX)
    try:
        remove(path)
        with _address(path) as address:
            listener.bind(address)
        # Nobody can connect before it listens.
        path.chmod(0o600)
        listener.listen(_WAITING)
        listener.setblocking(False)
    except OSError:
        listener.close()
        return None
    return listener


def connect(path: Path) -> socket.socket | None:
    """A connection to whoever listens; None where nobody does, or nobody that this user may ask."""
    line = socket.socket(socket.AF_UNIX)
    try:
        with _address(path) as address:
            line.connect(address)
    except OSError:
        line.close()
        return None
    return line


def remove(path: Path) -> None:
    path.unlink(missing_ok=True)


@contextmanager
def _address(path: Path) -> Iterator[str]:
    """The socket's path, or one that leads there over a link where it is longer than a socket's path may be."""
    if len(os.fsencode(path)) <= _LONGEST:
        yield str(path)
        return
    # Seldom needed, and slow to import.
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="docmind-") as folder:
        link = Path(folder, "folder")
        link.symlink_to(path.parent)
        yield str(link / path.name)
