"""Chat in miniature."""

from docmind.bench.tasks import chat
from docmind.bench.workbench import Workbench


def test_first_turns_and_follow_ups_are_timed(bench: Workbench) -> None:
    rows = chat.run(bench, passages=10, threads=1, embedder="static")
    assert [(row.system, row.metric, row.n) for row in rows] == [
        ("first turn@10", "p50_ms", 1),
        ("first turn@10", "p95_ms", 1),
        ("follow-up@10", "p50_ms", 1),
        ("follow-up@10", "p95_ms", 1),
        ("turn@10", "p50_ms", 2),
    ]
    assert rows[-1].aim == chat.AIM_P50_MS
