"""Questions on filed reports in miniature: the annual reports that come with the product stand in for them."""

import csv
import shutil
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.tasks import sec_10q
from docmind.bench.workbench import workbench

REPORTS = Path(__file__).resolve().parents[3] / "examples" / "finance"
HEADER = ["Question", "Source Docs", "Question Type", "Source Chunk Type", "Answer"]
QUESTIONS = [
    (
        "What was Ellandor's revenue in 2023?",
        "*2023 Q4 ELLN*",
        "Single-Doc Single-Chunk RAG",
        "It was EUR 601.02 million.",
    ),
    ("What does Ellandor say of its founder?", "*ELLN*", "Multi-Doc RAG", "Nothing. SOURCE(S): 12"),
    ("What was Brackwater's revenue in 2024?", "*2024 Q4 ZZ*", "Single-Doc Single-Chunk RAG", "EUR 148.7 million"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "sec-10q"
    (folder / "docs").mkdir(parents=True)
    shutil.copy(REPORTS / "ellandor-annual-report-2023.pdf", folder / "docs" / "2023 Q4 ELLN.pdf")
    shutil.copy(REPORTS / "brackwater-annual-report-2024.pdf", folder / "docs" / "2024 Q4 ZZ.pdf")
    with (folder / "questions.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [(text, source, kind, "Table", answer) for text, source, kind, answer in QUESTIONS]
        csv.writer(file).writerows([HEADER, *rows])
    return tmp_path / "data"


def test_reports_cited_and_figures_told_are_counted_beside_plain_search(data: Path) -> None:
    with workbench(data, Console(file=StringIO())) as bench:
        rows = {(row.system, row.metric): row for row in sec_10q.run(bench, companies=1, embedder="static")}
    assert rows["docmind", "source_recall"].n == 2
    told = rows["docmind", "numeric_match"]
    assert (told.value, told.n) == (1, 1)
    assert rows["docmind", "wrong_and_certain"].value == 0
    assert rows["docmind", "p50_ms"].aim == sec_10q.AIM_P50_MS
    assert rows["search+quote", "source_recall"].n == 2
