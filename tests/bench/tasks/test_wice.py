"""WiCE in miniature."""

from docmind.bench.report import Aim
from docmind.bench.tasks import wice
from docmind.bench.workbench import Workbench


def test_each_system_is_measured_beside_published_numbers(bench: Workbench) -> None:
    rows = {(row.system, row.metric): row for row in wice.run(bench)}
    metrics = ("support_f1", "sentence_precision", "sentence_recall", "ece")
    systems = ("docmind", "coverage", "cosine-static", "always")
    assert set(rows) == {(system, metric) for system in systems for metric in metrics}
    assert rows["coverage", "support_f1"].n == 3
    assert rows["coverage", "support_f1"].references["T5-3B (published)"] == 0.618
    assert (rows["coverage", "sentence_precision"].value, rows["coverage", "sentence_recall"].value) == (1, 1)
    assert rows["coverage", "sentence_recall"].n == 2
    assert rows["always", "sentence_recall"].value == 0


def test_the_product_alone_has_an_aim_and_it_is_above_the_best_published_number(bench: Workbench) -> None:
    rows = {row.system: row for row in wice.run(bench) if row.metric == "support_f1"}
    assert rows["docmind"].aim == Aim(0.68)
    assert rows["docmind"].aim.value > max(wice.PUBLISHED_F1.values())
    assert {system for system, row in rows.items() if row.aim} == {"docmind"}
