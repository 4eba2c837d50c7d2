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


def test_workspaces_are_listed_with_what_they_hold_and_a_new_one_while_it_is_empty(filled: DocMind) -> None:
    assert filled("workspaces", "create", "heron").out == "created  heron\n"
    assert filled("workspaces", "create", "heron").out == "there already  heron\n"
    header, *rows = (line.split() for line in filled("workspaces").out.splitlines())
    assert header == ["name", "documents", "passages", "runs"]
    assert [row[0] for row in rows] == ["default", "heron"]
    assert rows[0][1] == "3"
    assert rows[1][1:] == ["0", "0", "0"]
    listed = json.loads(filled("workspaces", "--json", "list").out)
    assert listed[1] == {"name": "heron", "documents": 0, "passages": 0, "runs": 0}


def test_without_any_it_says_how_to_begin_one(docmind: DocMind) -> None:
    nothing = docmind("workspaces")
    assert (nothing.code, nothing.out) == (0, "")
    assert "Create one with `docmind ingest PATH --workspace W`" in nothing.err


def test_a_deleted_workspace_is_gone_with_its_documents(filled: DocMind) -> None:
    assert filled("workspaces", "delete", "default", "--yes").out == "deleted  default\n"
    assert json.loads(filled("workspaces", "--json").out) == []
    assert "no documents yet" in filled("documents").err
    again = filled("workspaces", "delete", "default", "--yes")
    assert (again.code, again.err) == (1, "docmind: There is no workspace 'default'.\n")


def test_deleting_where_nobody_can_be_asked_needs_a_yes(filled: DocMind, program: DocMind) -> None:
    refused = program("workspaces", "delete", "default")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert len(json.loads(filled("documents", "--json").out)) == 3


@pytest.mark.parametrize(("answer", "code", "left"), [("n\n", 1, 1), ("y\n", 0, 0)])
def test_deleting_in_a_terminal_asks_first_and_says_what_will_go(
    filled: DocMind, answer: str, code: int, left: int
) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    command = [str(Path(sys.executable).with_name("docmind")), "workspaces", "delete", "default"]
    asked = subprocess.run(command, stdin=theirs, capture_output=True, text=True, check=False)
    os.close(ours)
    os.close(theirs)
    assert asked.returncode == code
    assert "Delete workspace 'default' with 3 documents and 0 runs? [y/N]" in asked.stderr
    assert len(json.loads(filled("workspaces", "--json").out)) == left
