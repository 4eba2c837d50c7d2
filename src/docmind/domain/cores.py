"""How many cores this process may use, which in a container or under `taskset` is fewer than the machine has."""

import os


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
