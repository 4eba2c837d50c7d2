"""Questions on filings in miniature, asked from end to end and counted."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.finance.failing import Failing
from docmind.bench.finance.filings_set import FilingQuestion, Half, Page, read_questions
from docmind.bench.tasks import filings
from docmind.bench.tasks.filings import FilingAnswer, SearchBaseline, rows_for
from docmind.bench.workbench import workbench
from docmind.domain.errors import BenchError
from docmind.domain.trace import Event
from tests.bench.filings_folder import REPORT, REVENUE, UNKNOWN, write_filings
from tests.scripts import run_script

WANTED = Page(REPORT, 3)


@pytest.fixture
def questions(tmp_path: Path) -> list[FilingQuestion]:
    return read_questions(write_filings(tmp_path / "read", [REVENUE, UNKNOWN], []), Half.DESIGN)


def test_both_halves_are_asked_beside_the_top_passage(tmp_path: Path) -> None:
    write_filings(tmp_path, design=[REVENUE], kept=[{**REVENUE, "must": ["777.77"], "value": 777.77}, UNKNOWN])
    with workbench(tmp_path, Console(file=StringIO())) as bench:
        rows = {(row.system, row.metric): row for row in filings.run(bench, embedder="static")}
    design, kept = rows["docmind@design", "right@lookup"], rows["docmind", "right@lookup"]
    assert [(row.value, row.n) for row in (design, kept)] == [(1, 1), (0, 1)]
    assert rows["docmind@design", "evidence_cited"].value == 1
    assert rows["docmind", "answered@unanswerable"].value == 0
    # What always quotes something answers what cannot be answered.
    assert rows["top-passage", "answered@unanswerable"].value == 1
    assert rows["top-passage@design", "hit@30"].value == 1
    assert {key for key, row in rows.items() if row.aim} == {("docmind", metric) for metric in filings.AIMS}


def test_only_what_is_wrong_and_stated_as_likely_right_is_counted_so(questions: list[FilingQuestion]) -> None:
    revenue, unknown = questions
    asked = [
        FilingAnswer(revenue, "EUR 601,020 thousand", True, 0.9, frozenset((WANTED,)), 100.0),
        FilingAnswer(revenue, "EUR 512 million", True, 0.5, frozenset((Page(REPORT, 5),)), 100.0),
        FilingAnswer(revenue, "EUR 512 million", True, 0.4, frozenset(), 100.0),
        FilingAnswer(revenue, "", False, 0.0, frozenset(), 100.0),
        FilingAnswer(unknown, "A composer.", True, 0.8, frozenset(), 100.0),
    ]
    rows = {
        row.metric: row
        for row in rows_for(Half.DESIGN, asked, [SearchBaseline(asked[0], 7)])
        if "docmind" in row.system
    }
    shares = {metric: (row.value, row.n) for metric, row in rows.items()}
    assert shares["right"] == (0.25, 4)
    assert shares["wrong_stated@0.50"] == (0.4, 5)
    assert shares["refused@answerable"] == (0.25, 4)
    assert shares["answered@unanswerable"] == (1, 1)
    assert shares["evidence_cited"] == (1 / 3, 3)
    assert [shares[f"failed@{way}"] for way in (Failing.CERTAIN, Failing.DOUBTED, Failing.NO_FIGURE)] == [(0.25, 4)] * 3


def test_a_refusal_is_told_by_the_step_that_refused_first(questions: list[FilingQuestion]) -> None:
    trace = [
        Event(node="analysis", decision="refused", reason="The tables do not cover 2031."),
        Event(node="synthesis", decision="refused", reason="Later."),
    ]
    refused = FilingAnswer(questions[0], "", False, 0.0, frozenset(), 100.0, trace)
    assert refused.refusal == trace[0]
    assert refused.failing is Failing.NO_PERIOD


def test_without_the_questions_or_the_filings_it_is_said_what_is_missing(tmp_path: Path) -> None:
    folder = write_filings(tmp_path, [REVENUE], [])
    (folder / "kept.jsonl").unlink()
    with workbench(tmp_path, Console(file=StringIO())) as bench:
        with pytest.raises(BenchError, match=r"kept\.jsonl is not there: copy it from data/filings"):
            filings.run(bench)
        (folder / REPORT).unlink()
        with pytest.raises(BenchError, match="There are no filings"):
            filings.ingest(bench, folder, tmp_path / "store")


def test_failures_of_the_half_to_design_on_are_written_with_what_each_step_decided(tmp_path: Path) -> None:
    write_filings(tmp_path, design=[REVENUE, {**REVENUE, "id": "wrong", "must": ["777.77"], "value": 777.77}], kept=[])
    run_script("filings_failures.py", tmp_path, tmp_path / "store", tmp_path / "failures.jsonl")
    [failure] = map(json.loads, (tmp_path / "failures.jsonl").read_text("utf-8").splitlines())
    assert (failure["id"], failure["failing"], failure["evidence_found_at"]) == ("wrong", "certain", 1)
    assert f"{REPORT}, page 3" in failure["pages_wanted"]
    assert "analysis" in [event["node"] for event in failure["trace"]]
