"""The engine beside LangGraph alone, for a few runs."""

from docmind.bench.tasks import overhead
from docmind.bench.workbench import Workbench


def test_the_engine_and_langgraph_alone_are_timed_by_the_node(bench: Workbench) -> None:
    rows = overhead.run(bench, passages=8, runs=2, warm_up=1)
    assert [(row.system, row.metric, row.n) for row in rows] == [
        ("docmind", "node_ms", 2),
        ("langgraph", "node_ms", 2),
        ("docmind", "ratio", 2),
    ]
    assert all(row.value > 0 for row in rows)
