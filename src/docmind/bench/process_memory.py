"""What processes and everything they started hold of memory, and have taken of the processors.

Of memory counts what they cannot do without. Pages of files that are mapped do not count: the kernel takes them back
whenever something else needs the room. The kernel's own record of a finished process (`ru_maxrss`) does not serve: it
begins with the size of whoever started the process, and of several children it keeps the largest only.
"""

import os
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
    peak = 0.0
    while not ended.wait(_SAMPLE_EVERY_S):
        peak = max(peak, held_mb(pids))
    return peak


def held_mb(pids: Sequence[int]) -> float:
    """What they hold now; 0 where there is no /proc."""
    return sum(map(_private_kb, _family(pids))) / 1024


def cpu_seconds(pids: Sequence[int]) -> float:
    """What they have taken of the processors, with all that they started and that is still there; 0 without /proc."""
    return sum(map(_ticks, _family(pids))) / os.sysconf("SC_CLK_TCK")


def started() -> list[int]:
    """The processes that this one has started."""
    return _children(os.getpid())


def _family(pids: Sequence[int]) -> list[int]:
    """The processes and all that descend from them."""
    found = [*pids]
    for member in found:
        found.extend(_children(member))
    return found


def _children(pid: int) -> list[int]:
    listings = (_PROC / str(pid) / "task").glob("*/children")
    return [int(child) for listing in listings for child in _read(listing).split()]


def _ticks(pid: int) -> int:
    # The name of the program, which may hold anything, ends with the last bracket.
    user_and_system = _read(_PROC / str(pid) / "stat").rpartition(")")[2].split()[11:13]
    return sum(map(int, user_and_system))


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
