"""Rating answers, renaming, pinning and sharing conversations at the command line."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

DocMind = Callable[..., Any]

QUESTION = "What did the board approve the purchase of?"


@pytest.fixture
def asked(filled: DocMind) -> str:
    return str(json.loads(filled("ask", QUESTION, "--json").out)["run_id"])


@pytest.fixture
def thread(filled: DocMind, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{QUESTION}\n"))
    filled("chat", "--thread", "t")
    return "t"


def test_an_answer_is_rated_and_the_ratings_are_listed_and_counted(filled: DocMind, asked: str) -> None:
    assert "has been rated yet" in filled("runs", "feedback").err
    assert filled("runs", "rate", asked[:8], "wrong", "--comment", "Which mill?").out == f"{asked[:8]}  wrong\n"
    told = filled("runs", "feedback").out
    assert "wrong" in told
    assert "Which mill?" in told
    (row,) = json.loads(filled("runs", "feedback", "--json").out)
    assert (row["run_id"], row["right"], row["comment"]) == (asked, False, "Which mill?")
    (band,) = json.loads(filled("runs", "feedback", "--by-confidence", "--json").out)
    assert (band["answers"], band["right"]) == (1, 0)
    counted = filled("runs", "feedback", "--by-confidence")
    assert band["called"] in counted.out
    assert "says little" in counted.err
    filled("runs", "rate", asked, "none")
    assert json.loads(filled("runs", "feedback", "--json").out) == []


def test_nobody_rates_or_shares_the_answers_of_others(filled: DocMind, asked: str) -> None:
    for command in (["rate", asked, "right"], ["export", asked], ["export", asked, "--html"]):
        told = filled("runs", *command, "--user", "ada")
        assert (told.code, told.out) == (1, "")
        assert "There is no run" in told.err


def test_an_answer_is_exported_as_data_and_as_a_page(filled: DocMind, asked: str) -> None:
    exported = json.loads(filled("runs", "export", asked).out)
    assert (exported["run_id"], exported["workspace"]) == (asked, "default")
    page = filled("runs", "export", asked, "--html").out
    assert page.startswith("<!doctype html>")
    assert "Halden mill" in page


def test_a_conversation_is_renamed_pinned_searched_and_exported_as_a_page(filled: DocMind, thread: str) -> None:
    assert filled("threads", "rename", thread, "The", "mill").out == "t  The mill\n"
    assert filled("threads", "pin", thread).out == "t  The mill (pinned)\n"
    (row,) = json.loads(filled("threads", "list", "--search", "mill approve", "--json").out)
    assert (row["title"], row["pinned"]) == ("The mill", True)
    assert "contains 'harbour'" in filled("threads", "list", "--search", "harbour").err
    assert "<h1>The mill</h1>" in filled("threads", "export", thread, "--html").out
    assert json.loads(filled("threads", "export", thread).out)["title"] == "The mill"
    assert filled("threads", "unpin", thread).out == "t  The mill\n"
    assert filled("threads", "rename", thread, "").out == f"t  {QUESTION}\n"
    assert "There is no thread" in filled("threads", "rename", thread, "Taken", "--user", "ada").err
