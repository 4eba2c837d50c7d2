"""The questions over tables that ship fit their tables, and the script that says so would notice if they did not."""

import json
from pathlib import Path

import pytest

from tests.scripts import run_script

DOCUMENT = """\
# Flour

| Flour | Price | Sacks |
|---|---|---|
| Rye | 24 | 4 |
| Spelt | 31 | 3 |
| Oat | 19 | 2 |
"""
Row = dict[str, object]
FITS: Row = {"id": "q", "doc": "flour", "question": "Dearest?", "type": "which", "must": ["Spelt"], "must_not": ["Rye"]}


def checked(capsys: pytest.CaptureFixture[str], *root: Path) -> tuple[object, str]:
    with pytest.raises(SystemExit) as left:
        run_script("check_tables.py", *root)
    return left.value.code, capsys.readouterr().out


def write_parts(root: Path, row: Row) -> Path:
    for part, name in (("train", "flour"), ("kept", "other")):
        (root / part / "docs").mkdir(parents=True)
        (root / part / "docs" / f"{name}.md").write_text(DOCUMENT, "utf-8")
        (root / part / "questions.jsonl").write_text(
            json.dumps({**FITS, "doc": name} if part == "kept" else row), "utf-8"
        )
    return root


def test_the_questions_that_ship_have_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(capsys) == (False, "0 problems\n")


@pytest.mark.parametrize(
    "changed",
    [
        {"must": ["Barley"]},
        {"must_not": ["Spelt"]},
        {"type": "total", "must": ["73"], "must_not": []},
        {"type": "compare", "must": ["6"], "must_not": []},
        {"type": "how_many", "must": ["40"], "must_not": []},
        {"type": "lookup", "must": ["Barley"], "must_not": []},
        {"type": "unanswerable"},
    ],
)
def test_an_answer_that_the_table_does_not_give_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: Row
) -> None:
    row = {**FITS, **changed}
    code, said = checked(capsys, write_parts(tmp_path, row))
    assert (code, said) == (True, f"1 problems\nq: the document does not bear out {row['must']}.\n")


@pytest.mark.parametrize(
    "fitting",
    [{}, {"type": "total", "must": ["74"], "must_not": []}, {"type": "compare", "must": ["7"], "must_not": []}],
)
def test_an_answer_that_the_table_gives_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fitting: Row
) -> None:
    assert checked(capsys, write_parts(tmp_path, {**FITS, **fitting})) == (False, "0 problems\n")
