"""ConvFinQA in miniature."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.tasks import convfinqa
from docmind.bench.workbench import Workbench, workbench
from docmind.domain.errors import BenchError

CONVERSATION = {
    "id": "Single_BEER/2019/page_1.pdf-1",
    "text": "sales by product for the years ended december 31 , 2019 and 2018 are shown below .",
    "table": "( $ in thousands ) | 2019 | 2018\nale | $ 30 | $ 20\nstout | -10 ( 10 ) | 2014\n",
    "questions": [
        "what was the ale in 2019?",
        "and what was it in 2018?",
        "what was, then, the change over the year?",
        "so what was the percentage change?",
        "what is that times 100?",
        "what was the stout in 2018?",
        "what was the cider in 2018?",
    ],
    "programs": [
        "ans = 30",
        "ans = 20",
        "ans = 30 - 20",
        "x0 = 30 - 20; ans = x0 / 20",
        "x0 = 30 - 20; x1 = x0 / 20; ans = x1 * 100",
        "ans = 0",
        "ans = 7",
    ],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "convfinqa"
    folder.mkdir(parents=True)
    (folder / "dev.json").write_text(json.dumps([CONVERSATION, CONVERSATION]), encoding="utf-8")
    return tmp_path / "data"


@pytest.fixture
def quiet(data: Path) -> Workbench:
    return Workbench(data, data, Console(file=StringIO()))


def test_every_turn_counts_and_what_was_answered_before_is_built_on(quiet: Workbench) -> None:
    rows = {(row.system, row.metric): row for row in convfinqa.run(quiet)}
    whole = rows["docmind", "execution_accuracy"]
    assert whole.n == 14
    assert whole.value == pytest.approx(6 / 7)
    assert rows["docmind", "execution_accuracy@first_turn"].value == 1
    assert [rows[f"docmind@{half}", "execution_accuracy"].n for half in ("designed_on", "unseen")] == [7, 7]
    assert rows["row-lookup", "execution_accuracy"].value < whole.value
    assert rows["docmind", "wrong_and_certain"].value <= 1 / 7


def test_a_set_without_its_file_says_which_is_missing(data: Path) -> None:
    (data / "convfinqa" / "dev.json").unlink()
    with workbench(data, Console(file=StringIO())) as bench, pytest.raises(BenchError, match=r"dev\.json is not there"):
        convfinqa.run(bench)
