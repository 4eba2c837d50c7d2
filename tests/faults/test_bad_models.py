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
QUESTIONS = {
    "docs": (RECEIPTS, "ten years"),
    "strategy": (RECEIPTS, "ten years"),
    "finance": ("By what percentage did Ellandor's revenue grow from 2022 to 2023?", "3.71%"),
    "chat": (RECEIPTS, "ten years"),
}
VIENNA = "The receipts are kept for six years in a vault in Vienna. "

Failure = Callable[[Server], Turn]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as opened:
        yield opened


@pytest.fixture(scope="module")
def engine(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    folder = tmp_path_factory.mktemp("models")
    stock(folder / "data", folder)
    models = ModelSettings(embedder="static", chat=server.url, attempts=2, timeout_s=30)
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


FAILURES: dict[str, tuple[Failure, str]] = {
    "429 until a date": (soon, "slow down"),
    "10 MB of rambling": (lambda server: server.says(VIENNA * 180_000), "said far more than the"),
    "broken JSON": (lambda server: server.says('{"intent": "Vien', finish="length"), ""),
    "JSON of another shape": (lambda server: server.says('{"Vienna": 2}'), ""),
    "refuses": (lambda server: server.says("I am sorry, but I cannot help with Vienna."), ""),
    "repeats itself": (lambda server: server.says(VIENNA * 100), ""),
    "cites what is not there": (lambda server: server.says(f"{VIENNA[:-2]} [42]."), ""),
    "no": (lambda server: server.says("no"), ""),
    "Yes.": (lambda server: server.says("Yes."), ""),
    "yes and no in turn": (alternating, ""),
    "nothing": (lambda server: server.says(""), ""),
    "another language": (lambda server: server.says("Die Akten liegen in Vienna und sonst nirgends [1]."), ""),
    "the question": (lambda server: server.says("Where are the files kept, in Vienna?"), ""),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.fault(
    "bad model",
    "All workflows: 429 until a date, 10 MB of rambling, broken JSON, JSON of another shape, a refusal, endless "
    "repetition, citations that lead nowhere, yes, no, both in turn, nothing at all, another language, a question back",
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
    for workflow, (question, sound) in QUESTIONS.items():
        before, bounds = len(server.requests), engine.bounds(workflow)
        result = engine.run(question, SCOPE, workflow=workflow, conversational=workflow == "chat")
        assert len(server.requests) - before == result.usage.model_calls <= bounds.model_calls
        assert len(result.trace) <= bounds.steps
        assert told in " ".join(f"{event.reason} {event.note}" for event in result.trace), workflow
        if result.status in (Status.ANSWERED, Status.CAVEAT):
            assert sound in result.answer, workflow
            assert "Vien" not in result.answer, workflow
            assert result.citations, workflow
        else:
            assert result.status in (Status.REFUSED, Status.NEEDS_CLARIFICATION), workflow
            assert not told, workflow
