"""`docmind ask --workflow strategy`: where sources disagree a person chooses, and the answer says who was followed."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DocMind = Callable[..., Any]

QUESTION = "What is the capital budget of Project Heron?"
PAPERS = {
    "board-paper.md": "# Board paper\n\nThe capital budget of Project Heron is EUR 42.0 million.\n",
    "minutes.md": "# Minutes of the committee\n\nThe capital budget of Project Heron is EUR 47.5 million.\n",
}


@pytest.fixture
def disputed(docmind: DocMind, tmp_path: Path) -> DocMind:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, text in PAPERS.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert docmind("ingest", folder).code == 0
    return docmind


def test_sources_that_disagree_are_put_to_a_person_whose_choice_is_followed_and_told(disputed: DocMind) -> None:
    asked = disputed("ask", QUESTION, "--workflow", "strategy")
    assert "EUR 42.0 million" in asked.out
    assert "EUR 47.5 million" in asked.out
    assert "Which source should the answer follow?" in asked.out
    assert "Confidence" not in asked.out
    (run,) = json.loads(disputed("runs", "--json").out)
    choice = "Minutes of the committee: EUR 47.5 million"
    answered = disputed("runs", "resume", run["run_id"], choice)
    assert "“Minutes of the committee” (EUR 47.5 million) was preferred" in answered.out
    assert "faithful to its sources" in answered.out
    # Of all that is measured, one number is a percentage: that of the answer.
    (percent,) = re.findall(r"\d+%", answered.out)
    assert answered.out.count("Confidence: ") == 1
    assert f", {percent}\n" in answered.out
    assert "Identical, without a model call or a search" in disputed("replay", run["run_id"]).out


def test_the_panel_of_scores_comes_with_the_result_for_programs(disputed: DocMind) -> None:
    result = json.loads(disputed("ask", QUESTION, "--workflow", "strategy", "--json").out)
    assert (result["workflow"], result["status"]) == ("strategy", "needs_clarification")
    assert {"faithfulness", "relevance", "completeness", "reasoning_quality", "overall"} <= result["evaluation"].keys()
    assert len(result["clarification"]["options"]) == 3
    assert {cited["source"] for cited in result["citations"]} <= set(PAPERS)
    assert result["citations"]
