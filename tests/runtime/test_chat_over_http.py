"""The docs workflow with chat models behind real sockets: every path, every failure, never an error as an answer."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from docmind.domain.answers import RunResult, Status
from docmind.domain.errors import ModelError, SettingsError
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import DocsSettings, ModelSettings, Settings
from docmind.skills.nearest import NO_RELIABLE_ANSWER
from tests.openai_server import Handler, Server, Turn

SCOPE = Scope("w")
QUESTION = "How long are receipts kept?"
BREAKDOWN = json.dumps({"intent": "quantity", "sub_queries": [QUESTION]})
QUOTED = "Receipts are kept for ten years."
FAITHFUL = "Receipts are kept for ten years [1]."
WRONG = "Receipts are kept for six years in a vault in Vienna [1]."
PASSED = "Receipts are kept for ten years after payment [1]."
ROUND = ["retrieve", "generate", "judge"]
EMPTY = '{"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": []}'

Ask = Callable[..., RunResult]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation with one document, made once."""
    root = tmp_path_factory.mktemp("installed")
    paper = root / "receipts.md"
    paper.write_text(f"# Receipts\n\n{QUOTED} Orrin Paper sued Halden Mills over receipts.\n")
    with DocMind(Settings(data_dir=root / "data", models=ModelSettings(embedder="static"))) as engine:
        engine.ingest([paper], SCOPE)
    return root / "data"


@pytest.fixture
def ask(installed: Path, chat_server: Server) -> Ask:
    """Asks with the server as its chat model and the settings given besides."""

    def asked(*, question: str = QUESTION, limit: int = 2, **models: Any) -> RunResult:
        chosen = ModelSettings(**{"embedder": "static", "chat": chat_server.url, "attempts": 1, **models})
        settings = Settings(data_dir=installed, models=chosen, docs=DocsSettings(max_hallucinations=limit))
        with DocMind(settings) as engine:
            return engine.run(question, SCOPE)

    return asked


def path(result: RunResult) -> list[str]:
    return [event.node for event in result.trace]


def notes(result: RunResult) -> str:
    return " ".join(f"{event.reason} {event.note}" for event in result.trace)


def by_model(**turns: Sequence[Turn]) -> Turn:
    """Each model of the server has a script of its own, the last line of which it says again and again."""
    left = {name: list(lines) for name, lines in turns.items()}

    def turn(handler: Handler) -> None:
        lines = left[handler.request_body["model"]]
        (lines.pop(0) if len(lines) > 1 else lines[0])(handler)

    return turn


def test_a_faithful_draft_is_given_out_without_a_retry(ask: Ask, chat_server: Server) -> None:
    chat_server.play(chat_server.says(BREAKDOWN), chat_server.says(FAITHFUL))
    result = ask()
    assert (result.status, result.answer) == (Status.ANSWERED, FAITHFUL)
    assert path(result) == ["decompose", *ROUND, "output"]
    assert [citation.quote for citation in result.citations] == [QUOTED]
    assert result.usage.model_calls == len(chat_server.requests) == 2


def test_a_hallucinated_draft_is_retried_and_the_writer_is_told_why(ask: Ask, chat_server: Server) -> None:
    chat_server.play(*map(chat_server.says, (BREAKDOWN, WRONG, FAITHFUL)))
    result = ask()
    assert (result.status, result.answer) == (Status.ANSWERED, FAITHFUL)
    assert path(result) == ["decompose", *ROUND * 2, "output"]
    assert "six years in a vault in Vienna" in chat_server.requests[-1]["messages"][-1]["content"]


@pytest.mark.parametrize("limit", [2, 3])
def test_when_the_limit_is_reached_no_answer_is_given(ask: Ask, chat_server: Server, limit: int) -> None:
    chat_server.play(*map(chat_server.says, (BREAKDOWN, WRONG)))
    result = ask(limit=limit)
    assert (result.status, result.answer) == (Status.REFUSED, NO_RELIABLE_ANSWER)
    assert path(result) == ["decompose", *ROUND * limit, "output"]


