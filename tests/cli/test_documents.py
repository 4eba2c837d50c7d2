import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DocMind = Callable[..., Any]


def test_the_list_is_a_table_that_grep_can_read(filled: DocMind) -> None:
    header, *rows = filled("documents", "list").out.splitlines()
    assert header.split() == ["name", "title", "type", "period", "pages", "passages", "ingested", "id"]
    assert [row.split()[0] for row in rows] == ["papers/guide.md", "papers/minutes.md", "papers/prices.csv"]


def test_options_before_the_subcommand_count_as_well(docmind: DocMind, papers: Path) -> None:
    docmind("ingest", papers / "guide.md", "--workspace", "travel")
    assert "Handbook" in docmind("documents", "--workspace", "travel", "show", "guide.md").out
    assert json.loads(docmind("documents", "-w", "travel", "--json", "list").out)[0]["name"] == "guide.md"


def test_show_tells_what_is_known_and_the_outline(filled: DocMind) -> None:
    shown = filled("documents", "show", "minutes.md").out
    assert shown.startswith("title ")
    assert "Minutes of the board" in shown.splitlines()[0]
    assert "outline" in shown
    assert [line.strip().split("  ")[0] for line in shown.splitlines()[-2:]] == ["Decisions", "Risks"]
    row = json.loads(filled("documents", "show", "minutes.md", "--json").out)
    assert [entry["heading"] for entry in row["outline"]][-2:] == ["Decisions", "Risks"]
    assert "text" not in row


def test_a_span_is_printed_character_for_character(filled: DocMind) -> None:
    text = filled("documents", "show", "minutes.md", "--text").out
    assert filled("documents", "show", "minutes.md", "--span", "3:40").out == text[3:40]
    assert filled("documents", "show", "minutes.md", "--span", f"0:{len(text)}").out == text


@pytest.mark.parametrize("span", ["5:2", "0:99999", "x:y", "5", "", "-3:4"])
def test_a_span_that_is_not_in_the_document_is_refused(filled: DocMind, span: str) -> None:
    refused = filled("documents", "show", "minutes.md", f"--span={span}")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.count("\n") == 1


def test_an_unknown_document_is_one_line(filled: DocMind) -> None:
    missing = filled("documents", "show", "nowhere.pdf")
    assert (missing.code, missing.err) == (1, "docmind: There is no document 'nowhere.pdf' in workspace 'default'.\n")


def test_deleting_takes_all_or_nothing(filled: DocMind) -> None:
    assert filled("documents", "delete", "minutes.md", "nowhere.pdf", "--yes").code == 1
    assert len(json.loads(filled("documents", "--json").out)) == 3
    assert filled("documents", "delete", "minutes.md", "guide.md", "--yes").code == 0
    assert [row["name"] for row in json.loads(filled("documents", "--json").out)] == ["papers/prices.csv"]
    assert "Halden" not in filled("search", "Halden mill").out


def test_deleting_where_nobody_can_be_asked_needs_a_yes(filled: DocMind, program: DocMind) -> None:
    refused = program("documents", "delete", "minutes.md")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert len(json.loads(filled("documents", "--json").out)) == 3


@pytest.mark.parametrize(("answer", "code", "left"), [("n\n", 1, 3), ("y\n", 0, 2)])
def test_deleting_in_a_terminal_asks_first(filled: DocMind, answer: str, code: int, left: int) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    command = [str(Path(sys.executable).with_name("docmind")), "documents", "delete", "minutes.md"]
    asked = subprocess.run(command, stdin=theirs, capture_output=True, text=True, check=False)
    os.close(ours)
    os.close(theirs)
    assert asked.returncode == code
    assert "Delete papers/minutes.md from workspace 'default'? [y/N]" in asked.stderr
    assert len(json.loads(filled("documents", "--json").out)) == left
