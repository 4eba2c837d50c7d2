"""Starts a Ray cluster of two cores on this machine for tests, and ends it with all it started."""

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docmind.bench.qdrant_server import free_ports

OBJECTS_BYTES = 100 << 20
"""Enough for the files of a test."""
STARTED = "Ray runtime started"


def require_ray() -> None:
    if importlib.util.find_spec("ray") is None:
        raise LookupError("it is not installed (`pip install 'docmind[ray]'`).")


@contextmanager
def served() -> Iterator[str]:
    """The address of a cluster, as long as the block runs."""
    # Paths of sockets lie below this folder, and systems allow them little more than a hundred characters.
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp") as folder:
        gcs, client, agent = free_ports(3)
        command = [
            str(Path(sys.executable).with_name("ray")),
            *("start", "--head", "--block", "--num-cpus=2", "--node-ip-address=127.0.0.1", f"--port={gcs}"),
            *(f"--ray-client-server-port={client}", f"--dashboard-agent-listen-port={agent}"),
            # Above what the system hands out by itself, so that no worker is given the port of somebody else.
            *("--min-worker-port=0", "--max-worker-port=0", "--include-dashboard=false", "--disable-usage-stats"),
            *(f"--object-store-memory={OBJECTS_BYTES}", f"--temp-dir={folder}"),
        ]
        cluster = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_without_color(), process_group=0)
        try:
            if not any(STARTED in line for line in cluster.stdout or ()):
                raise SystemExit("The Ray cluster did not start.")
            yield f"127.0.0.1:{gcs}"
        finally:
            cluster.send_signal(signal.SIGTERM)
            cluster.communicate()


def _without_color() -> dict[str, str]:
    return {**os.environ, "RAY_COLOR_MODE": "false", "RAY_USAGE_STATS_ENABLED": "0"}
