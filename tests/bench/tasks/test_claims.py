"""Authored claims in miniature."""

from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.tasks import claims
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError
from tests.bench.authored_folder import write_authored


def test_true_claims_and_their_twins_are_judged_beside_counting_words(bench: Workbench, data: Path) -> None:
    write_authored(data)
    rows = {(row.system, row.metric): row for row in claims.run(bench, embedder="static")}
    product = {metric: row for (system, metric), row in rows.items() if system == "docmind"}
    # Two copies of sentences, one with another figure, and one that has nothing to do with the documents.
    assert {metric: product[metric].value for metric in ("true_accepted", "false_accepted", "pairs_both_right")} == {
        "true_accepted": 1,
        "false_accepted": 0,
        "pairs_both_right": 1,
    }
    assert {metric: row.n for metric, row in product.items()} == {
        "pairs_both_right": 2, "true_accepted": 2, "false_accepted": 2, "false_accepted@0.10": 2,
        "ece": 4, "p50_ms": 4, "p95_ms": 4, "accepted@altered_figure": 1,
    }  # fmt: skip
    altered = product["accepted@altered_figure"]
    assert (altered.value, altered.references) == (0, {"as written": 1})
    assert 0 < product["p50_ms"].value <= product["p95_ms"].value
    # Most words of the claim with another figure stand in the document.
    assert rows["coverage", "true_accepted"].value == 1
    assert rows["coverage", "false_accepted"].value == 0.5
    assert {key for key, row in rows.items() if row.aim} == {("docmind", metric) for metric in claims.AIMS}


def test_without_its_set_nothing_is_started(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="The set 'authored' is not there"):
        claims.run(Workbench(tmp_path, tmp_path, Console()))
