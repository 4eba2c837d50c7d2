"""Latency in miniature."""

from docmind.bench.tasks import latency
from docmind.bench.workbench import Workbench


def test_searches_and_the_event_loop_are_timed_at_each_size(bench: Workbench) -> None:
    rows = latency.run(bench, sizes=(40,), searches=5)
    assert [(row.system, row.metric) for row in rows] == [
        ("search@40", "p50_ms"),
        ("search@40", "p95_ms"),
        ("embed+search@40", "p50_ms"),
        ("embed+search@40", "p95_ms"),
        ("asearch@40", "loop_stall_ms"),
        ("optimize@40", "loop_stall_ms"),
    ]
    assert rows[0].n == 5
    assert rows[0].value < rows[2].value
