"""`docmind settings`: what is set, where, and changes to one's own file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DocMind = Callable[..., Any]
OWN = Path(".docmind/.env")


def own_lines() -> list[str]:
    return (Path.home() / OWN).read_text().splitlines()


def test_a_setting_is_changed_shown_and_taken_back(docmind: DocMind) -> None:
    done = docmind("settings", "set", "answers.most_wrong", "0.2")
    assert (done.code, done.out) == (0, "changed  answers.most_wrong\n")
    waits = docmind("settings", "set", "DOCMIND_INGEST__MAX_PAGES", "9").out
    assert waits == "changed  ingest.max_pages (a running service uses it after its next start)\n"
    shown = {row["variable"]: row for row in json.loads(docmind("settings", "--json").out)}
    assert shown["DOCMIND_ANSWERS__MOST_WRONG"] == {
        "variable": "DOCMIND_ANSWERS__MOST_WRONG",
        "value": "0.2",
        "origin": "~/.docmind/.env",
    }
    assert shown["DOCMIND_MODELS__EMBEDDER"]["origin"] == "environment"
    assert "DOCMIND_SERVER__FILES" not in shown
    assert "DOCMIND_SERVER__FILES" in docmind("settings", "--all").out
    docmind("settings", "unset", "answers.most_wrong")
    assert docmind("settings", "unset", "answers.most_wrong").out == "unchanged  answers.most_wrong\n"
    assert own_lines() == ["DOCMIND_INGEST__MAX_PAGES='9'"]


def test_a_wrong_value_or_name_is_refused_with_what_to_do(docmind: DocMind) -> None:
    refused = docmind("settings", "set", "answers.most_wrong", "7")
    assert (refused.code, refused.err) == (
        1,
        "docmind: DOCMIND_ANSWERS__MOST_WRONG is not valid: Input should be less than or equal to 1.\n",
    )
    assert "Did you mean server.files?" in docmind("settings", "set", "server.fils", "7").err
    assert "DOCMIND_DATA_DIR is set in the environment" in docmind("settings", "set", "data_dir", "/x").err


def test_whoever_sits_at_the_machine_may_set_what_the_page_may_not(docmind: DocMind) -> None:
    assert docmind("settings", "set", "server.hosts", "docs.example.org").code == 0
    assert own_lines() == ["DOCMIND_SERVER__HOSTS='docs.example.org'"]


def test_a_key_is_asked_for_and_never_shown(
    docmind: DocMind, monkeypatch: pytest.MonkeyPatch, chat_server: Any
) -> None:
    monkeypatch.setattr("typer.prompt", lambda *_, **options: "sk-quiet" if options["hide_input"] else "no")
    asked: list[str] = []

    def turn(handler: Any) -> None:
        asked.append(handler.headers["Authorization"])
        chat_server.fails(401)(handler)

    chat_server.play(turn)
    assert docmind("models", "use", chat_server.url, "--key").code == 1
    assert asked == ["Bearer sk-quiet"]
    assert docmind("models", "use", chat_server.url, "--key", "--unchecked").code == 0
    assert "DOCMIND_MODELS__CHAT_API_KEY='sk-quiet'" in own_lines()
    assert "sk-quiet" not in docmind("settings", "--json").out
    left = docmind("models", "use", "http://127.0.0.1:9/v1", "--unchecked")
    assert "was removed: it is never sent to anybody else." in left.err
    docmind("settings", "set", "models.chat_api_key")
    assert "DOCMIND_MODELS__CHAT_API_KEY='sk-quiet'" in own_lines()
