"""The reliability table of `relevance_score`: of the hits it called 60% likely, how many were relevant?"""

from docmind.bench import labelled
from docmind.bench.labelled import LabelledSet
from docmind.bench.metrics import ScoredItem, expected_calibration_error, reliability, share_relevant
from docmind.bench.report import Aim, Row
from docmind.bench.retrieval import ingested, path_of
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.runtime.engine import DocMind

HITS = 10
THRESHOLD = 0.6
MORE_OFTEN_THAN_NOT = Aim(0.5)


def run(bench: Workbench, *, embedder: str = "minilm") -> list[Row]:
    rows = []
    for read in (labelled.scifact, labelled.aws_docs):
        questions = read(bench)
        data_dir = ingested(bench, questions, embedder)
        with open_engine(data_dir, embedder) as engine:
            rows += _rows(f"docmind@{questions.name}", _judge(bench, engine, questions))
    return rows


def _rows(system: str, judged: list[ScoredItem]) -> list[Row]:
    table = reliability(judged)
    sure = [item for item in judged if item.score >= THRESHOLD]
    bins = [
        Row(
            "calibration",
            system,
            f"relevant@{row.low:.1f}-{row.high:.1f}",
            row.share_relevant,
            row.count,
            {"mean score": row.mean_score},
        )
        for row in table
    ]
    return [
        *bins,
        Row(
            "calibration", system, f"relevant@{THRESHOLD:.2f}", share_relevant(sure), len(sure), aim=MORE_OFTEN_THAN_NOT
        ),
        Row("calibration", system, "ece", expected_calibration_error(table), len(judged)),
    ]


def _judge(bench: Workbench, engine: DocMind, questions: LabelledSet) -> list[ScoredItem]:
    """The first hits of every question: a passage is relevant where it belongs to a document that is."""
    judged = []
    with bench.steps(f"calibration: {questions.name}", len(questions.questions)) as done:
        for number, question in enumerate(questions.questions):
            for hit in engine.search(question.text, SCOPE, limit=HITS):
                judged.append(ScoredItem(hit.relevance_score, path_of(hit.document) in question.relevant))
            done(number + 1)
    return judged
