"""`docmind graph`: a workflow as a drawing, and its bounds."""

import json
from collections.abc import Callable
from typing import Any

import pytest

DocMind = Callable[..., Any]


def test_a_workflow_is_drawn_with_every_node_and_branch(docmind: DocMind) -> None:
    drawn = docmind("graph", "docs")
    assert (drawn.code, drawn.err) == (0, "")
    assert "graph TD;" in drawn.out
    for edge in ("__start__ --> decompose;", "retrieve --> generate;", "judge -.-> output;", "output --> __end__;"):
        assert edge in drawn.out
    assert json.loads(docmind("graph", "docs", "--json").out)["mermaid"] == drawn.out


@pytest.mark.parametrize(("workflow", "ways"), [("strategy", "first_run or retry"), ("finance", "sufficient or error")])
def test_an_edge_names_every_way_that_leads_along_it(docmind: DocMind, workflow: str, ways: str) -> None:
    assert f"-. &nbsp;{ways}&nbsp; .->" in docmind("graph", workflow).out


def test_the_bounds_follow_the_settings(docmind: DocMind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_DOCS__MAX_HALLUCINATIONS", "3")
    told = docmind("graph", "docs", "--bounds")
    assert told.out == (
        "A run of docs takes at most, with these settings:\n"
        "       11 steps\n"
        "        0 model calls, retries included (no limit)\n"
    )  # fmt: skip
    monkeypatch.setenv("DOCMIND_BUDGET__CALLS", "7")
    bounds = json.loads(docmind("graph", "docs", "--bounds", "--json").out)
    assert (bounds["steps"], bounds["model_calls"], bounds["allowed"]["calls"]) == (11, 0, 7)


@pytest.mark.parametrize("workflow", ["docs", "strategy", "finance", "chat"])
def test_the_calls_of_a_judging_model_are_within_the_bounds_that_are_told(
    docmind: DocMind, monkeypatch: pytest.MonkeyPatch, workflow: str
) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", "http://127.0.0.1:9/v1")
    both = json.loads(docmind("graph", workflow, "--bounds", "--json").out)["model_calls"]
    assert f" {both} model calls" in docmind("graph", workflow, "--bounds").out
    monkeypatch.setenv("DOCMIND_MODELS__JUDGE", "none")
    assert 0 < json.loads(docmind("graph", workflow, "--bounds", "--json").out)["model_calls"] < both


def test_the_worst_price_follows_from_the_prices_that_are_set(
    docmind: DocMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", "http://127.0.0.1:9/v1")
    most = json.loads(docmind("graph", "docs", "--bounds", "--json").out)
    told = docmind("graph", "docs", "--bounds").out
    assert most["cost"] is None
    assert f" {most['input_tokens']:,} tokens read\n" in told
    assert f" {most['output_tokens']:,} tokens written\n" in told
    monkeypatch.setenv("DOCMIND_MODELS__CHAT_PRICE", "10/100")
    told = docmind("graph", "docs", "--bounds").out
    assert f" {(10 * most['input_tokens'] + 100 * most['output_tokens']) / 1e6:.2f} in cost\n" in told


def test_a_workflow_that_is_none_is_one_line(docmind: DocMind) -> None:
    told = docmind("graph", "poetry")
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith("docmind: There is no workflow called 'poetry': choose from docs, strategy")
