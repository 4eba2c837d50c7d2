"""Questions end to end, in miniature."""

from pathlib import Path

import pytest

from docmind.bench import labelled
from docmind.bench.report import Row
from docmind.bench.retrieval import ingested
from docmind.bench.tasks import docs
from docmind.bench.workbench import SCOPE, Workbench, open_engine

QUESTIONS = """\
Question,Answer_True,Yes_No_True,Document_True
Are disks encrypted with managed keys?,Disks are encrypted with managed keys,Yes,ec2-guide/encryption.md
How many tags may resources have at most?,fifty,None,ec2-guide/tags.md
How many days are backups kept?,seven days,None,rds-guide/backup.md
"""


@pytest.fixture(autouse=True)
def _questions(data: Path) -> None:
    (data / "aws-docs/questions.csv").write_text(QUESTIONS, encoding="utf-8")


def values(rows: list[Row], system: str) -> dict[str, float]:
    return {row.metric: row.value for row in rows if row.system == system}


def test_all_answer_from_the_right_pages_and_only_the_product_refuses_without_them(bench: Workbench) -> None:
    rows = docs.run(bench, embedder="static", unanswerable=2)
    for system in ("docmind", "top-sentence"):
        measured = values(rows, system)
        assert (measured["gold_cited"], measured["yes_no_accuracy"], measured["token_recall"]) == (1, 1, 1)
        assert 0 < measured["token_f1"] < 1
        assert measured["refused@answerable"] == 0
        assert measured["p50_ms"] <= measured["p95_ms"]
    assert values(rows, "docmind")["refused@unanswerable"] == 1
    assert values(rows, "docmind")["answered_right@unanswerable"] == 0
    assert values(rows, "top-sentence")["refused@unanswerable"] == 0
    for system in ("docmind", "top-sentence"):
        became = values(rows, system)
        shares = (became[f"{what}@unanswerable"] for what in ("refused", "answered_right", "answered_wrong"))
        assert sum(shares) == 1
    counts = {row.metric: row.n for row in rows}
    assert (counts["gold_cited"], counts["yes_no_accuracy"], counts["refused@unanswerable"]) == (3, 1, 2)
    aimed = {(row.system, row.metric) for row in rows if row.aim}
    assert aimed == {
        ("docmind", metric) for metric in ("gold_cited", "yes_no_accuracy", "refused@unanswerable", "p50_ms")
    }
    # Pages were taken out of a copy: other tasks ask the same store.
    with open_engine(ingested(bench, labelled.aws_docs(bench), "static"), "static") as engine:
        assert len(engine.documents(SCOPE)) == 4
