"""Feedback over HTTP: given, changed, taken back, listed with the confidence it judges, and gone with the run."""

from typing import Any

import httpx
import pytest

QUESTION = "What did the board pay for the Halden mill?"
WHO = {"user": "jan"}


@pytest.fixture
def run(service: httpx.Client) -> str:
    return str(service.post("/v1/ask", json={"question": QUESTION, **WHO}).json()["run_id"])


def given(service: httpx.Client) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = service.get("/v1/feedback", params=WHO).json()["feedback"]
    return rows


def test_feedback_is_kept_with_the_run_changed_and_taken_back(service: httpx.Client, run: str) -> None:
    address = f"/v1/runs/{run}/feedback"
    said = service.put(address, json={"right": True, "comment": " Just so. ", **WHO}).json()["feedback"]
    assert (said["right"], said["comment"]) == (True, "Just so.")
    service.put(address, json={"right": False, **WHO})
    kept = service.get(f"/v1/runs/{run}", params=WHO).json()["feedback"]
    assert (kept["right"], kept["comment"]) == (False, "")
    assert service.delete(address, params=WHO).json()["id"] == run
    assert service.get(f"/v1/runs/{run}", params=WHO).json()["feedback"] is None


def test_feedback_is_listed_with_the_confidence_that_it_judges(service: httpx.Client, run: str) -> None:
    service.put(f"/v1/runs/{run}/feedback", json={"right": True, **WHO})
    told = service.get("/v1/feedback", params=WHO).json()
    (row,) = (row for row in told["feedback"] if row["run"] == run)
    confidence = service.get(f"/v1/runs/{run}", params=WHO).json()["result"]["confidence"]
    assert (row["right"], row["confidence"], row["question"]) == (True, confidence, QUESTION)
    (band,) = told["by_confidence"]
    assert band["right"] == band["answers"] >= 1
    assert band["low"] < 1.0
    assert service.get(f"/v1/runs/{run}/export", params=WHO).json()["feedback"]["right"] is True
    assert service.delete(f"/v1/runs/{run}", params=WHO).status_code == 200
    assert run not in [row["run"] for row in given(service)]


def test_feedback_on_a_turn_is_shown_with_its_thread(service: httpx.Client) -> None:
    asked = {"question": QUESTION, "workflow": "chat", "thread": "judged", **WHO}
    run = service.post("/v1/ask", json=asked).json()["run_id"]
    service.put(f"/v1/runs/{run}/feedback", json={"right": False, "comment": "No.", **WHO})
    (turn,) = service.get("/v1/threads/judged", params=WHO).json()["turns"]
    assert turn["feedback"]["comment"] == "No."
    service.delete("/v1/threads/judged", params=WHO)
    assert run not in [row["run"] for row in given(service)]


@pytest.mark.parametrize("scope", [{}, {"user": "alice"}, {"workspace": "other", **WHO}])
def test_nobody_else_sees_gives_or_takes_back_feedback(service: httpx.Client, run: str, scope: dict[str, Any]) -> None:
    address = f"/v1/runs/{run}/feedback"
    service.put(address, json={"right": True, **WHO})
    tries = [service.put(address, json={"right": False, **scope}), service.delete(address, params=scope)]
    assert {refused.status_code for refused in tries} == {404}
    assert run not in service.get("/v1/feedback", params=scope).text
    assert service.get(f"/v1/runs/{run}", params=WHO).json()["feedback"]["right"] is True


def test_a_comment_has_a_largest_length(service: httpx.Client, run: str) -> None:
    refused = service.put(f"/v1/runs/{run}/feedback", json={"right": True, "comment": "x" * 4001, **WHO})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
