"""TAT-QA in miniature."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.report import Aim
from docmind.bench.tasks import tatqa
from docmind.bench.workbench import workbench
from docmind.domain.errors import BenchError

TABLE = [
    ["(In thousands)", "2019", "2018"],
    ["Ale", "$30", "$20"],
    ["Stout", "10", "12"],
    ["Total sales", "$40", "$32"],
]
PARAGRAPHS = [
    {"uid": "b", "order": 2, "text": "Sales of ale rose primarily due to a warm summer."},
    {"uid": "a", "order": 1, "text": "Sales by product are shown below."},
]


def question(text: str, answer: object, kind: str, scale: str = "") -> dict[str, object]:
    return {"question": text, "answer": answer, "answer_type": kind, "scale": scale, "derivation": ""}


QUESTIONS = [
    question("What were the total sales in 2019?", ["$40"], "span", "thousand"),
    question("Why did sales of ale rise?", ["due to a warm summer"], "span"),
    question("What was the percentage change in ale from 2018 to 2019?", 50, "arithmetic", "percent"),
    question("What was the change in stout from 2018 to 2019?", -2, "arithmetic", "thousand"),
    question("How many years did ale exceed $25 thousand?", 1, "count"),
    question("What was the stout in 2019 and 2018 respectively?", ["10", "12"], "multi-span", "thousand"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "tatqa"
    folder.mkdir(parents=True)
    sheet = {"table": {"uid": "t", "table": TABLE}, "paragraphs": PARAGRAPHS, "questions": QUESTIONS}
    (folder / "dev.json").write_text(json.dumps([sheet, sheet]), encoding="utf-8")
    return tmp_path / "data"


def test_the_product_is_scored_by_type_and_operation_beside_a_lookup_and_published_numbers(data: Path) -> None:
    told = StringIO()
    with workbench(data, Console(file=told, width=200)) as bench:
        rows = {(row.system, row.metric): row for row in tatqa.run(bench)}
    whole = rows["docmind", "exact_match"]
    assert whole.value == pytest.approx(5 / 6)
    assert (whole.n, whole.aim) == (12, Aim(0.501))
    assert whole.references == {"TagOp, trained (published)": 0.501}
    assert rows["docmind", "numeric_f1"].value == pytest.approx((5 + 0.89) / 6)
    assert (rows["docmind@arithmetic", "exact_match"].value, rows["docmind@arithmetic", "exact_match"].n) == (1.0, 4)
    assert rows["docmind@asks_growth", "exact_match"].value == 1.0
    assert [rows[f"docmind@{half}", "exact_match"].n for half in ("designed_on", "unseen")] == [6, 6]
    assert rows["row-lookup", "exact_match"].value < whole.value
    assert rows["row-lookup", "exact_match"].aim is None
    assert (
        "Why did sales of ale rise? wanted due to a warm summer, was primarily due to a warm summer" in told.getvalue()
    )


def test_a_set_without_its_file_says_which_is_missing(data: Path) -> None:
    (data / "tatqa" / "dev.json").unlink()
    with workbench(data, Console(file=StringIO())) as bench, pytest.raises(BenchError, match=r"dev\.json is not there"):
        tatqa.run(bench)
