"""SciFact in miniature."""

from docmind.bench.retrieval import SYSTEMS
from docmind.bench.tasks import scifact
from docmind.bench.workbench import Workbench


def test_each_system_is_measured_beside_published_numbers(bench: Workbench) -> None:
    rows = {(row.system, row.metric): row for row in scifact.run(bench, embedder="static")}
    assert set(rows) == {
        *((system, metric) for system in SYSTEMS for metric in ("ndcg@10", "recall@100")),
        ("docmind minus bm25", "ndcg@10"),
    }
    found = rows["docmind", "ndcg@10"]
    assert (found.value, found.n, found.references["BM25 (published)"]) == (1, 2, 0.665)
    assert rows["bm25", "recall@100"].value == rows["dense", "recall@100"].value == 1
