"""The reliability table in miniature."""

from docmind.bench.tasks import calibration
from docmind.bench.workbench import Workbench


def test_both_sets_get_a_table_whose_counts_are_all_hits(bench: Workbench) -> None:
    rows = calibration.run(bench, embedder="static")
    systems = {"docmind@scifact", "docmind@aws-docs"}
    assert {row.system for row in rows} == systems
    for system in systems:
        mine = [row for row in rows if row.system == system]
        *bins, sure, error = mine
        assert sure.metric == "relevant@0.60"
        assert error.metric == "ece"
        assert sum(row.n for row in bins) == error.n
        assert all(0 <= row.references["mean score"] <= 1 for row in bins)
