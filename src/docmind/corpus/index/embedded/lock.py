"""One process at a time in an embedded store, and a sentence for the second that says who is in there."""

import fcntl
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from docmind.corpus.index.embedded.durable_file import read_json, write_json
from docmind.domain.errors import StoreLocked

_RETRY_S = 0.05


@dataclass(frozen=True, slots=True)
class Holder:
    """The program that opened the store, as a person would look for it."""

    pid: int
    command: str
    since: str

    def lives(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return True


def acquire(root: Path, holder: Holder, patience_s: float = 30.0) -> int:
    """Lock `root` until this process ends, and return the descriptor that holds the lock.

    A holder that was killed is gone, but its index process needs a moment to notice, and on a busy machine several
    seconds: that moment is waited for.
    """
    descriptor = os.open(root / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = _recorded(root)
            if (other is not None and other.lives()) or time.monotonic() > deadline:
                os.close(descriptor)
                raise StoreLocked(_sentence(root, other)) from None
            time.sleep(_RETRY_S)
        else:
            write_json(root / "holder.json", asdict(holder))
            return descriptor


def _recorded(root: Path) -> Holder | None:
    content = read_json(root / "holder.json")
    return Holder(**content) if content else None


def _sentence(root: Path, holder: Holder | None) -> str:
    who = f"`{holder.command}` (process {holder.pid}, since {holder.since})" if holder else "another process"
    return (
        f"The index in {root} is in use by {who}: stop it, ask through its HTTP address if it serves one, "
        "or let several processes share a Qdrant server by setting DOCMIND_INDEX__URL."
    )
