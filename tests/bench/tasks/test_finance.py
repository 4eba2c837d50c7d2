"""The cells of tables of two sets in miniature."""

import json
from io import StringIO
from pathlib import Path

from rich.console import Console

from docmind.bench.runner import chosen
from docmind.bench.tasks import finance
from docmind.bench.workbench import workbench


def test_cells_of_both_sets_are_counted_beside_the_plain_way(tmp_path: Path) -> None:
    for name in ("tatqa", "convfinqa"):
        (tmp_path / name).mkdir()
    sheet = {"table": {"uid": "t", "table": [["", "2019", "2018"], ["Ale", "3", "2"]]}}
    (tmp_path / "tatqa" / "dev.json").write_text(json.dumps([sheet]), encoding="utf-8")
    (tmp_path / "convfinqa" / "dev.json").write_text(json.dumps([{"table": "- | 2019\nale | $ 3\n"}]), encoding="utf-8")
    with workbench(tmp_path, Console(file=StringIO())) as bench:
        rows = {(row.system, row.metric): row for row in finance.run(bench)}
    assert [rows[f"docmind@{name}", "cell_accuracy"].value for name in ("tatqa", "convfinqa")] == [1, 1]
    assert [rows[f"docmind@{name}", "cell_accuracy"].n for name in ("tatqa", "convfinqa")] == [2, 1]
    assert rows["split-at-bars@tatqa", "cell_accuracy"].value == 1


def test_whoever_names_finance_means_its_sets_too() -> None:
    assert list(chosen(["finance"])) == ["convfinqa", "sec-10q", "filings", "finance"]
