"""Runs the tests marked `services` with a real Qdrant, PostgreSQL, chat model and Ray, as far as they can be had here.

    python scripts/test_services.py [PYTEST ARGUMENT...]

A server of your own is used where DOCMIND_TEST_QDRANT_URL, DOCMIND_TEST_POSTGRES_URL, DOCMIND_TEST_CHAT_URL or
DOCMIND_TEST_RAY_URL names one. Tests of a server that cannot be had are skipped, and a line says why.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack

import fetch_qdrant
import postgres_server
import ray_cluster
import smollm2_server

Server = Callable[[], AbstractContextManager[str]]
"""Makes a server ready to be started; `LookupError` says why there can be none."""


def qdrant() -> AbstractContextManager[str]:
    launcher = fetch_qdrant.emulator()
    fetch_qdrant.fetch()
    return fetch_qdrant.served(launcher)


def postgres() -> AbstractContextManager[str]:
    return postgres_server.served(postgres_server.find_programs())


def chat() -> AbstractContextManager[str]:
    smollm2_server.fetch()
    return smollm2_server.served()


def ray() -> AbstractContextManager[str]:
    ray_cluster.require_ray()
    return ray_cluster.served()


SIDE_BY_SIDE = ("--numprocesses", "auto", "--dist", "loadfile")
SERVERS: dict[str, tuple[str, Server]] = {
    "Qdrant": ("DOCMIND_TEST_QDRANT_URL", qdrant),
    "PostgreSQL": ("DOCMIND_TEST_POSTGRES_URL", postgres),
    "chat model": ("DOCMIND_TEST_CHAT_URL", chat),
    "Ray": ("DOCMIND_TEST_RAY_URL", ray),
}


def main(arguments: list[str]) -> int:
    with ExitStack() as running:
        addresses = {}
        for name, (variable, server) in SERVERS.items():
            if os.environ.get(variable):
                addresses[variable] = os.environ[variable]
                continue
            try:
                addresses[variable] = running.enter_context(server())
            except LookupError as reason:
                print(f"No {name} server for tests here: {reason.args[0]}", file=sys.stderr)
        if not addresses:
            print("No server at all, so no test of one was run.", file=sys.stderr)
            return 0
        command = [sys.executable, "-m", "pytest", "-m", "services", *SIDE_BY_SIDE, *arguments]
        return subprocess.run(command, env={**os.environ, **addresses}, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
