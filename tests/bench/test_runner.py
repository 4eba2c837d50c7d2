"""Which tasks run, and what becomes of one that cannot."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.report import Row
from docmind.bench.runner import TASKS, chosen, run
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError

QUIET = Console(file=StringIO())


def measured(bench: Workbench) -> list[Row]:
    (bench.scratch / "left behind").touch()
    return [Row("measured", "docmind", "ratio", float(bench.scratch.exists()), 1)]


def unpacked(bench: Workbench) -> list[Row]:
    bench.dataset("scifact")
    return []


def test_an_unknown_task_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BenchError, match="no benchmark called 'scifakt': choose from scifact, aws-docs"):
        chosen(["latency", "scifakt"])


def test_no_name_means_every_task_but_the_longest() -> None:
    assert list(chosen([])) == [name for name in TASKS if name not in ("scale", "loop")]
    assert list(chosen(["scale"])) == ["scale"]


def test_named_tasks_run_once_in_the_order_in_which_one_can_use_what_another_built() -> None:
    assert list(chosen(["latency", "ingest", "latency"])) == ["ingest", "latency"]


def test_whoever_names_the_chat_workflow_means_the_sets_that_measure_it() -> None:
    assert list(chosen(["chat"])) == ["canard", "chat", "mtrag-un"]


def test_a_missing_set_is_named_with_its_place_and_the_other_tasks_go_on(tmp_path: Path) -> None:
    missing, found = run({"unpacked": unpacked, "measured": measured}, tmp_path / "data", QUIET)
    assert missing.rows == []
    assert missing.failure is not None
    assert missing.failure.startswith(f"The set 'scifact' is not there: it was expected in {tmp_path}/data/scifact.")
    assert found.failure is None
    assert [row.value for row in found.rows] == [1]


def test_temporary_folders_are_gone_when_the_run_ends(tmp_path: Path) -> None:
    folders: list[Path] = []

    def remember(bench: Workbench) -> list[Row]:
        folders.append(bench.scratch)
        return measured(bench)

    assert len(list(run({"measured": remember}, tmp_path, QUIET))) == 1
    assert not folders[0].exists()


def test_what_one_task_built_the_next_one_finds(bench: Workbench) -> None:
    assert bench.once("number", lambda: [1]) is bench.once("number", lambda: [2])
