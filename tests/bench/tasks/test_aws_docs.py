"""aws-docs in miniature."""

from docmind.bench.tasks import aws_docs
from docmind.bench.workbench import Workbench


def test_gold_pages_are_found_first_by_every_system(bench: Workbench) -> None:
    rows = aws_docs.run(bench, embedder="static")
    assert [(row.system, row.metric) for row in rows] == [
        (system, metric) for system in ("bm25", "dense", "docmind") for metric in ("hit@1", "hit@5")
    ]
    assert {row.value for row in rows} == {1}
    assert {row.n for row in rows} == {3}
    assert rows[0].references == {"whole-page BM25": 0.61}
