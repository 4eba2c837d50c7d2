"""What a process that reads files may not do: a file that takes it over finds no network and little room."""

import ctypes
import os
import resource
import shutil
import signal
import sys
from contextlib import suppress
from functools import partial

MEMORY_LIMIT = 4 << 30
"""Address space a reader may take; a file that needs more is refused."""
_LIMITS = {
    resource.RLIMIT_AS: MEMORY_LIMIT,
    # Readers write nothing but what Python keeps of modules that it has compiled.
    resource.RLIMIT_FSIZE: 8 << 20,
    resource.RLIMIT_NOFILE: 256,
    resource.RLIMIT_CORE: 0,
}
_REFUSED = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "pty.")
"""Beginnings of what Python calls these deeds."""
RECOGNISER = "tesseract"
"""The one program that a reader may start."""
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SIGNAL_AT_PARENTS_END = 1
"""As Linux numbers the kinds of namespaces, and what a process can ask about itself."""


def confine() -> None:
    """Give up what reading needs none of, for good; to be called before there is a second thread."""
    for kind, most in _LIMITS.items():
        _, hard = resource.getrlimit(kind)
        lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # Not every system knows every limit.
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (lowest, lowest))
    _leave_network()
    end_with_parent()
    sys.addaudithook(partial(_refuse, shutil.which(RECOGNISER)))


def _leave_network() -> None:
    """Go where there is no network, if the system lets this process: Linux does, unless it was told not to."""
    # An administrator's rights over others' files would be lost with a user namespace.
    kinds = _NEW_NETWORK if os.geteuid() == 0 else _NEW_NETWORK | _NEW_USER
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).unshare(kinds)


def end_with_parent() -> None:
    """Have Linux end this process with the thread that started it; a parser that is busy looks at no pipe."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_SIGNAL_AT_PARENTS_END, signal.SIGKILL)


def _refuse(allowed: str | None, event: str, arguments: tuple[object, ...]) -> None:
    """Whatever the system allows, Python itself opens no socket and starts no program but the one for scanned pages.

    That one has no more rights than the process that starts it, and comes from where it lay before the first file.
    """
    if event == "subprocess.Popen" and allowed is not None and arguments[0] == allowed:
        return
    if event.startswith(_REFUSED):
        raise PermissionError(f"a reader may not do {event}")
