"""The service as a person starts and stops it."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

DocMind = Callable[..., Any]


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running program, and the address it says it listens on."""
    command = [str(Path(sys.executable).with_name("docmind")), "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("DocMind listens on http://"), process.communicate()
            yield process, line.split()[3]
        finally:
            process.kill()


@pytest.mark.parametrize(("stop", "host"), [(signal.SIGINT, "127.0.0.1"), (signal.SIGTERM, "localhost")])
def test_it_says_where_it_listens_answers_there_and_stops_when_told(filled: DocMind, stop: int, host: str) -> None:
    with started("--host", host) as (process, address):
        assert address.startswith(f"http://{host}:")
        with httpx.Client(base_url=address, timeout=None, trust_env=False) as client:
            assert client.get("/readyz").json() == {"status": "ready"}
            hits = client.post("/v1/search", json={"query": "purchase of the Halden mill"}).json()["hits"]
            assert "14.2 million euros" in hits[0]["text"]
        # Another command is told that the service holds the index.
        refused = filled("search", "Halden")
        assert refused.code == 1
        assert f"is in use by `docmind serve` (process {process.pid}, " in refused.err
        assert "ask through its HTTP address" in refused.err
        os.kill(process.pid, stop)
        assert process.communicate() == ("Stopped.\n", "")
    assert process.returncode == 0
    assert filled("search", "Halden").code == 0


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "papers.example", ""])
def test_an_address_that_others_can_reach_is_refused(docmind: DocMind, host: str) -> None:
    refused = docmind("serve", "--host", host)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("docmind: Invalid value for --host: there are no keys yet, so only this machine")
    assert refused.err.count("\n") == 1


def test_with_a_key_it_may_listen_where_others_can_reach_it(filled: DocMind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_SERVER__HOSTS", "docs.example.org")
    key = filled("keys", "create", "--workspace", "default").out.strip()
    with started("--host", "0.0.0.0") as (process, address):
        here = address.replace("0.0.0.0", "127.0.0.1")
        with httpx.Client(base_url=here, timeout=None, trust_env=False, headers={"Host": "docs.example.org"}) as client:
            assert client.get("/v1/documents").status_code == 401
            assert client.get("/v1/documents", headers={"Authorization": f"Bearer {key}"}).status_code == 200
            filled("keys", "revoke", key.split("_")[1])
            assert client.get("/v1/documents", headers={"Authorization": f"Bearer {key}"}).status_code == 401
        process.terminate()
        assert process.communicate() == ("Stopped.\n", "")


def test_several_workers_on_the_embedded_index_are_refused(docmind: DocMind) -> None:
    refused = docmind("serve", "--workers", "2")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("docmind: The embedded index belongs to one process, so there can be one worker.")
    assert refused.err.count("\n") == 1


def test_a_port_that_is_taken_is_one_line(docmind: DocMind) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = docmind("serve", "--port", str(port))
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        f"docmind: Invalid value for --port: another program listens on {port} already; stop it or choose another. "
        "See `docmind serve --help`.\n"
    )


def test_a_store_that_cannot_be_opened_is_one_line(docmind: DocMind, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "catalogue.db").write_bytes(b"not a database" * 1000)
    refused = docmind("serve", "--port", "0")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("docmind: The catalogue of documents is damaged")
    assert refused.err.count("\n") == 1
