"""Several workers as processes: one address, one list of keys, one set of counts, and no worker left behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from docmind.settings import ModelSettings, Settings

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds processes by what Linux tells of them")

PROGRAM = """
import signal, socket, sys
from docmind.server.workers import run_workers

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with socket.socket(fileno=int(sys.argv[1])) as listener:
        try:
            run_workers(int(sys.argv[2]), listener)
        except KeyboardInterrupt:
            print("Stopped.")
"""
CHOICES = {"DOCMIND_MODELS__EMBEDDER": "static"}
Service = tuple[subprocess.Popen[str], httpx.Client]


def children(process: int) -> set[int]:
    """The workers of a service: those of its children that serve, and not the one that tracks what they share."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
            command = (status.parent / "cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if lines["PPid"] == str(process) and "spawn_main" in command and lines["State"][0] != "Z":
            found.add(int(lines["Pid"]))
    return found


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def serving_with_workers(root: Path, count: int) -> Iterator[Service]:
    (root / "serving.py").write_text(PROGRAM)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        process = subprocess.Popen(
            [sys.executable, "serving.py", str(listener.fileno()), str(count)],
            cwd=root,
            env={**os.environ, **CHOICES, "DOCMIND_DATA_DIR": str(root / "data")},
            pass_fds=[listener.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with process, httpx.Client(base_url=address, timeout=None, trust_env=False) as client:
        try:
            assert client.get("/healthz").status_code == 200
            yield process, client
        finally:
            process.kill()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("workers")


@pytest.fixture(scope="module")
def service(root: Path) -> Iterator[Service]:
    """Starting takes longer than anything that is tested, so one service does for all; the last test stops it."""
    with serving_with_workers(root, 2) as started:
        yield started


def requests_counted(client: httpx.Client) -> float:
    families = text_string_to_metric_families(client.get("/metrics", headers={"Connection": "close"}).text)
    samples = [sample for family in families for sample in family.samples]
    return sum(
        one.value for one in samples if one.name == "docmind_requests_total" and one.labels["route"] == "/healthz"
    )


def test_workers_answer_count_and_keep_keys_together(service: Service, root: Path) -> None:
    process, client = service
    assert len(children(process.pid)) == 2
    for _ in range(30):
        assert client.get("/healthz", headers={"Connection": "close"}).status_code == 200
    assert requests_counted(client) == 31
    with DocMind(Settings(data_dir=root / "data")) as engine:
        made, token = engine.keys.create(Role.READER, workspace="w", per_minute=2)
        key = {"Authorization": f"Bearer {token}", "Connection": "close"}
        statuses = [client.get("/v1/documents", headers=key).status_code for _ in range(12)]
        assert statuses.count(200) == 2
        assert {*statuses} == {200, 429}
        engine.keys.revoke(made.id)
    assert {client.get("/v1/documents", headers=key).status_code for _ in range(10)} == {401}


def test_workers_share_the_embedded_index_with_each_other_and_with_programs_beside_them(
    service: Service, root: Path, tmp_path: Path
) -> None:
    _, client = service
    paper = tmp_path / "hall.md"
    paper.write_text("# Hall\n\nThe lease of the hall ends in May.\n")
    chosen = Settings(data_dir=root / "data", models=ModelSettings(embedder="static"))
    with DocMind(chosen) as engine:
        _, token = engine.keys.create(Role.READER, workspace="w")
        key = {"Authorization": f"Bearer {token}", "Connection": "close"}
        asked = {"query": "When does the lease end?", "workspace": "w"}
        for count in (0, 1):
            answers = [client.post("/v1/search", json=asked, headers=key).json() for _ in range(12)]
            assert [len(answer["hits"]) for answer in answers] == [count] * 12
            engine.ingest([paper], Scope("w"))


def test_a_worker_that_dies_is_replaced(service: Service) -> None:
    process, client = service
    first = children(process.pid)
    died = min(first)
    os.kill(died, signal.SIGKILL)
    while len(now := children(process.pid)) < 2 or died in now:
        time.sleep(0.05)
    assert client.get("/healthz", headers={"Connection": "close"}).status_code == 200


def test_told_to_stop_it_stops_with_all_its_workers(service: Service) -> None:
    process, _ = service
    workers = children(process.pid)
    process.send_signal(signal.SIGTERM)
    said, complained = process.communicate()
    assert said == "Stopped.\n"
    assert complained.count("\n") == 1
    assert "A worker died" in complained
    assert not any(is_there(worker) for worker in workers)


def test_killed_it_leaves_no_worker_behind(tmp_path: Path) -> None:
    with serving_with_workers(tmp_path, 1) as (process, _):
        workers = children(process.pid)
        process.kill()
        process.communicate()
    while any(is_there(worker) for worker in workers):
        time.sleep(0.05)
