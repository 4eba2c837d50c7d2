"""Rows for programs and the table for people."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.report import Aim, Row, environment, shown, table_of, write_rows

ROWS = [
    Row("scifact", "bm25", "ndcg@10", 0.661, 809, {"BM25 (published)": 0.665}),
    Row("scifact", "docmind", "ndcg@10", 0.731, 809, {"BM25 (published)": 0.665}, Aim(0.72)),
    Row("latency", "search@100k", "p50_ms", 21.0, 400, aim=Aim(15, at_most=True)),
]


def printed(rows: list[Row]) -> str:
    console = Console(width=200, record=True)
    with console.capture() as capture:
        console.print(table_of(rows))
    return capture.get()


def test_the_file_is_a_list_of_rows_with_the_six_names_of_the_contract(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.json", ROWS)
    first, second, third = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert first == {
        "task": "scifact",
        "system": "bm25",
        "metric": "ndcg@10",
        "value": 0.661,
        "n": 809,
        "references": {"BM25 (published)": 0.665},
    }
    assert second["references"] == {"BM25 (published)": 0.665, "aim ≥": 0.72}
    assert third["references"] == {"aim ≤": 15}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_read_back_as_it_was_written(row: Row) -> None:
    assert Row.of(row.record()) == row


def test_the_table_names_each_task_once_and_puts_references_beside_the_value() -> None:
    text = printed(ROWS)
    assert text.count("scifact") == 1
    assert text.count("BM25 (published) 0.665") == 2


def test_an_aim_is_marked_as_reached_or_missed() -> None:
    text = printed(ROWS)
    assert "aim ≥ 0.720 ✓ reached" in text
    assert "aim ≤ 15.0 ✗ missed" in text


def test_a_bound_is_kept_from_below_and_an_aim_reached_from_above() -> None:
    assert Aim(0.72).reached_by(0.72)
    assert not Aim(0.72).reached_by(0.719)
    assert Aim(15, at_most=True).reached_by(15)
    assert not Aim(15, at_most=True).reached_by(15.1)


def test_numbers_are_shown_with_the_digits_that_matter() -> None:
    assert [shown(value) for value in (0.7284, -0.0031, 21.04, 1234.5)] == ["0.728", "-0.003", "21.0", "1,234"]


def test_the_environment_names_package_python_and_cores() -> None:
    line = environment()
    assert line.startswith("docmind ")
    assert "Python" in line
    assert line.endswith("cores")
