"""The questions on filings that ship are in order, and the script that says so would notice if they were not."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from docmind.bench.finance.filings_set import Half
from tests.bench.filings_folder import REVENUE, write_filings
from tests.scripts import run_script


def checked(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[object, list[str]]:
    """The exit code of the script, and the lines it printed."""
    with pytest.raises(SystemExit) as left:
        run_script("check_filings.py", *arguments)
    return left.value.code, capsys.readouterr().out.splitlines()


def test_the_questions_that_ship_have_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(capsys) == (False, ["0 problems"])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, None),
        ({"must": ["777.77"]}, "revenue: its own answer is not right by its lists."),
        ({"kind": "riddle"}, "revenue: there is no kind riddle."),
        ({"tolerance": None}, "revenue: value, unit and tolerance do not go together."),
        ({"must": []}, "revenue: nothing must be said, or its evidence is not from its filings."),
        ({"kind": "unanswerable"}, "revenue: it is unanswerable and has an answer."),
        (
            {"evidence": [{**REVENUE["evidence"][0], "quote": "It had a dragon."}]},
            f"revenue: page 3 of {REVENUE['filings'][0]} does not say 'It had a dragon.'.",
        ),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, Any], told: str | None
) -> None:
    folder = write_filings(tmp_path, design=[{**REVENUE, **changed}], kept=[])
    said = [told] if told else []
    assert checked(capsys, folder, "--filings", folder) == (bool(told), [f"{len(said)} problems", *said])


def test_a_question_that_stands_in_both_halves_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_filings(tmp_path, design=[REVENUE], kept=[])
    shutil.copy(folder / f"{Half.DESIGN}.jsonl", folder / f"{Half.KEPT}.jsonl")
    assert checked(capsys, folder) == (True, ["1 problems", "revenue stands there twice."])
    assert json.loads((folder / "kept.jsonl").read_text("utf-8"))["id"] == "revenue"
