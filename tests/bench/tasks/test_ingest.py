"""Ingest in miniature."""

from docmind.bench.tasks import ingest
from docmind.bench.workbench import Workbench


def test_rate_memory_and_cost_a_passage_are_measured_at_each_size(bench: Workbench) -> None:
    rows = ingest.run(bench, sizes=(20, 60), minilm_sizes=())
    found = {(row.system, row.metric): row for row in rows}
    assert {row.n for row in rows if row.system == "docmind@20"} == {20}
    assert found["docmind@60", "per_second"].value > 0
    assert found["docmind@60", "ratio"].references == {"docmind@20": 1.0}
