"""CANARD on two made-up conversations: the product beside the question unchanged and beside everything said."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.tasks import canard
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError

TOLD = ["Ada Brand", "Work", "Where did Ada Brand work?", "In Halden."]
RECORDS = [
    {"History": TOLD[:2], "Question": "Where did she work?", "Question_no": 1, "Rewrite": "Where did Ada Brand work?"},
    {"History": TOLD, "Question": "What did she build?", "Question_no": 2, "Rewrite": "What did Ada Brand build?"},
]


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    (tmp_path / "canard").mkdir()
    return Workbench(tmp_path, tmp_path, Console(quiet=True))


def write(bench: Workbench, records: object) -> None:
    (bench.data / "canard" / "rewrites.json").write_text(json.dumps(records))


def test_questions_are_said_alone_turn_by_turn_beside_those_that_are_not(bench: Workbench) -> None:
    scored = next(f"c{number}" for number in range(99) if not canard.was_looked_at(f"c{number}"))
    seen = next(f"c{number}" for number in range(99) if canard.was_looked_at(f"c{number}"))
    write(bench, [{**record, "QuAC_dialog_id": name} for name in (scored, seen) for record in reversed(RECORDS)])
    rows = {(row.system, row.metric): row for row in canard.run(bench)}
    assert rows["docmind", "bleu"].value == rows["docmind", "rouge_l"].value == 1.0
    assert rows["unchanged", "rouge_l"].value < 1
    assert rows["with-history", "rouge_l"].value < rows["unchanged", "rouge_l"].value
    assert {row.n for row in rows.values()} == {2}
    assert rows["docmind minus unchanged", "bleu"].aim == canard.AIM_OVER_UNCHANGED


def test_a_set_that_cannot_be_read_is_named(bench: Workbench) -> None:
    write(bench, [{"Question": "?"}])
    with pytest.raises(BenchError, match=r"rewrites\.json cannot be read"):
        canard.run(bench)
