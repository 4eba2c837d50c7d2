"""`docmind replay`: equal to the byte, or the step that decides differently."""

import json
from collections.abc import Callable
from typing import Any

import pytest

DocMind = Callable[..., Any]

QUESTION = "What did the board approve the purchase of?"


def test_a_replay_says_that_nothing_changed(filled: DocMind) -> None:
    run = json.loads(filled("ask", QUESTION, "--json").out)
    told = filled("replay", run["run_id"][:8])
    path = "decompose → retrieve → generate → judge → output"
    assert (told.code, told.out) == (0, f"Identical, without a model call or a search: {path}\n")
    again = json.loads(filled("replay", run["run_id"], "--json").out)
    assert (again["equal"], again["difference"]) == (True, None)
    assert again["result"]["answer"] == run["answer"]


def test_a_replay_that_goes_another_way_says_where(filled: DocMind, monkeypatch: pytest.MonkeyPatch) -> None:
    run = json.loads(filled("ask", QUESTION, "--json").out)["run_id"]
    monkeypatch.setenv("DOCMIND_DOCS__SECTIONS", "3")
    told = filled("replay", run)
    assert told.code == 1
    assert told.out.startswith("It decides differently in retrieve: The run has no record of a search for “What did")
    assert json.loads(filled("replay", run, "--json").out)["difference"]["node"] == "retrieve"
