"""How much memory processes and everything they started hold: what they cannot do without.

Pages of files that are mapped do not count: the kernel takes them back whenever something else needs the room.
The kernel's own record of a finished process (`ru_maxrss`) does not serve: it begins with the size of whoever started
the process, and of several children it keeps the largest only.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

_PROC = Path("/proc")
_SAMPLE_EVERY_S = 0.1


def peak_mb_while(pids: Sequence[int], ended: threading.Event) -> float | None:
    """Watch until the event is set; None where there is no /proc."""
    if not (_PROC / "self" / "status").exists():
        ended.wait()
        return None
    peak = 0
    while not ended.wait(_SAMPLE_EVERY_S):
        peak = max(peak, sum(map(_private_kb, _family(pids))))
    return peak / 1024


def _family(pids: Sequence[int]) -> list[int]:
    """The processes and all that descend from them."""
    found = [*pids]
    for member in found:
        for listing in (_PROC / str(member) / "task").glob("*/children"):
            found.extend(map(int, _read(listing).split()))
    return found


def _private_kb(pid: int) -> int:
    for line in _read(_PROC / str(pid) / "status").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    return 0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        # It ended while it was being looked at.
        return ""
