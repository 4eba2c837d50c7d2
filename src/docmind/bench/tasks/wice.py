"""WiCE: whether the page that a sentence of Wikipedia cites supports it in full, and which of its sentences do."""

from collections.abc import Sequence

from docmind.bench.groundedness.attribution import (
    CheckedCitation,
    check_citations,
    judged_citations,
    mean_sentence_scores,
    support_cases,
)
from docmind.bench.groundedness.folds import Fitted, cross_fit
from docmind.bench.groundedness.sets import wice
from docmind.bench.groundedness.systems import PRODUCT, systems
from docmind.bench.metrics import expected_calibration_error, reliability
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench

PUBLISHED_F1 = {"T5-3B (published)": 0.618, "GPT-4 (published)": 0.610}
"""On the set's test claims; the claims measured here may be others of the same set."""
AIM_F1 = Aim(0.68)


def run(bench: Workbench, *, embedder: str = "static") -> list[Row]:
    """The pages hold 40,000 sentences: `minilm` takes minutes over them and, as a baseline, does no better."""
    claims = wice(bench)
    rows: list[Row] = []
    for system, checker in systems(embedder).items():
        checked = check_citations(bench, f"wice: {system}", checker, claims)
        rows += _rows(system, checked, cross_fit(support_cases(checked)))
    return rows


def _rows(system: str, checked: Sequence[CheckedCitation], fitted: Fitted) -> list[Row]:
    n = len(checked)
    aim = AIM_F1 if system == PRODUCT else None
    judged = judged_citations(checked)
    sentences, supported = mean_sentence_scores(checked)
    return [
        Row("wice", system, "support_f1", fitted.scores().f1, n, PUBLISHED_F1 | fitted.f1_interval().named(), aim),
        Row("wice", system, "sentence_precision", sentences.precision, supported),
        Row("wice", system, "sentence_recall", sentences.recall, supported),
        Row("wice", system, "ece", expected_calibration_error(reliability(judged)), n),
    ]
