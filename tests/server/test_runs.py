from typing import Any

import httpx
import pytest

from docmind.domain.answers import RunResult

QUESTION = "What did the board pay for the Halden mill?"


@pytest.fixture(scope="module")
def asked(service: httpx.Client) -> RunResult:
    """A question of dora's."""
    return RunResult(**service.post("/v1/ask", json={"question": QUESTION, "user": "dora"}).json())


def test_runs_are_listed_newest_first(service: httpx.Client) -> None:
    who = {"user": "erik"}
    for question in ("What was rejected?", QUESTION):
        service.post("/v1/ask", json={"question": question, **who})
    rows = service.get("/v1/runs", params=who).json()["runs"]
    assert [(row["question"], row["state"], row["workflow"]) for row in rows] == [
        (QUESTION, "ended", "docs"),
        ("What was rejected?", "ended", "docs"),
    ]
    assert service.get("/v1/runs", params={**who, "limit": 1}).json()["runs"] == rows[:1]


def test_a_run_has_its_whole_result_and_the_path_it_took(service: httpx.Client, asked: RunResult) -> None:
    whole = service.get(f"/v1/runs/{asked.run_id[:12]}", params={"user": "dora"}).json()
    assert RunResult(**whole["result"]) == asked
    assert (whole["status"], whole["seconds"]) == (asked.status, asked.usage.seconds)
    assert whole["started"] < whole["ended"]


def test_a_replay_is_equal_without_a_model(service: httpx.Client, asked: RunResult) -> None:
    replayed = service.post(f"/v1/runs/{asked.run_id}/replay", json={"user": "dora"}).json()
    assert replayed == {"equal": True, "model_calls": 0, "differences": []}


@pytest.mark.parametrize("scope", [{}, {"user": "alice"}, {"user": "dora", "workspace": "other"}])
def test_nobody_else_sees_resumes_replays_or_deletes_a_run(
    service: httpx.Client, asked: RunResult, scope: dict[str, Any]
) -> None:
    address = f"/v1/runs/{asked.run_id}"
    tries = [
        service.get(address, params=scope),
        service.delete(address, params=scope),
        service.post(f"{address}/resume", json=scope),
        service.post(f"{address}/replay", json=scope),
    ]
    assert {(refused.status_code, refused.json()["code"]) for refused in tries} == {(404, "not_found")}
    assert asked.run_id not in service.get("/v1/runs", params=scope).text
    assert service.get(address, params={"user": "dora"}).status_code == 200


def test_a_deleted_run_is_gone(service: httpx.Client) -> None:
    run = service.post("/v1/ask", json={"question": QUESTION, "user": "fay"}).json()["run_id"]
    assert service.delete(f"/v1/runs/{run}", params={"user": "fay"}).json()["id"] == run
    assert service.get(f"/v1/runs/{run}", params={"user": "fay"}).status_code == 404
