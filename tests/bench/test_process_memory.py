"""What a process takes counts with what its children take."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from docmind.bench.process_memory import cpu_seconds, peak_mb_while

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


COUNTING = "import time\nwhile time.process_time() < 0.2: pass\nprint('counted', flush=True); input()"
STARTER = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {COUNTING!r}])"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc to read times from")
def test_the_time_that_a_child_process_takes_counts() -> None:
    with subprocess.Popen([sys.executable, "-c", STARTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"counted\n"
        taken = cpu_seconds([process.pid])
        process.stdin.write(b"\n")
    assert taken >= 0.2
