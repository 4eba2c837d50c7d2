"""Two machines of a service on one Qdrant server and one PostgreSQL, one of them with two workers, asked over HTTP."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from docmind.settings import Settings
from tests.server.conftest import eventually

pytestmark = pytest.mark.services

MINUTES = b"# Minutes\n\nThe board approved the purchase of the Halden mill for 14.2 million euros.\n"
ANEW = {"Connection": "close"}
"""A new connection goes to any of the workers."""


@contextmanager
def machine(folder: Path, *options: str) -> Iterator[httpx.Client]:
    """The program as it is started, with a disk of its own."""
    command = [str(Path(sys.executable).with_name("docmind")), "serve", "--port", "0", *options]
    environment = {**os.environ, "DOCMIND_DATA_DIR": str(folder)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("DocMind listens on http://"), line
            with httpx.Client(base_url=line.split()[3], timeout=None, trust_env=False, headers=ANEW) as client:
                yield client
            process.terminate()
            assert process.stdout.read() == "Stopped.\n"
        finally:
            process.kill()


@pytest.fixture
def machines(
    qdrant_url: str, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[httpx.Client]]:
    monkeypatch.setenv("DOCMIND_INDEX__URL", qdrant_url)
    monkeypatch.setenv("DOCMIND_DATABASE__URL", postgres_url)
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    monkeypatch.setenv("DOCMIND_INGEST__WORKERS", "1")
    with ExitStack() as running:
        yield [
            running.enter_context(machine(tmp_path / "one", "--workers", "2")),
            running.enter_context(machine(tmp_path / "other")),
        ]


def ask(client: httpx.Client, key: dict[str, str]) -> dict[str, Any]:
    answer = client.post("/v1/ask", json={"question": "How much did the Halden mill cost?"}, headers=key)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_what_one_worker_takes_in_every_worker_of_every_machine_answers_from(
    machines: list[httpx.Client], tmp_path: Path
) -> None:
    one, other = machines
    workspace = f"w-{uuid.uuid4().hex[:12]}"
    with DocMind(Settings.load(data_dir=tmp_path / "desk")) as desk:
        made, token = desk.keys.create(Role.EDITOR, workspace=workspace)
        key = {"Authorization": f"Bearer {token}"}
        assert {client.get("/v1/documents").status_code for client in machines} == {401}
        sent = one.post("/v1/documents", files={"files": ("minutes.md", MINUTES)}, headers=key)
        assert [row["outcome"] for row in sent.json()["files"]] == ["added"], sent.text
        answers = [ask(client, key) for client in (one, one, one, one, other)]
        assert all("14.2 million euros" in answer["answer"] for answer in answers)
        (cited,) = {citation["document"] for answer in answers for citation in answer["citations"]}
        for client in machines:
            listed = client.get("/v1/runs", headers=key).json()["runs"]
            assert {run["id"] for run in listed} == {answer["run_id"] for answer in answers}
            assert client.get(f"/v1/documents/{cited}", headers=key).json()["workspace"] == workspace
        desk.keys.revoke(made.id)
        assert {client.get("/v1/documents", headers=key).status_code for client in (one, one, one, other)} == {401}


def test_a_rate_holds_for_all_machines_together(machines: list[httpx.Client], tmp_path: Path) -> None:
    with DocMind(Settings.load(data_dir=tmp_path / "desk")) as desk:
        _, token = desk.keys.create(Role.READER, workspace="w", per_minute=2)
    key = {"Authorization": f"Bearer {token}"}
    statuses = [client.get("/v1/documents", headers=key).status_code for client in machines * 6]
    assert (statuses.count(200), statuses.count(429)) == (2, 10)


def test_what_is_read_in_the_background_and_what_a_user_makes_of_an_answer_are_the_same_everywhere(
    machines: list[httpx.Client], tmp_path: Path
) -> None:
    one, other = machines
    workspace = f"w-{uuid.uuid4().hex[:12]}"
    with DocMind(Settings.load(data_dir=tmp_path / "desk")) as desk:
        _, token = desk.keys.create(Role.EDITOR, workspace=workspace)
        key = {"Authorization": f"Bearer {token}"}
        upload = one.post("/v1/uploads", files={"files": ("minutes.md", MINUTES)}, headers=key).json()["id"]

        def read() -> bool:
            (file,) = other.get(f"/v1/uploads/{upload}", headers=key).json()["files"]
            return bool(file["state"] == "done")

        eventually(read)
        run = ask(other, key)["run_id"]
        feedback = one.put(f"/v1/runs/{run}/feedback", json={"right": False, "comment": "Not quite."}, headers=key)
        assert feedback.status_code == 200, feedback.text
        other.patch(f"/v1/runs/{run}", json={"title": "The mill", "pinned": True}, headers=key)
        for client in (one, one, other):
            (row,) = client.get("/v1/conversations", headers=key).json()["conversations"]
            assert (row["id"], row["title"], row["pinned"]) == (run, "The mill", True)
            (judged,) = client.get("/v1/feedback", headers=key).json()["feedback"]
            assert (judged["run"], judged["right"], judged["comment"]) == (run, False, "Not quite.")
        desk.delete_workspace(workspace)
        left = Scope(workspace)
        held = (desk.conversations(left), desk.feedback(left), desk.queued(left), desk.suggested(left))
        assert not any(held)
