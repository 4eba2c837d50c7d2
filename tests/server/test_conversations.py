"""Conversations over HTTP: threads and single questions in one list, renamed, pinned, searched, shared as a page."""

from typing import Any

import httpx
import pytest

QUESTION = "What did the board pay for the Halden mill?"
WHO = {"user": "ines"}


@pytest.fixture(scope="module")
def alone(service: httpx.Client) -> str:
    """A question of ines' by itself, asked after a thread of hers."""
    talk = {"question": QUESTION, "workflow": "chat", "thread": "mill", **WHO}
    assert service.post("/v1/ask", json=talk).status_code == 200
    return str(service.post("/v1/ask", json={"question": "What was rejected?", **WHO}).json()["run_id"])


def listed(service: httpx.Client, **asked: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = service.get("/v1/conversations", params=WHO | asked).json()["conversations"]
    return rows


def test_threads_and_single_questions_are_one_list(service: httpx.Client, alone: str) -> None:
    assert [(row["kind"], row["id"]) for row in listed(service)] == [("run", alone), ("thread", "mill")]
    assert [row["id"] for row in listed(service, search="rejected")] == [alone]
    short = service.get("/v1/conversations", params={**WHO, "limit": 1}).json()
    assert (len(short["conversations"]), short["total"]) == (1, 2)


def test_a_conversation_is_renamed_and_pinned_and_goes_back_to_its_question(service: httpx.Client, alone: str) -> None:
    changed = service.patch("/v1/threads/mill", json={"title": "  The\nmill ", "pinned": True, **WHO}).json()
    assert (changed["title"], changed["pinned"]) == ("The mill", True)
    assert [row["title"] for row in listed(service)] == ["The mill", "What was rejected?"]
    assert service.patch("/v1/threads/mill", json={"pinned": False, **WHO}).json()["title"] == "The mill"
    assert service.patch("/v1/threads/mill", json={"title": " ", **WHO}).json()["title"] == QUESTION
    assert service.patch(f"/v1/runs/{alone}", json={"title": "Refusals", **WHO}).json()["title"] == "Refusals"
    assert service.patch(f"/v1/runs/{alone}", json={"title": "", **WHO}).json()["title"] == "What was rejected?"


def test_a_conversation_that_began_with_a_greeting_is_called_after_its_first_question(service: httpx.Client) -> None:
    who = {"user": "greta"}
    titles = []
    for words in ("Hello!", QUESTION, "Thank you!"):
        asked = {"question": words, "workflow": "chat", "thread": "polite", **who}
        assert service.post("/v1/ask", json=asked).status_code == 200
        (row,) = service.get("/v1/conversations", params=who).json()["conversations"]
        assert service.get("/v1/threads/polite", params=who).json()["title"] == row["title"]
        titles.append(row["title"])
    assert titles == ["Hello!", QUESTION, QUESTION]


def test_a_run_of_a_thread_has_its_threads_title(service: httpx.Client, alone: str) -> None:
    (turn,) = service.get("/v1/threads/mill", params=WHO).json()["turns"]
    refused = service.patch(f"/v1/runs/{turn['run']}", json={"title": "Mine", **WHO})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_query")
    assert "belongs to the thread 'mill'" in refused.json()["detail"]


def test_a_conversation_and_an_answer_are_shared_as_a_page_to_be_saved(service: httpx.Client, alone: str) -> None:
    for address, name in (("/v1/threads/mill/export", "conversation"), (f"/v1/runs/{alone}/export", "answer")):
        page = service.get(address, params={**WHO, "format": "html"})
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["content-disposition"] == f'attachment; filename="{name}.html"'
        assert page.headers["content-security-policy"].startswith("sandbox;")
        assert "<h1>" in page.text
        assert "Sources" in page.text
    exported = service.get(f"/v1/runs/{alone}/export", params=WHO).json()
    assert (exported["run_id"], exported["question"]) == (alone, "What was rejected?")
    assert exported["result"]["citations"]


@pytest.mark.parametrize("scope", [{}, {"user": "alice"}, {"workspace": "other", **WHO}])
def test_nobody_else_lists_changes_or_shares_a_conversation(
    service: httpx.Client, alone: str, scope: dict[str, Any]
) -> None:
    tries = [
        service.patch("/v1/threads/mill", json={"title": "Taken", **scope}),
        service.patch(f"/v1/runs/{alone}", json={"pinned": True, **scope}),
        service.get("/v1/threads/mill/export", params={**scope, "format": "html"}),
        service.get(f"/v1/runs/{alone}/export", params={**scope, "format": "html"}),
        service.get(f"/v1/runs/{alone}/export", params=scope),
    ]
    assert {refused.status_code for refused in tries} == {404}
    assert alone not in service.get("/v1/conversations", params=scope).text
    assert [row["title"] for row in listed(service)] == ["What was rejected?", QUESTION]
