"""`docmind ask`: an answer with its sources for people, one result for programs, and none where there is none."""

import json
from collections.abc import Callable
from typing import Any

import pytest

DocMind = Callable[..., Any]

FIELDS = [
    "run_id", "workflow", "status", "answer", "citations", "claims", "confidence", "clarification", "charts", "actions",
    "evaluation", "usage", "trace",
]  # fmt: skip
QUESTION = "What did the board approve the purchase of?"


def test_an_answer_comes_with_its_sources_and_how_sure_it_is(filled: DocMind) -> None:
    told = filled("ask", QUESTION)
    assert told.code == 0
    assert "The board approved the purchase of the Halden mill for 14.2 million euros. [1]" in told.out
    assert "minutes.md, characters" in told.out
    assert "Confidence " in told.out
    assert told.err == ""


def test_a_result_for_programs_cites_exact_characters(filled: DocMind) -> None:
    result = json.loads(filled("ask", QUESTION, "--json").out)
    assert list(result) == FIELDS
    assert (result["workflow"], result["status"]) == ("docs", "answered")
    citation = result["citations"][0]
    assert citation["end"] - citation["start"] == len(citation["quote"])
    assert citation["source"] == "minutes.md"
    shown = filled("documents", "show", "minutes.md", "--span", f"{citation['start']}:{citation['end']}")
    assert citation["quote"] in shown.out
    for claim in result["claims"]:
        assert result["answer"][claim["start"] : claim["end"]]
        assert claim["status"] == "supported"
    assert [event["node"] for event in result["trace"]] == ["decompose", "retrieve", "generate", "judge", "output"]
    assert result["usage"]["model_calls"] == 0


def test_what_the_documents_do_not_say_is_not_answered(filled: DocMind) -> None:
    told = filled("ask", "Who won the chess championship in Reykjavik?")
    assert told.code == 0
    assert told.out.startswith("Unable to provide a confident response. Please rephrase your query.")
    assert "Confidence" not in told.out


def test_the_path_that_was_taken_can_be_seen(filled: DocMind) -> None:
    told = filled("ask", QUESTION, "--trace")
    assert "judge" in told.out
    assert "0 model calls" in told.out


def test_an_empty_workspace_says_how_to_fill_it(filled: DocMind) -> None:
    told = filled("ask", QUESTION, "--workspace", "empty")
    assert "docmind ingest PATH --workspace empty" in told.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["  "], "The question is empty."),
        (["x" * 100_000], "The question has 100,000 characters; the most is 10,000."),
        ([QUESTION, "--workflow", "poetry"], "There is no workflow called 'poetry': choose from "),
        ([QUESTION, "--workspace", "a/b"], "'a/b' cannot be a workspace name: "),
        ([], "Missing argument 'Q'. See `docmind ask --help`."),
    ],
    ids=["empty", "endless", "workflow", "workspace", "none"],
)
def test_what_cannot_be_asked_is_one_line_and_an_exit_code(filled: DocMind, arguments: list[str], told: str) -> None:
    refused = filled("ask", *arguments)
    assert refused.code == (1 if arguments else 2)
    assert refused.out == ""
    assert refused.err.startswith(f"docmind: {told}")
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize("question", ["\x01\x02\x7f\udcff\udcfe", "???", "[bold]{}%s\x1b[31m", "日本語"])
def test_what_is_no_question_is_not_answered_and_breaks_nothing(filled: DocMind, question: str) -> None:
    told = filled("ask", question)
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("Unable to provide a confident response.")


def test_where_nothing_was_ever_ingested_the_way_to_begin_is_told(docmind: DocMind) -> None:
    told = docmind("ask", QUESTION)
    assert (told.code, told.out) == (0, "")
    assert told.err.startswith("Workspace 'default' has no documents yet: `docmind ingest PATH")
    assert json.loads(docmind("ask", QUESTION, "--json").out)["status"] == "refused"
