"""`docmind models`: what is in use, what is on offer, and the choice of one, tried before it is taken."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.openai_server import Handler, Server

DocMind = Callable[..., Any]
CAPITAL = json.dumps({"city": "Paris"})


@pytest.fixture
def offering(chat_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server with two models, asked for its list as Ollama is, and as any other."""
    lists = {
        "/v1/models": {"data": [{"id": "small"}, {"id": "large"}]},
        "/api/tags": {"models": [{"name": "llama3.1:8b"}]},
    }

    def do_get(handler: Handler) -> None:
        handler.send(200, json.dumps(lists[handler.path]).encode())

    monkeypatch.setattr(Handler, "do_GET", do_get, raising=False)
    monkeypatch.setenv("OLLAMA_HOST", chat_server.url.removesuffix("/v1"))
    chat_server.play(chat_server.says("ready"), chat_server.says(CAPITAL))
    return chat_server


def test_what_a_local_ollama_offers_is_listed(docmind: DocMind, offering: Server) -> None:
    done = docmind("models")
    assert "chat      none: answers are sentences from the documents" in done.out
    assert "  ollama:llama3.1:8b\n" in done.out


def test_what_a_server_offers_is_listed_by_names_that_can_be_used(docmind: DocMind, offering: Server) -> None:
    done = docmind("models", "--url", offering.url, "--json")
    assert json.loads(done.out)["offered"] == [f"{offering.url}#small", f"{offering.url}#large"]


def test_a_server_that_lists_nothing_is_told(docmind: DocMind, chat_server: Server) -> None:
    done = docmind("models", "--url", chat_server.url)
    assert done.code == 1
    assert "does not list its models" in done.err


def test_without_ollama_it_is_said_what_can_be_done(docmind: DocMind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    assert "Ollama is not running on this machine." in docmind("models").out


def test_a_model_is_tried_and_then_writes_and_judges(docmind: DocMind, offering: Server) -> None:
    chosen = f"{offering.url}#small"
    done = docmind("models", "use", chosen)
    assert done.code == 0, done.err
    assert "tokens a second, replies with the JSON that was asked for." in done.out
    assert f"{chosen} now writes and judges the answers" in done.out
    used = json.loads(docmind("models", "--json").out)["used"]
    assert used["chat"] == chosen
    assert used["judge"] == "the same model, beside the local checks"
    docmind("models", "use", "none")
    assert json.loads(docmind("models", "--json").out)["used"]["chat"].startswith("none")


def test_a_model_that_fails_is_not_taken(docmind: DocMind, chat_server: Server) -> None:
    chat_server.play(chat_server.fails(401, "no such key"))
    done = docmind("models", "use", chat_server.url)
    assert done.code == 1
    assert "no such key" in done.err
    assert not Path("~/.docmind/.env").expanduser().exists()
    assert docmind("models", "use", chat_server.url, "--unchecked").code == 0


def test_a_choice_in_the_environment_goes_first_and_that_is_said(
    docmind: DocMind, offering: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", f"{offering.url}#large")
    done = docmind("models", "use", f"{offering.url}#small")
    assert "DOCMIND_MODELS__CHAT is set in the environment, which takes precedence" in done.err


def test_a_provider_whose_package_is_missing_is_told_with_the_command_that_installs_it(docmind: DocMind) -> None:
    done = docmind("models", "use", "mistralai:mistral-small")
    assert done.code == 1
    assert "needs its provider's package" in done.err
    assert "pip install" in done.err


@pytest.mark.parametrize(
    "name", ["openai:gpt-5-mini", "anthropic:claude-x", "google_genai:gemini-x", "ollama:llama3.1"]
)
def test_the_common_providers_need_no_further_package(name: str) -> None:
    from docmind.models.chat.factory import open_chat

    assert open_chat(name, api_key=None if name.startswith("ollama") else "k").name == name


def test_the_doctor_tries_each_model(docmind: DocMind, offering: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", offering.url)
    monkeypatch.setenv("DOCMIND_MODELS__JUDGE", "http://127.0.0.1:9/v1")
    done = docmind("doctor")
    assert done.code == 1
    assert f"✓ chat         {offering.url} answered in " in done.out
    assert "✗ judge        The model http://127.0.0.1:9/v1 failed" in done.out
    assert "Correct DOCMIND_MODELS__JUDGE" in done.out


def test_the_doctor_tells_of_a_model_that_does_not_keep_to_a_shape(
    docmind: DocMind, chat_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat_server.play(chat_server.says("Paris, of course!"))
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", chat_server.url)
    done = docmind("doctor")
    assert done.code == 0
    assert "does not reply with valid JSON" in done.out
