"""A crowd at a real service, in miniature."""

from pathlib import Path

import pytest

from docmind.bench.tasks import service
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError


def test_nobody_in_a_crowd_is_refused_or_gets_anothers_answer(bench: Workbench, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "survey.md").write_text("# Survey\n\nThe longest delivery time that customers accept is 26 weeks.\n")
    rows = service.run(bench, papers=papers, askers=4, seconds=0.5, embedder="static")
    measured = {(row.system, row.metric): row for row in rows}
    for system in ("docmind", "docmind, searches"):
        crowd = f"{system}@4 askers"
        assert measured[crowd, "errors"].value == measured[crowd, "mixed_up"].value == 0
        assert measured[crowd, "p50_ms"].n >= 4
        assert measured[crowd, "p95_ms"].references == {"one asker, p50": measured[f"{system}@1 asker", "p50_ms"].value}


def test_without_the_papers_the_benchmark_says_so(bench: Workbench, tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="runs from a checkout"):
        service.run(bench, papers=tmp_path / "nowhere")
