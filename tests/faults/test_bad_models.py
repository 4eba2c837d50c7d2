"""A chat model that is slow, broken or lying: every workflow ends within its bound, and says honestly how."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import cycle

import pytest

from docmind.domain.answers import Status
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import ModelSettings
from tests.faults.scenarios import RECEIPTS, settings, stock
from tests.openai_server import Handler, Server, Turn, served

SCOPE = Scope("w")
GROWTH = "By what percentage did Ellandor's revenue grow from 2022 to 2023?"
ASKED = {
    "docs": ("docs", None, RECEIPTS, "ten years"),
    "strategy": ("strategy", None, RECEIPTS, "ten years"),
    "finance": ("finance", None, GROWTH, "3.71%"),
    "chat": ("chat", True, RECEIPTS, "ten years"),
    "simple chat": ("chat", False, RECEIPTS, "ten years"),
}
"""Each workflow and mode, with a question and what a right answer to it says."""
VIENNA = "The receipts are kept for six years in a vault in Vienna. "
TOKENS = 100_000

Failure = Callable[[Server], Turn]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as opened:
        yield opened


@pytest.fixture(scope="module")
def engine(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    folder = tmp_path_factory.mktemp("models")
    stock(folder / "data", folder)
    models = ModelSettings(embedder="static", chat=server.url, attempts=2, timeout_s=300)
    with DocMind(settings(folder / "data").model_copy(update={"models": models})) as opened:
        yield opened


def soon(server: Server) -> Turn:
    """Too many requests, come again at a moment that is an hour off by the server's own clock."""

    def turn(handler: Handler) -> None:
        now = datetime.now(UTC) - timedelta(days=400)
        later = format_datetime(now + timedelta(hours=1), usegmt=True)
        body = json.dumps({"error": {"message": "slow down"}}).encode()
        handler.send_response_only(429)
        for name, value in {
            "Date": format_datetime(now, usegmt=True),
            "Retry-After": later,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return turn


def alternating(server: Server) -> Turn:
    """Now yes, now no, whatever is asked."""
    words = cycle((server.says("yes"), server.says("no")))

    def turn(handler: Handler) -> None:
        next(words)(handler)

    return turn


def back(server: Server) -> Turn:
    """The very question that was asked."""

    def turn(handler: Handler) -> None:
        told = " ".join(message["content"] for message in handler.request_body["messages"])
        server.says(GROWTH if GROWTH in told else RECEIPTS)(handler)

    return turn


def endless(server: Server) -> Turn:
    """A hundred thousand tokens, piece by piece where a stream was asked for, and nothing said twice."""
    pieces = [f"Vault {number} is in Vienna. " for number in range(TOKENS // 6)]
    whole, streamed = server.says("".join(pieces)), server.streams(*pieces)

    def turn(handler: Handler) -> None:
        (streamed if handler.request_body.get("stream") else whole)(handler)

    return turn


FAILURES: dict[str, tuple[Failure, str]] = {
    "429 until a date": (soon, "slow down"),
    "100,000 tokens": (endless, "said far more than the"),
    "10 MB of rambling": (lambda server: server.says(VIENNA * 180_000), "said far more than the"),
    "broken JSON": (lambda server: server.says('{"intent": "Vien', finish="length"), ""),
    "JSON of another shape": (lambda server: server.says('{"Vienna": 2}'), ""),
    "JSON for prose": (lambda server: server.says('{"answer": "They are kept in Vienna [1]."}'), ""),
    "refuses": (lambda server: server.says("I am sorry, but I cannot help with Vienna."), ""),
    "repeats itself": (lambda server: server.says(VIENNA * 100), ""),
    "cites what is not there": (lambda server: server.says(f"{VIENNA[:-2]} [42]."), ""),
    "no": (lambda server: server.says("no"), ""),
    "Yes.": (lambda server: server.says("Yes."), ""),
    "yes and no in turn": (alternating, ""),
    "nothing": (lambda server: server.says(""), ""),
    "another language": (lambda server: server.says("Die Akten liegen in Vienna und sonst nirgends [1]."), ""),
    "another question": (lambda server: server.says("Where are the files kept, in Vienna?"), ""),
    "the question back": (back, ""),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.fault(
    "bad model",
    "All workflows: 429 until a date, 100,000 tokens, 10 MB of rambling, broken JSON, JSON of another shape or where "
    "prose was asked, a refusal, endless repetition, citations that lead nowhere, yes, no, both in turn, nothing at "
    "all, another language, the question back or another",
    left="The run, ended within its bound on steps and calls",
    seen=(
        "An answer in the documents’ own sentences, a refusal, or a question to a person; never what the "
        "model made up. The trace says what failed"
    ),
)
def test_whatever_a_model_says_a_run_ends_within_its_bound_and_answers_with_what_the_documents_say_or_not_at_all(
    engine: DocMind, server: Server, failure: str
) -> None:
    turn, told = FAILURES[failure]
    server.play(turn(server))
    for name, (workflow, conversational, question, sound) in ASKED.items():
        before = len(server.requests)
        bounds = engine.bounds("chat-simple" if conversational is False else workflow)
        result = engine.run(question, SCOPE, workflow=workflow, conversational=conversational)
        assert len(server.requests) - before == result.usage.model_calls <= bounds.model_calls
        assert len(result.trace) <= bounds.steps
        assert told in " ".join(f"{event.reason} {event.note}" for event in result.trace), name
        if result.status in (Status.ANSWERED, Status.CAVEAT):
            assert sound in result.answer, name
            assert "Vien" not in result.answer, name
            assert result.citations, name
        else:
            assert result.status in (Status.REFUSED, Status.NEEDS_CLARIFICATION), name
            assert not told, name