def test_a_refusal_without_hallucination_is_not_retried(ask: Ask, chat_server: Server) -> None:
    chat_server.play(*map(chat_server.says, (BREAKDOWN, "The passages do not answer the question.")))
    result = ask(question="Who pays for the receipts of interns?")
    assert (result.status, result.answer) == (Status.REFUSED, NO_RELIABLE_ANSWER)
    assert path(result) == ["decompose", *ROUND, "output"]


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (lambda server: server.hangs(), "did not answer within"),
        (lambda server: server.fails(500, "out of memory"), "out of memory"),
        (lambda server: server.fails(401, "bad key"), "bad key"),
        (lambda server: server.fails(429, "slow down", Retry_After="3600"), "slow down"),
        (lambda server: server.talks_nonsense(), "cannot be read"),
        (lambda server: server.sends('{"id": "1", "choi'), "cannot be read"),
        (lambda server: server.sends(EMPTY), "cannot be read"),
        (lambda server: server.streams_half("Receipts are kept", " for a thousand", abruptly=True), "failed"),
        (lambda server: server.streams_half("Receipts are kept", " for a thousand", abruptly=False), "broke off"),
        (lambda server: server.says(""), "said nothing"),
    ],
    ids=["hangs", "500", "401", "429", "html", "broken-json", "no-choices", "dies", "ends-early", "empty"],
)
@pytest.mark.fault(
    "bad model",
    "Slower than its timeout, 500, 401, 429, a web page for a reply, a connection dropped in the middle, "
    "nothing at all",
    left="The run, ended",
    seen="An answer in the documents’ own sentences; the trace says why",
)
def test_whatever_a_model_fails_of_the_documents_own_sentences_answer_and_the_trace_says_why(
    ask: Ask, chat_server: Server, failure: Callable[[Server], Turn], told: str
) -> None:
    chat_server.play(failure(chat_server))
    result = ask(timeout_s=0.3 if told.startswith("did not") else 20)
    assert result.status is Status.ANSWERED
    assert QUOTED in result.answer
    assert told not in result.answer
    assert "thousand" not in result.answer
    assert [citation.quote for citation in result.citations][:1] == [QUOTED]
    assert told in notes(result)
    assert result.usage.model_calls == len(chat_server.requests) > 0


def test_garbage_in_good_form_is_judged_like_any_draft(ask: Ask, chat_server: Server) -> None:
    chat_server.play(chat_server.says("Error 502: the lizard gateway ate 41 of your tokens [1]."))
    result = ask()
    assert (result.status, result.answer, result.citations) == (Status.REFUSED, NO_RELIABLE_ANSWER, [])
    assert "The question was split up by rules instead." in notes(result)


@pytest.mark.fault(
    "bad model",
    "429 with the seconds to wait",
    left="The run",
    seen="The answer, a moment later",
)
def test_a_server_that_asks_for_a_moment_is_given_it(ask: Ask, chat_server: Server) -> None:
    busy = chat_server.fails(429, "slow down", Retry_After="1")
    chat_server.play(busy, chat_server.says(BREAKDOWN), chat_server.says(FAITHFUL))
    result = ask(attempts=2)
    assert result.answer == FAITHFUL
    assert result.usage.model_calls == 3


def test_a_second_model_stands_in_for_one_that_fails(ask: Ask, chat_server: Server) -> None:
    chat_server.play(by_model(one=[chat_server.fails(500)], two=[*map(chat_server.says, (BREAKDOWN, FAITHFUL))]))
    result = ask(chat=f"{chat_server.url}#one", fallback=f"{chat_server.url}#two")
    assert (result.status, result.answer) == (Status.ANSWERED, FAITHFUL)
    assert [request["model"] for request in chat_server.requests] == ["one", "two"] * 2


def test_a_judging_model_condemns_what_the_code_passed_and_the_draft_is_retried(ask: Ask, chat_server: Server) -> None:
    found = {"claim": 1, "words": "after payment", "reason": "From when is not said."}
    chat_server.play(
        by_model(
            writer=[*map(chat_server.says, (BREAKDOWN, PASSED, FAITHFUL))],
            judge=[chat_server.says(json.dumps({"not_borne_out": [found]}))],
        )
    )
    result = ask(chat=f"{chat_server.url}#writer", judge=f"{chat_server.url}#judge")
    assert result.answer == FAITHFUL
    assert path(result) == ["decompose", *ROUND * 2, "output"]
    assert "is not borne out: From when is not said." in notes(result)
    # The second draft is a quotation, which needs no opinion.
    assert [request["model"] for request in chat_server.requests] == ["writer", "writer", "judge", "writer"]


def test_a_judging_model_that_fails_leaves_the_verdict_to_the_code(ask: Ask, chat_server: Server) -> None:
    chat_server.play(
        by_model(
            writer=[*map(chat_server.says, (BREAKDOWN, PASSED))],
            judge=[chat_server.fails(503, "judge asleep")],
        )
    )
    result = ask(chat=f"{chat_server.url}#writer", judge=f"{chat_server.url}#judge")
    assert (result.status, result.answer) == (Status.ANSWERED, PASSED)
    assert "Only the local checks judged it." in notes(result)
    assert "judge asleep" in notes(result)


def test_a_model_that_cannot_be_opened_is_said_before_anything_is_asked(ask: Ask) -> None:
    with pytest.raises(ModelError, match="nowhere:model cannot be opened"):
        ask(chat="nowhere:model")
    with pytest.raises(SettingsError, match="DOCMIND_MODELS__CHAT, which is not set"):
        ask(chat=None, fallback="openai:gpt-5-mini")
