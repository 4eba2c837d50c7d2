"""`docmind ask` with a chat model that works, and with ones that fail: an answer all the same, and why."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from docmind.skills.nearest import NO_RELIABLE_ANSWER
from tests.openai_server import Server, Turn

DocMind = Callable[..., Any]

QUESTION = "What did the board approve the purchase of?"
BREAKDOWN = json.dumps({"intent": "lookup", "sub_queries": [QUESTION]})
BOUNDS = "At most 8 model calls that read 80,000 tokens and write 4,096.\n"
QUOTED = "**The Halden mill**\n\nThe board approved the purchase of the Halden mill for 14.2 million euros. [1]"


@pytest.fixture(autouse=True)
def _chosen(chat_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", chat_server.url)
    monkeypatch.setenv("DOCMIND_MODELS__ATTEMPTS", "1")


def test_what_the_model_writes_is_shown_with_its_sources(filled: DocMind, chat_server: Server) -> None:
    written = "The board approved the purchase of the Halden mill [1]."
    chat_server.play(chat_server.says(BREAKDOWN), chat_server.says(written))
    told = filled("ask", QUESTION)
    assert (told.code, told.err) == (0, BOUNDS)
    assert told.out.startswith(f"{written}\n")
    assert "minutes.md, characters" in told.out


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (lambda server: server.fails(500, "out of memory"), "out of memory"),
        (lambda server: server.sends("{"), "cannot be read"),
        (lambda server: server.streams_half("The board", " approved", abruptly=False), "broke off"),
        (lambda server: server.hangs(), "did not answer within 0.5 s"),
    ],
    ids=["500", "garbage", "half", "hangs"],
)
def test_a_model_that_fails_is_named_beside_the_documents_own_words(
    filled: DocMind,
    chat_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    failure: Callable[[Server], Turn],
    why: str,
) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__TIMEOUT_S", "0.5" if why.startswith("did not") else "20")
    chat_server.play(failure(chat_server))
    told = filled("ask", QUESTION)
    assert (told.code, told.err) == (0, BOUNDS)
    answer, _, notes = told.out.partition("Confidence")
    assert answer.startswith(QUOTED)
    assert why not in answer
    assert f"The model {chat_server.url}" in notes
    assert why in notes


def test_a_model_that_only_invents_gets_no_word_in(filled: DocMind, chat_server: Server) -> None:
    chat_server.play(chat_server.says("HTTP 500: the flux capacitor of Geneva is down [1]."))
    result = json.loads(filled("ask", QUESTION, "--json").out)
    assert (result["status"], result["answer"], result["claims"]) == ("refused", NO_RELIABLE_ANSWER, [])


def test_a_server_that_is_not_there_costs_the_prose_and_not_the_answer(
    filled: DocMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", "http://127.0.0.1:1/v1")
    told = filled("ask", QUESTION)
    assert (told.code, told.err) == (0, BOUNDS)
    assert told.out.startswith(QUOTED)
    assert "The model http://127.0.0.1:1/v1 failed: Connection error." in told.out


def test_a_model_that_nobody_knows_is_one_line(filled: DocMind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", "gpt")
    told = filled("ask", QUESTION)
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith("docmind: There is no chat model called 'gpt': use 'provider:model'")
    assert told.err.count("\n") == 1
