import json
from collections.abc import Callable
from typing import Any

DocMind = Callable[..., Any]

FIELDS = [
    "rank",
    "relevance_score",
    "document",
    "name",
    "title",
    "source",
    "page",
    "start",
    "end",
    "heading",
    "text",
    "dense_score",
    "bm25_score",
    "duplicates",
]


def test_rows_for_programs_point_to_exact_characters(filled: DocMind) -> None:
    rows = json.loads(filled("search", "purchase of the Halden mill", "--json").out)
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    assert list(rows[0]) == FIELDS
    assert rows[0]["source"].endswith("/papers/minutes.md")
    assert all(0 <= row["relevance_score"] <= 1 for row in rows)
    text = json.loads(filled("documents", "show", rows[0]["document"], "--text", "--json").out)["text"]
    assert text[rows[0]["start"] : rows[0]["end"]] == rows[0]["text"]


def test_a_person_sees_how_sure_it_is_where_it_stands_and_the_citation(filled: DocMind) -> None:
    lines = filled("search", "energy", "prices", "at", "Halden", "-n", "1").out.splitlines()
    assert "%  Minutes of the board" in lines[0]
    assert any("Energy prices at Halden rose by a third" in line for line in lines)
    assert lines[-1].strip().startswith("papers/minutes.md, characters ")


def test_the_limit_is_kept(filled: DocMind) -> None:
    assert len(json.loads(filled("search", "board", "--json", "--limit", "2").out)) == 2


def test_a_filter_narrows_the_search(filled: DocMind) -> None:
    rows = json.loads(filled("search", "board", "--json", "--where", "document=prices.csv").out)
    assert {row["name"] for row in rows} == {"papers/prices.csv"}
    none = filled("search", "board", "--where", "fiscal_year=1999")
    assert (none.code, none.out) == (0, "")
    assert none.err == "No passage fits --where. No document here has a fiscal_year.\n"


def test_an_unknown_field_is_answered_with_the_known_ones(filled: DocMind) -> None:
    refused = filled("search", "board", "--where", "colour=red")
    assert refused.code == 2
    assert refused.err.startswith(
        "docmind: Invalid value for --where: There is no field 'colour'; the fields are company,"
    )


def test_nothing_likely_enough_says_how_likely_the_best_is(filled: DocMind) -> None:
    none = filled("search", "zebra crossings in Peru", "--min-score", "1")
    assert (none.code, none.out) == (0, "")
    assert none.err.startswith("No passage reaches --min-score; the best has 0.")
    assert json.loads(filled("search", "zebra crossings in Peru", "--min-score", "1", "--json").out) == []


def test_an_empty_workspace_says_how_to_fill_it_and_where_documents_are(filled: DocMind) -> None:
    none = filled("search", "anything", "--workspace", "other")
    assert none.code == 0
    assert none.err == (
        "Workspace 'other' has no documents yet. Add some with `docmind ingest PATH --workspace other`. "
        "Other workspaces: default.\n"
    )


def test_a_question_that_cannot_be_asked_is_one_line(filled: DocMind) -> None:
    long = "docmind: The question has 99,999 characters; the most is 10,000.\n"
    for question, line in (("", "docmind: The question is empty.\n"), ("word " * 20_000, long)):
        refused = filled("search", question)
        assert (refused.code, refused.out, refused.err) == (1, "", line)


def test_odd_questions_are_only_questions(filled: DocMind) -> None:
    for question in ("'; DROP TABLE documents; --", "日本語 \udcff \x1b[31m", "???", "[bold]"):
        asked = filled("search", question)
        assert (asked.code, asked.err) == (0, "")
        assert "\x1b" not in asked.out
