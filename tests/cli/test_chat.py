"""`docmind chat` and `docmind threads`: talking, being asked back, going on another day, looking back, forgetting."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DocMind = Callable[..., Any]
QUESTION = "What did the board approve the purchase of?"
FACILITIES = Path(__file__).parents[2] / "examples" / "facilities" / "facilities.csv"


@pytest.fixture
def chat(filled: DocMind, monkeypatch: pytest.MonkeyPatch) -> DocMind:
    """Hold a conversation of these lines in a thread."""

    def held(*lines: str, options: tuple[str, ...] = ("--thread", "t")) -> Any:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return filled("chat", *options)

    return held


def test_a_message_may_lean_on_the_one_before(chat: DocMind) -> None:
    told = chat(QUESTION, "When is it to close?", "", "/quit", "never said")
    assert told.code == 0
    assert "Halden mill for 14.2 million euros" in told.out
    assert "30 June" in told.out
    assert "never said" not in told.out
    assert "Thread t." in told.err


def test_what_is_asked_back_is_a_menu_that_can_be_answered_another_day(chat: DocMind, filled: DocMind) -> None:
    asked = chat("How much did it rise?")
    assert "What do you mean?\n  1. " in asked.out
    assert "Type a number" in asked.err
    open_still = filled("threads", "pending")
    assert "How much did it rise?" in open_still.out
    (row,) = json.loads(filled("threads", "pending", "--json").out)
    assert (row["thread"], len(row["clarification"]["options"]) >= 2) == ("t", True)
    answered = chat("energy prices")
    assert "You asked “How much did it rise?”" in answered.err
    assert "rose by a third" in answered.out
    assert "No questions are waiting for you." in filled("threads", "pending").err


def test_a_question_of_its_own_is_no_reply(chat: DocMind) -> None:
    told = chat("How much did it rise?", QUESTION)
    assert "What do you mean?" in told.out
    assert "Halden mill for 14.2 million euros" in told.out
    assert "[1]" in told.out


def test_places_are_found_in_the_same_conversation(chat: DocMind, filled: DocMind) -> None:
    filled("facilities", "import", FACILITIES)
    told = chat("clinics near Springfield", "1", "which of them are open on Sunday?")
    assert "Which Springfield do you mean?" in told.out
    assert told.out.count("Lincoln Row Clinic") == 2
    assert "Sunday 09:00–12:00" in told.out


def test_commands_show_sources_history_and_begin_anew(chat: DocMind, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    told = chat(
        "/sources", QUESTION, "/sources", "/history", f"/export {file}", "/export", "/fly", "/help", "/new", "hello"
    )
    assert "Nothing has been answered yet." in told.err
    assert "papers/minutes.md" in told.out
    assert "1 turn written" in told.err
    assert json.loads(file.read_text())["turns"][0]["question"] == QUESTION
    assert "Name the file" in told.err
    assert "Unknown command /fly." in told.err
    assert "/export FILE  write" in told.err
    assert told.err.count("Thread ") == 2
    assert "Ask me anything" in told.out


def test_what_goes_wrong_is_said_and_the_conversation_goes_on(chat: DocMind) -> None:
    told = chat("x" * 20_000, "/history", "hello")
    assert told.code == 0
    assert "docmind: The question has 20,000 characters" in told.err
    assert "docmind: There is no thread 't'" in told.err
    assert "Ask me anything" in told.out


def test_simple_mode_remembers_nothing(chat: DocMind, filled: DocMind) -> None:
    told = chat(QUESTION, "When is it to close?", options=("--simple", "--trace"))
    assert told.out.count("classify") == 2
    assert "There are no conversations" in filled("threads").err
    refused = chat(options=("--simple", "--thread", "t"))
    assert refused.code == 2
    assert "cannot be used with --thread" in refused.err


def test_threads_are_listed_shown_exported_and_deleted(chat: DocMind, filled: DocMind) -> None:
    chat(QUESTION, "When is it to close?")
    head, line = filled("threads").out.splitlines()
    assert head.split()[0] == "thread"
    assert line.split()[0] == "t"
    assert line.rstrip().endswith(QUESTION)
    assert json.loads(filled("threads", "--json").out)[0]["turns"] == 2
    shown = filled("threads", "show", "t").out
    assert shown.index(QUESTION) < shown.index("When is it to close?") < shown.index("30 June")
    assert len(json.loads(filled("threads", "export", "t").out)["turns"]) == 2
    assert "add --yes" in filled("threads", "delete", "t").err
    assert filled("threads", "delete", "t", "--yes").out == "deleted  t\n"
    gone = filled("threads", "show", "t")
    assert (gone.code, gone.err) == (1, "docmind: There is no thread 't' in workspace 'default'.\n")


def test_a_thread_of_another_user_is_not_found(chat: DocMind, filled: DocMind) -> None:
    chat(QUESTION, options=("--thread", "t", "--user", "ada"))
    assert "There is no thread 't'" in filled("threads", "show", "t", "--user", "ben").err
    assert QUESTION in filled("threads", "show", "t", "--user", "ada").out


def test_ask_chooses_the_mode_of_the_chat_workflow(filled: DocMind, monkeypatch: pytest.MonkeyPatch) -> None:
    def first_node(*options: str) -> str:
        told = json.loads(filled("ask", QUESTION, "--workflow", "chat", "--json", *options).out)
        assert told["workflow"] == "chat"
        return str(told["trace"][0]["node"])

    assert first_node() == "classify"
    assert first_node("--conversational") == "router"
    assert first_node("--thread", "t") == "router"
    monkeypatch.setenv("CONVERSATIONAL_MODE", "true")
    assert first_node() == "router"
    assert first_node("--simple") == "classify"
