"""WiCE in miniature."""

from docmind.bench.tasks import wice
from docmind.bench.workbench import Workbench


def test_each_system_is_measured_beside_published_numbers(bench: Workbench) -> None:
    rows = {(row.system, row.metric): row for row in wice.run(bench, embedder="static")}
    metrics = ("support_f1", "sentence_precision", "sentence_recall", "ece")
    assert set(rows) == {(system, metric) for system in ("coverage", "cosine", "always") for metric in metrics}
    assert rows["coverage", "support_f1"].n == 3
    assert rows["coverage", "support_f1"].references["T5-3B (published)"] == 0.618
    assert (rows["coverage", "sentence_precision"].value, rows["coverage", "sentence_recall"].value) == (1, 1)
    assert rows["coverage", "sentence_recall"].n == 2
    assert rows["always", "sentence_recall"].value == 0
