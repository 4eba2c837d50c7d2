"""Checking in miniature."""

from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.report import Aim
from docmind.bench.tasks import checking
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError


def test_the_speed_of_the_product_is_measured_beside_that_of_counting_words(bench: Workbench) -> None:
    rows = {(row.system, row.metric): row for row in checking.run(bench)}
    systems = ("docmind", "docmind@unread_passages", "coverage")
    assert set(rows) == {
        *((system, "per_second") for system in systems),
        ("docmind", "ratio"),
        ("docmind", "decided_share"),
        ("docmind", "p50_ms"),
        ("docmind", "p95_ms"),
    }
    assert all(rows[system, "per_second"].value > 0 for system in systems)
    assert rows["docmind", "ratio"].references == {"coverage": 1.0}
    assert rows["docmind", "p50_ms"].aim == Aim(640, at_most=True)
    assert [key for key, row in rows.items() if row.aim] == [("docmind", "p50_ms")]
    # The first of three answers is the warm-up; the others make three claims.
    assert {row.n for row in rows.values() if not row.metric.endswith("_ms")} == {3}


def test_without_its_set_nothing_is_started(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="The set 'ragtruth' is not there"):
        checking.run(Workbench(tmp_path, tmp_path, Console()))


def test_a_process_that_fails_is_told_of(bench: Workbench, data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (data / "ragtruth/qa.jsonl").unlink()
    with pytest.raises(BenchError, match="The process that timed the checks ended with code 1"):
        checking.run(bench)
    assert "qa.jsonl is not there" in capfd.readouterr().err
