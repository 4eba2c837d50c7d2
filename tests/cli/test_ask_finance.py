"""`docmind ask --workflow finance`: figures, formulas and charts, for people and for programs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

DocMind = Callable[..., Any]
REPORT = """# Annual report 2023 of Anvil Works plc

The following table shows our results (in thousands of euros):

| | 2023 | 2022 | 2021 |
|---|---|---|---|
| Revenue | 12,500 | 10,000 | 8,000 |
| Profit for the year | 1,250 | 900 | 640 |
"""
GROWTH = "By what percentage did Anvil's revenue grow from 2022 to 2023?"


@pytest.fixture
def report(docmind: DocMind, tmp_path: Path) -> DocMind:
    (tmp_path / "anvil.md").write_text(REPORT)
    assert docmind("ingest", tmp_path / "anvil.md").code == 0

    def call(*arguments: str) -> Any:
        return docmind("ask", "--workflow", "finance", "--user", "ann", *arguments)

    return call


def test_a_calculation_is_told_with_its_formula_its_cells_and_a_chart_beside_it(
    report: DocMind, tmp_path: Path
) -> None:
    told = report(GROWTH, "--charts", str(tmp_path / "charts"))
    assert told.code == 0, told.err
    assert "Anvil's revenue grew by 25.00% from 2022 to 2023 [1]." in told.out
    assert "(12,500 − 10,000) / 10,000 × 100 = 25.00%" in told.out
    assert "cell Revenue: 2023, characters" in told.out
    (image,) = (tmp_path / "charts").iterdir()
    assert f"Chart 1: {image}" in told.out
    with Image.open(image) as opened:
        assert opened.format == "PNG"


def test_the_next_question_of_a_user_may_lean_on_the_last(report: DocMind) -> None:
    assert "EUR 12,500 thousand in 2023" in report("What was Anvil's revenue in 2023?").out
    assert "EUR 10,000 thousand in 2022" in report("and the year before?").out


def test_a_result_for_programs_has_the_chart_as_it_is_drawn_in_a_browser(report: DocMind) -> None:
    result = json.loads(report(GROWTH, "--json").out)
    assert (result["workflow"], result["status"]) == ("finance", "answered")
    assert "\\frac" in result["answer"]
    assert {cited["source"] for cited in result["citations"] if cited["cell"]} == {"anvil.md"}
    (chart,) = result["charts"]
    assert chart["number"] == 1
    assert chart["config"]["data"] == {
        "labels": ["2021", "2022", "2023"],
        "datasets": [
            {
                "label": "Anvil Revenue (EUR thousand)",
                "data": [8000, 10000, 12500],
                "backgroundColor": "#2563eb",
                "borderColor": "#2563eb",
            }
        ],
    }
    assert not list(Path().glob("*.png"))


def test_what_no_table_tells_is_refused_with_the_reason(report: DocMind) -> None:
    told = report("What was Anvil's revenue in 2019?")
    assert "The documents do not answer this question." in told.out
    assert "do not cover the period asked for" in told.out
