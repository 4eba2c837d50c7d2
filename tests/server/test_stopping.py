"""Runs that end before their answer: clients that leave, too many at once, a service that stops."""

import json
import socket
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any

import httpx
import pytest

from docmind.domain.errors import ModelError
from docmind.domain.scope import Scope
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Line, ScriptedChat, Silence
from docmind.server import running as serving_app
from docmind.server.app import create_app
from tests.server.conftest import events_of, eventually

QUESTION = "What did the board pay for the Halden mill?"
EVENTS = {"Accept": "text/event-stream"}
HERE = Scope("default")


class Hanging:
    """A model that says nothing, or fails at once: then the documents' own sentences answer."""

    def __init__(self) -> None:
        self.hangs = True
        self.chat = ScriptedChat(self._say)

    def _say(self, _messages: Sequence[Message]) -> Line:
        return Silence() if self.hangs else ModelError("It is out of order.")


@pytest.mark.fault(
    "left alone",
    "A client of the service that closes its stream",
    left="The run as `stopped`, “It was interrupted.”",
    seen="Resuming goes on with it",
)
def test_a_client_that_leaves_a_stream_stops_its_run_which_can_be_resumed(opened: Any, serving: Any) -> None:
    model = Hanging()
    engine = opened(model.chat)
    with serving(create_app(engine)) as client:
        with client.stream("POST", "/v1/ask", json={"question": QUESTION}, headers=EVENTS) as stream:
            told = events_of(stream.iter_lines())
            name, started = next(told)
            assert name == "run_started"
            eventually(lambda: model.chat.calls)
        run = eventually(lambda: [run for run in engine.runs(HERE) if run.state == "stopped"])[0]
        assert (run.id, run.reason) == (started["run_id"], "It was interrupted.")
        model.hangs = False
        resumed = client.post(f"/v1/runs/{run.id}/resume", json={}).json()
        assert resumed["run_id"] == run.id
        assert "14.2 million euros" in resumed["answer"]
        assert client.post(f"/v1/runs/{run.id}/resume", json={}).json() == resumed


def test_a_client_that_stops_waiting_for_an_answer_stops_its_run(opened: Any, serving: Any) -> None:
    model = Hanging()
    engine = opened(model.chat)
    with serving(create_app(engine)) as client:
        body = json.dumps({"question": QUESTION}).encode()
        with socket.create_connection((client.base_url.host, client.base_url.port)) as leaving:
            leaving.sendall(
                b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
            )
            eventually(lambda: model.chat.calls)
        assert eventually(lambda: [run.state for run in engine.runs(HERE)] == ["stopped"])
        assert client.get("/healthz").status_code == 200


def test_more_runs_than_the_service_takes_on_are_told_when_to_come_again(opened: Any, serving: Any) -> None:
    model = Hanging()
    engine = opened(model.chat, runs=1, waiting=0)
    with serving(create_app(engine)) as client:
        with client.stream("POST", "/v1/ask", json={"question": QUESTION}, headers=EVENTS):
            for headers in ({}, EVENTS):
                refused = client.post("/v1/ask", json={"question": QUESTION}, headers=headers)
                assert (refused.status_code, refused.json()["code"]) == (503, "busy")
                assert int(refused.headers["retry-after"]) > 0
            assert client.get("/v1/runs").status_code == 200
        model.hangs = False
        assert eventually(lambda: client.post("/v1/ask", json={"question": QUESTION}).status_code == 200)


def test_more_runs_than_go_on_at_once_wait_for_their_turn(opened: Any, serving: Any) -> None:
    model = Hanging()
    engine = opened(model.chat, runs=1, waiting=1)
    with serving(create_app(engine)) as client, ThreadPoolExecutor(2) as threads:
        with client.stream("POST", "/v1/ask", json={"question": QUESTION}, headers=EVENTS):
            eventually(lambda: model.chat.calls)
            asked = [threads.submit(client.post, "/v1/ask", json={"question": QUESTION}) for _ in range(2)]
            # Whichever comes first waits, so the other finds the service full.
            (refused,), (waiting,) = wait(asked, return_when=FIRST_COMPLETED)
            assert refused.result().status_code == 503
            assert len(engine.runs(HERE)) == 1
            model.hangs = False
        assert "14.2 million euros" in waiting.result().json()["answer"]


