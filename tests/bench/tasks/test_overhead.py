"""The engine beside LangGraph alone, for a few runs, and commands that are started once, alone and beside a service."""

import pytest

from docmind.bench import starting
from docmind.bench.tasks import overhead
from docmind.bench.workbench import Workbench


def test_the_engine_and_langgraph_alone_are_timed_by_the_node_and_commands_by_their_start(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "TRIES", 1)
    rows = overhead.run(bench, passages=8, runs=2, warm_up=1)
    assert [(row.system, row.metric, row.n) for row in rows] == [
        ("docmind", "node_ms", 2),
        ("langgraph", "node_ms", 2),
        ("docmind", "ratio", 2),
        ("python", "cpu_s", 1),
        ("import langgraph", "cpu_s", 1),
        ("docmind --version", "cpu_s", 1),
        ("docmind ask", "cpu_s", 1),
        ("docmind ask through a service", "cpu_s", 1),
        ("docmind", "ask_through_service_s", 1),
    ]
    assert all(row.value > 0 for row in rows)
    of = {row.system: row.value for row in rows if row.metric == "cpu_s"}
    assert of["docmind ask through a service"] < of["docmind ask"] / 3
