"""`docmind ask`: an answer with its sources for people, one result for programs, and none where there is none."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

DocMind = Callable[..., Any]

FIELDS = [
    "run_id", "workflow", "status", "answer", "message_kind", "citations", "claims", "confidence", "unsure", "withheld",
    "nearest", "clarification", "charts", "actions", "evaluation", "usage", "bounds", "trace", "notices",
    "confidence_in_words",
]  # fmt: skip
QUESTION = "What did the board approve the purchase of?"


def test_an_answer_comes_with_its_sources_and_how_sure_it_is(filled: DocMind) -> None:
    told = filled("ask", QUESTION)
    assert told.code == 0
    assert "The board approved the purchase of the Halden mill for 14.2 million euros. [1]" in told.out
    assert "minutes.md, characters" in told.out
    (words,) = re.findall(r"^Confidence: (.+), \d+%$", told.out, re.M)
    assert words in ("very likely right", "likely right", "more likely right than not", "unsure")
    assert told.out.count("%") == 1
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
    assert (result["usage"]["model_calls"], result["usage"]["cost"]) == (0, 0.0)
    assert result["bounds"] == {"steps": 8, "model_calls": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0}


def test_what_the_documents_do_not_say_is_not_answered(filled: DocMind) -> None:
    told = filled("ask", "Who won the chess championship in Reykjavik?")
    assert told.code == 0
    assert told.out.startswith("The documents do not give a reliable answer to this question.")
    assert "Confidence" not in told.out


def test_below_a_refusal_the_nearest_passages_are_shown_and_do_not_look_like_sources(filled: DocMind) -> None:
    told = filled("ask", "Who sold the Halden mill?")
    refusal, _, near = told.out.partition("The nearest passages:")
    assert refusal.startswith("The documents do not give a reliable answer to this question.")
    assert "Minutes of the board > Decisions" in near
    assert "purchase of the Halden mill" in near
    assert "minutes.md" in near
    assert "[1]" not in told.out
    assert "“" not in near


def test_an_answer_that_is_less_sure_than_asked_for_is_withheld(filled: DocMind) -> None:
    usual = json.loads(filled("ask", QUESTION, "--json").out)
    told = filled("ask", QUESTION, "--most-wrong", "0.0001")
    assert told.code == 0
    assert told.out.startswith("An answer was found, but it is only ")
    assert "and you allow at most 0.01% wrong answers.\n\nThe nearest passages:" in told.out
    assert "Confidence" not in told.out
    (run, *_) = json.loads(filled("runs", "--json").out)
    kept = json.loads(filled("runs", "show", run["run_id"], "--json").out)["result"]["withheld"]
    assert (kept["answer"], kept["confidence"]) == (usual["answer"], usual["confidence"])


def test_an_answer_that_is_less_sure_can_be_shown_as_unsure(filled: DocMind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_ANSWERS__MOST_WRONG", "0.0001")
    monkeypatch.setenv("DOCMIND_ANSWERS__BELOW", "show_unsure")
    told = filled("ask", QUESTION)
    assert "The board approved the purchase of the Halden mill for 14.2 million euros. [1]" in told.out
    assert re.search(r"^Confidence: unsure, \d+%$", told.out, re.M)


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
        ([QUESTION, "--most-wrong", "20"], "Invalid value for '--most-wrong': "),
        ([], "Missing argument 'Q'. See `docmind ask --help`."),
    ],
    ids=["empty", "endless", "workflow", "workspace", "share", "none"],
)
def test_what_cannot_be_asked_is_one_line_and_an_exit_code(filled: DocMind, arguments: list[str], told: str) -> None:
    refused = filled("ask", *arguments)
    assert refused.code == (2 if not arguments or "--most-wrong" in arguments else 1)
    assert refused.out == ""
    assert refused.err.startswith(f"docmind: {told}")
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize("question", ["\x01\x02\x7f\udcff\udcfe", "???", "[bold]{}%s\x1b[31m", "東京都"])
def test_what_is_no_question_is_not_answered_and_breaks_nothing(filled: DocMind, question: str) -> None:
    told = filled("ask", question)
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("The documents do not give a reliable answer to this question.")


def test_where_nothing_was_ever_ingested_the_way_to_begin_is_told(docmind: DocMind) -> None:
    told = docmind("ask", QUESTION)
    assert (told.code, told.out) == (0, "")
    assert told.err.startswith("Workspace 'default' has no documents yet. Add some with `docmind ingest PATH")
    assert json.loads(docmind("ask", QUESTION, "--json").out)["status"] == "refused"
