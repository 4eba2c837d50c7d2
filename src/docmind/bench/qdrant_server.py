"""A Qdrant server that runs while a benchmark or a test needs it: empty, on this machine alone, and never as root."""

import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docmind.domain.errors import BenchError

COLLECTION = "docmind"
NOBODY = 65534
STARTING_S = 120.0
_QUIET = 3
"""A server that has just stored something may look idle for a moment before it begins to index."""
# Loopback is never reached through a proxy, whatever the environment says.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    pid: int
    storage: Path


@contextmanager
def served(command: Sequence[str]) -> Iterator[Server]:
    """The command's server with an empty storage, as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="docmind-qdrant-") as folder:
        port, grpc_port = free_ports(2)
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "QDRANT__SERVICE__HOST": "127.0.0.1",
            "QDRANT__SERVICE__HTTP_PORT": str(port),
            "QDRANT__SERVICE__GRPC_PORT": str(grpc_port),
            "QDRANT__STORAGE__STORAGE_PATH": f"{folder}/storage",
            "QDRANT__STORAGE__SNAPSHOTS_PATH": f"{folder}/snapshots",
            "QDRANT__TELEMETRY_DISABLED": "true",
            "QDRANT__LOG_LEVEL": "WARN",
        }
        user: int | None = None
        if os.geteuid() == 0:
            user = NOBODY
            os.chown(folder, NOBODY, NOBODY)
        server = subprocess.Popen(  # noqa: S603 - whoever runs a benchmark chose the program
            [*command, "--disable-telemetry"],
            cwd=folder,
            env=environment,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            stdout=subprocess.DEVNULL,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_until_ready(url, server)
            yield Server(url, server.pid, Path(folder, "storage"))
        finally:
            server.kill()
            server.wait()


def wait_until_indexed(url: str) -> None:
    """Until the server has built what makes search quick, which it does by itself after it was written to."""
    quiet = 0
    while quiet < _QUIET:
        time.sleep(0.2)
        with _DIRECT.open(f"{url}/collections/{COLLECTION}", timeout=60) as answer:
            quiet = quiet + 1 if json.load(answer)["result"]["status"] == "green" else 0


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports: list[int] = [listener.getsockname()[1] for listener in sockets]
    for listener in sockets:
        listener.close()
    return ports


def _wait_until_ready(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + STARTING_S
    while server.poll() is None and time.monotonic() < deadline:
        try:
            _DIRECT.open(f"{url}/readyz", timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    raise BenchError("The Qdrant server did not start.")
