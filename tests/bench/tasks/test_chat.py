"""Chat in miniature."""

from docmind.bench.tasks import chat
from docmind.bench.workbench import Workbench


def test_first_turns_and_follow_ups_are_timed(bench: Workbench) -> None:
    rows = chat.run(bench, passages=40, threads=2, embedder="static")
    assert [(row.system, row.metric, row.n) for row in rows] == [
        ("first turn@40", "p50_ms", 2),
        ("first turn@40", "p95_ms", 2),
        ("follow-up@40", "p50_ms", 2),
        ("follow-up@40", "p95_ms", 2),
        ("turn@40", "p50_ms", 4),
    ]
    assert rows[-1].aim == chat.AIM_P50_MS
