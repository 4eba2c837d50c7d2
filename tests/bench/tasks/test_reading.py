"""Authored questions in miniature."""

from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.tasks import reading
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError
from tests.bench.authored_folder import write_authored


def test_questions_and_their_twins_are_scored_beside_the_best_sentence_found(bench: Workbench, data: Path) -> None:
    write_authored(data)
    rows = {(row.system, row.metric): row for row in reading.run(bench, embedder="static")}
    product = {metric: row.value for (system, metric), row in rows.items() if system == "docmind"}
    assert (product["right"], product["answered@unanswerable"], product["pairs_both_right"]) == (1, 0, 1)
    assert product["refused@answerable"] == 0
    assert 0 < product["p50_ms"] <= product["p95_ms"]
    # What never refuses answers both twins.
    assert rows["top-sentence", "answered@unanswerable"].value == 1
    assert rows["top-sentence", "pairs_both_right"].value == 0
    counts = {metric: row.n for (system, metric), row in rows.items() if system == "docmind"}
    assert (counts["right"], counts["answered@unanswerable"], counts["pairs_both_right"], counts["ece"]) == (2, 2, 2, 2)
    # The question that was written as the twin of an unanswerable one is in the document's words.
    assert counts["right@own_words"] == 1
    assert {key for key, row in rows.items() if row.aim} == {("docmind", metric) for metric in reading.AIMS}


def test_without_its_set_nothing_is_started(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="The set 'authored' is not there"):
        reading.run(Workbench(tmp_path, tmp_path, Console()))
