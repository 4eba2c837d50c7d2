"""`docmind bench` from the outside."""

import json
from pathlib import Path

import pytest

from docmind.cli.main import run


def test_an_unknown_task_ends_with_a_sentence_that_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "scifakt"]) == 1
    assert "There is no benchmark called 'scifakt': choose from scifact, aws-docs" in capsys.readouterr().err


def test_a_named_task_without_its_set_fails_with_where_it_was_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.json"
    assert run(["bench", "scifact", "aws-docs", "--data", str(tmp_path), "--json", str(rows)]) == 1
    complaint = capsys.readouterr().err
    assert f"The set 'scifact' is not there: it was expected in {tmp_path}/scifact." in complaint
    assert f"The set 'aws-docs' is not there: it was expected in {tmp_path}/aws-docs." in complaint
    assert json.loads(rows.read_text()) == []


def test_the_data_folder_comes_from_the_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCMIND_BENCH_DATA", str(tmp_path / "sets"))
    run(["bench", "scifact"])
    assert f"{tmp_path}/sets/scifact" in capsys.readouterr().err


def test_rows_are_written_and_the_table_is_printed_under_the_environment(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.json"
    assert run(["bench", "embedding", "--data", str(data), "--json", str(rows)]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("docmind ")
    assert "per_second" in printed.out
    assert "--fp32" in printed.err
    assert {row["metric"] for row in json.loads(rows.read_text())} == {"per_second"}


def test_a_file_that_cannot_be_written_is_found_out_before_anything_is_measured(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", "embedding", "--data", str(data), "--json", str(tmp_path / "no folder" / "rows.json")]) == 1
    assert "no folder" in capsys.readouterr().err
