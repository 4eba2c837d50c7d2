"""Asking over real HTTP: whole answers, events, refusals, and what is asked back."""

from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from docmind.domain.answers import RunResult
from docmind.domain.stream import StreamEvent
from docmind.models.chat.recording import ScriptedChat
from docmind.server.app import create_app
from tests.server.conftest import events_of

QUESTION = "What did the board pay for the Halden mill?"
EVENTS = {"Accept": "text/event-stream"}
STREAMED: TypeAdapter[StreamEvent] = TypeAdapter(StreamEvent)


def ask(service: httpx.Client, question: str = QUESTION, **asked: Any) -> RunResult:
    answer = service.post("/v1/ask", json={"question": question, **asked})
    assert answer.status_code == 200, answer.text
    return RunResult.model_validate_json(answer.content)


def test_an_answer_cites_exactly_the_characters_it_rests_on(service: httpx.Client) -> None:
    result = ask(service)
    assert "14.2 million euros" in result.answer
    (citation,) = result.citations
    span = {"start": citation.start, "end": citation.end}
    assert service.get(f"/v1/documents/{citation.document}/text", params=span).text == citation.quote


@pytest.mark.parametrize("workflow", ["docs", "strategy", "finance", "chat"])
def test_every_workflow_answers_whole_and_in_events(service: httpx.Client, workflow: str) -> None:
    whole = ask(service, workflow=workflow)
    assert whole.workflow.removesuffix("-simple") == workflow
    streamed = service.post("/v1/ask", json={"question": QUESTION, "workflow": workflow}, headers=EVENTS)
    assert streamed.headers["content-type"].startswith("text/event-stream")
    told = list(events_of(streamed.text.splitlines()))
    assert [name for name, _ in told] == [STREAMED.validate_python(data).type for _, data in told]
    assert told[0][0] == "run_started"
    assert told[-1][0] == "result"
    assert told[-1][1]["result"]["answer"] == whole.answer
    nodes = [data["event"]["node"] for name, data in told if name == "node_decided"]
    assert nodes == [event.node for event in whole.trace]


def test_a_refusal_comes_with_the_nearest_passages(service: httpx.Client) -> None:
    result = ask(service, "Who sold the Halden mill, and in which year?")
    assert result.status == "refused"
    assert 1 <= len(result.nearest) <= 3
    for near in result.nearest:
        span = {"start": near.start, "end": near.end}
        there = service.get(f"/v1/documents/{near.document}/text", params=span).text
        assert near.excerpt.replace(";", "").strip("… ").split()[:3] == there.split()[:3]
        assert len(near.excerpt) <= 300


def test_a_request_can_say_how_many_wrong_answers_it_allows(service: httpx.Client) -> None:
    usual = ask(service)
    assert usual.confidence_in_words is not None
    strict = ask(service, most_wrong=0)
    assert (strict.status, strict.citations) == ("refused", [])
    assert strict.withheld is not None
    assert strict.withheld.answer == usual.answer
    streamed = service.post("/v1/ask", json={"question": QUESTION, "most_wrong": 0}, headers=EVENTS)
    assert list(events_of(streamed.text.splitlines()))[-1][1]["result"]["answer"] == strict.answer


@pytest.mark.parametrize("retries", [0, 1])
def test_a_request_can_say_how_often_the_strategy_workflow_tries_again(service: httpx.Client, retries: int) -> None:
    tried = ask(service, f"{QUESTION} Who painted it?", workflow="strategy", max_retries=retries)
    assert [event.decision for event in tried.trace].count("retry") == retries


@pytest.mark.parametrize("headers", [{}, EVENTS])
@pytest.mark.parametrize(
    ("asked", "code", "detail"),
    [
        ({"question": "  "}, "invalid_query", "The question is empty."),
        ({"question": "x" * 100_000}, "invalid_query", "The question has 100,000 characters; the most is 10,000."),
        ({"question": "x", "workflow": "magic"}, "invalid_query", "There is no workflow called 'magic'"),
        ({"question": "x", "thread": "t"}, "invalid_query", "The docs workflow has no conversations"),
        ({"question": "x", "thread": "a/b"}, "invalid_request", "thread: "),
        ({"question": "\\ud800"}, "invalid_request", "question: Half a character is not text."),
        ({"question": "x", "workspace": "../x"}, "invalid_scope", "'../x' cannot be a workspace name"),
        ({"question": "x", "most_wrong": 20}, "invalid_request", "most_wrong: "),
        ({"question": "x", "workflow": "strategy", "max_retries": -1}, "invalid_request", "max_retries: "),
        ({"question": "x", "max_retries": 1}, "invalid_query", "The number of retries must be 0 or more"),
        ({"qestion": "x"}, "invalid_request", "question: Field required."),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_runs(
    service: httpx.Client, asked: dict[str, str], code: str, detail: str, headers: dict[str, str]
) -> None:
    before = service.get("/v1/runs").json()
    if asked.get("question") == "\\ud800":
        content = b'{"question": "\\ud800"}'
        refused = service.post("/v1/ask", content=content, headers={"Content-Type": "application/json", **headers})
    else:
        refused = service.post("/v1/ask", json=asked, headers=headers)
    assert refused.headers["content-type"] == "application/problem+json"
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert refused.json()["detail"].startswith(detail)
    assert service.get("/v1/runs").json() == before


def test_what_fails_on_the_way_is_the_last_event(opened: Any, serving: Any) -> None:
    def breaks(_messages: Any) -> Any:
        raise ZeroDivisionError("the secret")

    with serving(create_app(opened(ScriptedChat(breaks)))) as client:
        told = list(events_of(client.post("/v1/ask", json={"question": QUESTION}, headers=EVENTS).text.splitlines()))
        (run,) = client.get("/v1/runs").json()["runs"]
    assert (told[0][0], told[-1][0]) == ("run_started", "error")
    assert (told[-1][1]["status"], told[-1][1]["code"]) == (500, "internal_error")
    assert "secret" not in str(told)
    assert run["state"] == "stopped"


def test_what_is_asked_back_is_listed_until_it_is_answered(service: httpx.Client) -> None:
    who = {"user": "carla"}
    asked = ask(service, "What about it?", workflow="chat", thread="unclear", **who)
    assert asked.clarification is not None
    (waiting,) = service.get("/v1/clarifications", params=who).json()["clarifications"]
    assert (waiting["run"], waiting["thread"], waiting["question"]) == (asked.run_id, "unclear", "What about it?")
    assert waiting["clarification"]["question"] == asked.clarification.question
    unanswered = service.post(f"/v1/runs/{asked.run_id}/resume", json=who)
    assert (unanswered.status_code, unanswered.json()["code"]) == (422, "invalid_query")
    answered = service.post(f"/v1/runs/{asked.run_id}/resume", json={"answer": QUESTION, **who}, headers=EVENTS)
    told = list(events_of(answered.text.splitlines()))
    assert "14.2 million euros" in told[-1][1]["result"]["answer"]
    assert service.get("/v1/clarifications", params=who).json() == {"clarifications": []}


def test_an_answer_that_is_too_long_is_refused_like_a_question(service: httpx.Client) -> None:
    refused = service.post("/v1/runs/x/resume", json={"answer": "x" * 20_000})
    assert refused.json()["detail"] == "The question has 20,000 characters; the most is 10,000."


def test_the_examples_of_a_question_are_questions(service: httpx.Client) -> None:
    for example in service.get("/openapi.json").json()["components"]["schemas"]["Question"]["examples"]:
        assert ask(service, **example)
