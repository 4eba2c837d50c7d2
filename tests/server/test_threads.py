from typing import Any

import httpx
import pytest

QUESTION = "What did the board pay for the Halden mill?"
WHO = {"user": "gita"}


@pytest.fixture(scope="module")
def thread(service: httpx.Client) -> str:
    """Two turns of a conversation of gita's."""
    for question in (QUESTION, "And what was rejected?"):
        asked = {"question": question, "workflow": "chat", "thread": "mill", **WHO}
        assert service.post("/v1/ask", json=asked).status_code == 200
    return "mill"


def test_conversations_are_listed_with_how_they_began(service: httpx.Client, thread: str) -> None:
    (row,) = service.get("/v1/threads", params=WHO).json()["threads"]
    assert (row["id"], row["title"], row["length"], row["workflow"]) == (thread, QUESTION, 2, "chat")
    assert row["started"] < row["last_turn"]


def test_a_conversation_has_every_turn_with_its_answer(service: httpx.Client, thread: str) -> None:
    turns = service.get(f"/v1/threads/{thread}", params=WHO).json()["turns"]
    assert [turn["question"] for turn in turns] == [QUESTION, "And what was rejected?"]
    assert "14.2 million euros" in turns[0]["result"]["answer"]


def test_a_conversation_is_exported_as_a_file(service: httpx.Client, thread: str) -> None:
    exported = service.get(f"/v1/threads/{thread}/export", params=WHO)
    assert exported.headers["content-disposition"] == 'attachment; filename="thread.json"'
    assert (exported.json()["thread"], len(exported.json()["turns"])) == (thread, 2)


@pytest.mark.parametrize("scope", [{}, {"user": "alice"}, {"workspace": "other", **WHO}])
def test_nobody_else_sees_or_deletes_a_conversation(service: httpx.Client, thread: str, scope: dict[str, Any]) -> None:
    address = f"/v1/threads/{thread}"
    tries = [
        service.get(address, params=scope),
        service.get(f"{address}/export", params=scope),
        service.delete(address, params=scope),
    ]
    assert {refused.status_code for refused in tries} == {404}
    assert thread not in [row["id"] for row in service.get("/v1/threads", params=scope).json()["threads"]]


def test_a_deleted_conversation_is_gone_with_its_runs(service: httpx.Client) -> None:
    who = {"user": "hugo"}
    service.post("/v1/ask", json={"question": QUESTION, "workflow": "chat", "thread": "short", **who})
    assert service.delete("/v1/threads/short", params=who).json()["length"] == 1
    assert service.get("/v1/threads/short", params=who).status_code == 404
    assert service.get("/v1/runs", params=who).json() == {"runs": []}
