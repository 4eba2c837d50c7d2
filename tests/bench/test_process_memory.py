"""The memory of a process counts with that of its children."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from docmind.bench.process_memory import peak_mb_while

# A parent that stays small and a child that fills 200 MB; each line it prints comes once the memory is taken.
CHILD = "data = b'x' * (200 << 20); print('full', flush=True); input()"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CHILD!r}])"


class OnceLooked(threading.Event):
    """Set as soon as the memory was looked at once."""

    def wait(self, timeout: float | None = None) -> bool:
        was_set = self.is_set()
        self.set()
        return was_set


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no /proc to read memory from")
def test_memory_of_a_child_process_counts() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"full\n"
        peak = peak_mb_while([process.pid], OnceLooked())
        process.stdin.write(b"\n")
    assert peak is not None
    assert peak > 200
