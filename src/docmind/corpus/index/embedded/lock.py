"""One index process at a time in an embedded store, and a sentence for a program that cannot reach the one there is."""

import fcntl
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from docmind.domain.errors import StoreLocked
from docmind.domain.files import read_json, write_json

_RETRY_S = 0.02
_PROBED_S = 1.0
"""Whoever looks whether the lock is free has it for a moment."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The program that started the index process, as a person would look for it."""

    pid: int
    command: str
    since: str
    reachable: bool = False
    """Whether its index process answers other programs too."""

    def lives(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return True


def acquire(root: Path) -> int:
    """Lock `root` until this process ends, and return the descriptor that holds the lock."""
    descriptor = _open(root)
    deadline = time.monotonic() + _PROBED_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise refusal(root) from None
            time.sleep(_RETRY_S)
        else:
            return descriptor


def is_free(root: Path) -> bool:
    """Whether there is no index process at the moment."""
    descriptor = _open(root)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def record(root: Path, holder: Holder) -> None:
    write_json(root / "holder.json", asdict(holder))


def is_unreachable(root: Path) -> bool:
    """Whether the index process there is will never answer another program."""
    holder = _recorded(root)
    return holder is not None and not holder.reachable and holder.lives()


def refusal(root: Path) -> StoreLocked:
    holder = _recorded(root)
    who = f"`{holder.command}` (process {holder.pid}, since {holder.since})" if holder else "another program"
    return StoreLocked(
        f"The index in {root} is in use by {who}, and cannot be shared with it: the folder's disk has no sockets, or "
        "the program runs on another machine or is of another version. Stop it, or let programs share a Qdrant server "
        "by setting DOCMIND_INDEX__URL."
    )


def _open(root: Path) -> int:
    return os.open(root / "lock", os.O_RDWR | os.O_CREAT, 0o600)


def _recorded(root: Path) -> Holder | None:
    content = read_json(root / "holder.json")
    return Holder(**content) if content else None
