"""RAGTruth in miniature."""

from io import StringIO
from pathlib import Path

from rich.console import Console

from docmind.bench.report import Aim
from docmind.bench.tasks import ragtruth
from docmind.bench.workbench import Workbench, workbench

SCORES = ("response_f1", "response_precision", "response_recall", "span_f1")


def test_each_system_is_measured_on_each_set_and_on_both_beside_published_numbers(bench: Workbench) -> None:
    rows = {(row.system, row.metric): row for row in ragtruth.run(bench, embedder="static")}
    for system in ("docmind", "coverage", "cosine-static", "always"):
        for name, responses in (("qa", 3), ("summary", 2), ("both", 5)):
            assert {rows[f"{system}@{name}", metric].n for metric in SCORES} == {responses}
    found = rows["coverage@both", "response_f1"]
    assert found.references["LettuceDetect-base (published)"] == 0.768
    assert found.references["95% from"] <= found.value <= found.references["95% to"]
    assert found.aim is None
    assert [rows[f"docmind@{name}", "response_f1"].aim for name in ("qa", "summary", "both")] == [
        Aim(0.69),
        Aim(0.48),
        Aim(0.60),
    ]


def test_both_sets_together_are_told_by_kind_with_risk_and_calibration(bench: Workbench) -> None:
    rows = {row.metric: row for row in ragtruth.run(bench, embedder="static") if row.system == "always@both"}
    kinds = {metric: row.n for metric, row in rows.items() if metric.startswith("recall@")}
    assert kinds == {
        "recall@evident_conflict": 1,
        "recall@evident_baseless": 1,
        "recall@subtle_baseless": 1,
        "recall@true_elsewhere": 1,
    }
    assert rows["aurc"].value == rows["aurc"].references["risk at coverage 0.50"] == 0.6
    assert rows["ece"].n == 5


def test_the_worst_mistakes_of_the_first_system_are_told_in_their_own_words(data: Path) -> None:
    said = StringIO()
    with workbench(data, Console(file=said, width=200)) as bench:
        ragtruth.run(bench, embedder="static")
    text = said.getvalue()
    misses, _, alarms = text.partition("the worst false alarms of docmind:\n")
    assert "the worst misses of docmind:\n" in misses
    assert "Baseless Info, support 0." in misses
    assert "; nothing holds '" in misses
    assert alarms.startswith("  nothing marked, support 0.")
    assert "'The library opened in May and holds" in alarms
    assert "support 0.99: 'Black tea steeps for four minutes.'; found in 'Black tea steeps for four minutes.'" in alarms


def test_each_promise_of_few_wrong_answers_is_told_with_what_was_kept_and_only_the_product_aims(
    bench: Workbench,
) -> None:
    rows = {(row.system, row.metric): row for row in ragtruth.run(bench, embedder="static")}
    for share in (0.05, 0.1, 0.2):
        assert rows["docmind@both", f"risk@at_most_{share:.2f}"].aim == Aim(share, at_most=True)
        assert rows["coverage@both", f"risk@at_most_{share:.2f}"].aim is None
        assert 0 <= rows["docmind@both", f"coverage@at_most_{share:.2f}"].value <= 1
    # Three of five are wrong and all look alike, so nothing can be kept.
    assert rows["always@both", "risk@at_most_0.20"].value == rows["always@both", "coverage@at_most_0.20"].value == 0
