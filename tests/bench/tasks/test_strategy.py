"""Every path of the strategy workflow, in miniature."""

from pathlib import Path

import pytest

from docmind.bench.board_questions import ANSWERED, ASKS, CAVEAT, Case
from docmind.bench.tasks import strategy
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError

PAPERS = {
    "survey": "# Customer survey\n\nCustomers accept a delivery time of 26 weeks. The survey was held in November.",
    "board": "# Board paper\n\nThe capital budget of Project Heron for 2026 to 2028 is EUR 42.0 million.",
    "minutes": "# Minutes\n\nThe committee endorses Project Heron with a capital budget of EUR 47.5 million for 2026 "
    "to 2028.",
    "cafeteria": "# Cafeteria\n\nThe cafeteria serves soup from eleven to two.",
}
CASES = (
    Case("fact", "Which delivery time do customers accept?", ANSWERED, ("Customer survey",), ("26 weeks",)),
    Case("half told", "Which delivery time do customers accept, and who organised the survey?", CAVEAT),
    Case("not told", "Which discount do customers accept for a late delivery of their survey?", ASKS),
    Case("out of scope", "What is the weather in Paris?", ASKS),
    Case("conflict", "What is the capital budget of Project Heron for 2026 to 2028?", ASKS, ("Board paper", "Minutes"),
         ("42.0 million", "47.5 million")),
)  # fmt: skip


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, text in PAPERS.items():
        (folder / f"{name}.md").write_text(f"{text}\n")
    return folder


def test_every_path_is_taken_and_counts_its_calls_with_and_without_a_model(bench: Workbench, papers: Path) -> None:
    rows = strategy.run(bench, papers=papers, cases=CASES, embedder="static", rounds=1)
    measured = {(row.system, row.metric): row.value for row in rows}
    paths = ("happy", "retry", "hand_over", "zero_evidence", "conflict")
    assert {name.partition("@")[2] for _, name in measured} == set(paths)
    calls = {
        system: [measured[system, f"model_calls@{path}"] for path in paths]
        for system in ("docmind", "scripted", "scripted+judge")
    }
    assert calls == {"docmind": [0] * 5, "scripted": [1, 2, 3, 0, 3], "scripted+judge": [3, 6, 9, 0, 9]}
    for path in paths:
        for system in ("scripted", "scripted+judge"):
            assert measured[system, f"right@{path}"] == 1, path
    for path in ("happy", "zero_evidence", "conflict"):
        assert measured["docmind", f"right@{path}"] == 1, path
    assert all(row.value > 0 for row in rows if row.metric.startswith("p50_ms"))
    aims = {(row.system, row.metric) for row in rows if row.aim and not row.metric.startswith("right")}
    assert aims == {
        ("docmind", "p50_ms@happy"), ("scripted", "model_calls@happy"), ("scripted+judge", "model_calls@happy"),
    }  # fmt: skip


def test_without_the_papers_it_says_where_it_can_be_run(bench: Workbench, tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="from a checkout of the project"):
        strategy.run(bench, papers=tmp_path / "nowhere")