def test_a_run_or_conversation_under_way_is_not_taken_up_a_second_time(opened: Any, serving: Any) -> None:
    asked = {"question": QUESTION, "workflow": "chat", "thread": "t"}
    with (
        serving(create_app(opened(Hanging().chat))) as client,
        client.stream("POST", "/v1/ask", json=asked, headers=EVENTS) as stream,
    ):
        told = events_of(stream.iter_lines())
        _, started = next(told)
        for path, body in ((f"/v1/runs/{started['run_id']}/resume", {}), ("/v1/ask", asked)):
            refused = client.post(path, json=body)
            assert (refused.status_code, refused.json()["code"]) == (409, "under_way")


@pytest.mark.parametrize("headers", [{}, EVENTS])
@pytest.mark.fault(
    "left alone",
    "A service that is told to stop while it answers",
    left="The runs, each at its last finished node",
    seen="503 with a sentence that says the run can be resumed",
)
def test_a_service_that_stops_leaves_runs_that_can_be_resumed(
    opened: Any, serving: Any, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    monkeypatch.setattr(serving_app, "LAST_RUNS_S", 0)
    monkeypatch.setattr(serving_app, "LAST_ANSWERS_S", 60)
    model = Hanging()
    engine = opened(model.chat)
    answers: list[httpx.Response] = []

    def ask(address: httpx.URL) -> None:
        body = {"question": QUESTION}
        answers.append(httpx.post(address.join("/v1/ask"), json=body, headers=headers, timeout=None, trust_env=False))

    with serving(create_app(engine)) as client:
        asking = threading.Thread(target=ask, args=[client.base_url])
        asking.start()
        eventually(lambda: model.chat.calls)
    asking.join()
    told = list(events_of(answers[0].text.splitlines()))[-1] if headers else ("error", answers[0].json())
    assert (told[0], told[1]["code"], told[1]["status"]) == ("error", "busy", 503)
    run_id = engine.runs(HERE)[0].id
    assert told[1]["detail"] == f"The service is stopping. Run {run_id} can be resumed when it is back."
    (run,) = eventually(lambda: [run for run in engine.runs(HERE) if run.state == "stopped"])
    model.hangs = False
    assert "14.2 million euros" in engine.resume(run.id, HERE).answer


@pytest.mark.parametrize("headers", [{}, EVENTS])
def test_what_a_service_that_stops_has_not_begun_is_to_be_asked_again_and_not_resumed(
    opened: Any, serving: Any, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    monkeypatch.setattr(serving_app, "LAST_RUNS_S", 0)
    monkeypatch.setattr(serving_app, "LAST_ANSWERS_S", 60)
    model = Hanging()
    engine = opened(model.chat, runs=1, waiting=1)
    with ThreadPoolExecutor(3) as threads:
        with serving(create_app(engine)) as client:
            ask: dict[str, Any] = {"json": {"question": QUESTION}, "headers": headers}
            address = client.base_url.join("/v1/ask")
            first = threads.submit(httpx.post, address, **ask, timeout=None, trust_env=False)
            eventually(lambda: model.chat.calls)
            # Whichever comes first waits, so the other finds the service full.
            asked = [threads.submit(httpx.post, address, **ask, timeout=None, trust_env=False) for _ in range(2)]
            _, (second,) = wait(asked, return_when=FIRST_COMPLETED)
        run = eventually(lambda: [run for run in engine.runs(HERE) if run.state == "stopped"])[0]
        assert f"Run {run.id} can be resumed" in first.result().text
        assert second.result().json()["detail"] == "The service is stopping; ask again when it is back."
        assert second.result().status_code == 503
    assert engine.runs(HERE) == [run]
