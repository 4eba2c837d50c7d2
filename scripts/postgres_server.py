"""A real PostgreSQL server for the tests marked `services`: an empty cluster on loopback, as long as it is needed."""

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docmind.bench.qdrant_server import NOBODY, free_ports

# Debian keeps a server's programs off the path, a folder a version.
DEBIAN = Path("/usr/lib/postgresql")
STARTING_S = 60.0


def find_programs() -> Path:
    """The folder with `initdb` and `postgres`."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    versions = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda initdb: float(initdb.parent.parent.name))
    if not versions:
        raise LookupError(
            "its programs are not installed (Debian's package is postgresql); "
            "set DOCMIND_TEST_POSTGRES_URL to a server of your own instead."
        )
    return versions[-1].parent


@contextmanager
def served(programs: Path) -> Iterator[str]:
    """The address of a server with an empty database, as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="docmind-postgres-") as folder:
        password, (port,) = secrets.token_hex(), free_ports(1)
        secret = Path(folder, "password")
        secret.write_text(password)
        # PostgreSQL refuses to run as root.
        user = NOBODY if os.geteuid() == 0 else None
        if user:
            os.chown(folder, user, user)
            os.chown(secret, user, user)

        def start(program: str, *arguments: str) -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                [programs / program, "-D", f"{folder}/cluster", *arguments],
                cwd=folder,
                user=user,
                group=user,
                extra_groups=[] if user else None,
                stdout=subprocess.DEVNULL,
            )

        secured = ("--username=docmind", f"--pwfile={secret}", "--auth=scram-sha-256")
        if start("initdb", *secured, "--encoding=UTF8", "--locale=C", "--no-sync").wait():
            raise SystemExit("PostgreSQL's initdb failed.")
        # What is not on loopback is not there, and nothing here has to survive a power cut.
        only = (
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            f"port={port}",
            "fsync=off",
            "log_min_messages=fatal",
        )
        server = start("postgres", *(part for setting in only for part in ("-c", setting)))
        try:
            wait_until_ready([programs / "pg_isready", "--quiet", "--host=127.0.0.1", f"--port={port}"], server)
            yield f"postgresql://docmind:{password}@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


def wait_until_ready(ask: list[Path | str], server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + STARTING_S
    while server.poll() is None and time.monotonic() < deadline:
        if subprocess.run(ask, check=False).returncode == 0:
            return
        time.sleep(0.1)
    raise SystemExit("The PostgreSQL server did not start.")
