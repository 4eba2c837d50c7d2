"""The service as a person starts and stops it."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
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
        beside = filled("search", "Halden")
        os.kill(process.pid, stop)
        assert process.communicate() == ("Stopped.\n", "")
    assert process.returncode == 0
    assert filled("search", "Halden") == beside


def test_a_run_that_a_stop_interrupts_is_on_record_and_goes_on_when_the_service_is_back(
    filled: DocMind, monkeypatch: pytest.MonkeyPatch, chat_server: Any
) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", f"{chat_server.url}#m")
    asked = {"question": "What did the board pay for the Halden mill?"}
    chat_server.play(chat_server.hangs())
    with ThreadPoolExecutor(1) as thread, started() as (process, address):
        answer = thread.submit(httpx.post, f"{address}/v1/ask", json=asked, timeout=None, trust_env=False)
        while not chat_server.requests:
            time.sleep(0.02)
        begun = time.monotonic()
        process.terminate()
        told = answer.result().json()
        assert process.communicate() == ("Stopped.\n", "")
        assert time.monotonic() - begun < 30
    assert (told["status"], told["code"]) == (503, "busy")
    run = told["detail"].removeprefix("The service is stopping. Run ").partition(" ")[0]
    chat_server.play(chat_server.fails(400))
    with started() as (_process, address), httpx.Client(base_url=address, timeout=None, trust_env=False) as client:
        assert client.get(f"/v1/runs/{run}").json()["state"] == "stopped"
        assert "14.2 million euros" in client.post(f"/v1/runs/{run}/resume", json={}).json()["answer"]


@pytest.mark.skipif(sys.platform != "linux", reason="finds the reader by what Linux tells of processes")
def test_a_stop_waits_for_nothing_that_takes_too_long(filled: DocMind) -> None:
    long = b"".join(b"## Part %d\n\nThe budget is EUR %d.\n\n" % (n, n) for n in range(300_000))
    with ThreadPoolExecutor(1) as thread, started() as (process, address):
        sent: dict[str, Any] = {"files": [("files", ("long.md", long))], "timeout": None, "trust_env": False}
        upload = thread.submit(httpx.post, f"{address}/v1/documents", **sent)
        while (reader := reader_of(process.pid)) is None or processor_time(reader) < 1:
            time.sleep(0.02)
        os.kill(reader, signal.SIGSTOP)
        begun = time.monotonic()
        process.terminate()
        _, told = process.communicate(timeout=60)
        assert 10 < time.monotonic() - begun < 40
        assert process.returncode == 0
        assert told.endswith("What was under way has not ended in time and is left as it stands.\n")
        assert upload.result().status_code == 500
    while reader_of(process.pid) == reader:
        time.sleep(0.02)
    assert len(json.loads(filled("documents", "--json").out)) == 3


def reader_of(service: int) -> int | None:
    """The process that reads a file for a service."""
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(FileNotFoundError, ProcessLookupError):
            if f"\nPPid:\t{service}\n" in status.read_text():
                command = (status.parent / "cmdline").read_text()
                if "docmind.corpus.readers" in command:
                    return int(status.parent.name)
    return None


def processor_time(process: int) -> float:
    ticks = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11]
    return int(ticks) / os.sysconf("SC_CLK_TCK")


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


def test_a_port_that_is_taken_is_one_line(docmind: DocMind) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        refused = docmind("serve", "--port", str(port))
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        f"docmind: Invalid value for --port: port {port} is already in use by another program; stop it or choose "
        "another. See `docmind serve --help`.\n"
    )


def test_a_store_that_cannot_be_opened_is_one_line(docmind: DocMind, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "catalogue.db").write_bytes(b"not a database" * 1000)
    refused = docmind("serve", "--port", "0")
    assert refused.code == 1
    assert "Stopped." not in refused.out
    assert refused.err.startswith("docmind: The catalogue of documents is damaged")
    assert refused.err.count("\n") == 1


@pytest.mark.fault(
    "two at once",
    "A backup that is made, and one that is restored, while the service runs",
    left="Every request is answered, from the old data or from the new",
    seen="The service makes room by itself once the new data are ready; whoever asks meanwhile waits a moment",
)
def test_a_backup_is_made_and_restored_while_the_service_runs(
    filled: DocMind, program: DocMind, tmp_path: Path
) -> None:
    backup = tmp_path / "all.docmind"
    stop = threading.Event()
    with started() as (process, address), httpx.Client(base_url=address, timeout=None, trust_env=False) as client:

        def names() -> list[str]:
            return [one["name"] for one in client.get("/v1/documents").json()["documents"]]

        before = names()
        assert program("backup", backup).code == 0
        client.post("/v1/documents", files=[("files", ("later.md", b"# Later\n\nIt came later.\n"))]).raise_for_status()
        assert sorted(names()) == sorted([*before, "later.md"])

        def ask() -> list[int]:
            statuses = []
            while not stop.is_set():
                # A connection of its own: those that are open end with the old data.
                statuses.append(httpx.get(f"{address}/v1/documents", timeout=None, trust_env=False).status_code)
            return statuses

        with ThreadPoolExecutor(1) as thread:
            asking = thread.submit(ask)
            try:
                restored = program("restore", backup, "--force")
            finally:
                stop.set()
            assert restored.code == 0, restored.err
            assert set(asking.result()) == {200}
        assert names() == before
        hits = client.post("/v1/search", json={"query": "purchase of the Halden mill"}).json()["hits"]
        assert "14.2 million euros" in hits[0]["text"]
        os.kill(process.pid, signal.SIGTERM)
        told = process.communicate()
    assert (process.returncode, told[0]) == (0, "Stopped.\n")
    assert "A backup is being restored" in told[1]
