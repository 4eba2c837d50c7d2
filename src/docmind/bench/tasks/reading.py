"""Reading: questions as people ask them over authored documents that nothing was fitted on, each with a twin."""

from collections.abc import Sequence
from statistics import fmean

from docmind.bench.answering import top_sentence
from docmind.bench.authored import Part, Question, read_authored, spread
from docmind.bench.authored_answers import QuestionOutcome, is_right, judged, opening, questions_of, share, workspace
from docmind.bench.metrics import ScoredItem, expected_calibration_error, percentile, reliability
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import SCOPE, Workbench, open_engine

AIMS = {
    "right": Aim(0.65),
    "right@own_words": Aim(0.55),
    "answered@unanswerable": Aim(0.10, at_most=True),
    "right@0.90": Aim(0.88),
    "ece": Aim(0.06, at_most=True),
    "yes_no_accuracy": Aim(0.85),
    "p50_ms": Aim(450, at_most=True),
}
MOST = 1_000
"""Questions that are asked, about: a run over all would take hours on two cores."""
SURE = 0.9


def run(bench: Workbench, *, embedder: str = "minilm", part: Part = Part.KEPT) -> list[Row]:
    folders = read_authored(bench.dataset("authored"))
    questions = spread(questions_of(folders, part), MOST)
    store = workspace(bench, folders, part, embedder)
    asked: dict[str, list[QuestionOutcome]] = {"docmind": [], "top-sentence": []}
    with open_engine(store, embedder) as engine, bench.steps("reading: questions", len(questions)) as done:
        simple = top_sentence(engine)
        for number, question in enumerate(questions, start=1):
            asked["docmind"].append(judged(question, engine.run(question.text, SCOPE)))
            said = simple(question.text).text
            asked["top-sentence"].append(QuestionOutcome(question, True, is_right(question, said), 1.0, opening(said)))
            done(number)
    return [row for system, some in asked.items() for row in _rows(system, some)]


def _rows(system: str, asked: Sequence[QuestionOutcome]) -> list[Row]:
    answerable = [one for one in asked if one.question.answerable]
    unanswerable = [one for one in asked if not one.question.answerable]
    own = [one for one in answerable if one.question.own_words]
    said = [one for one in answerable if one.answered and one.question.type == "yes_no" and one.says]
    given = [one for one in asked if one.answered]
    sure = [one for one in given if one.confidence >= SURE]
    both = _pairs(asked)
    values: list[tuple[str, float, Sequence[object]]] = [
        ("right", share(answerable, _is_right), answerable),
        ("right@own_words", share(own, _is_right), own),
        ("refused@answerable", share(answerable, lambda one: not one.answered), answerable),
        ("answered@unanswerable", share(unanswerable, lambda one: one.answered), unanswerable),
        ("yes_no_accuracy", share(said, lambda one: one.says == yes_or_no(one.question)), said),
        ("right@0.90", share(sure, _is_right), sure),
        ("pairs_both_right", fmean(both) if both else 0.0, both),
    ]
    calibration = expected_calibration_error(reliability([ScoredItem(one.confidence, one.right) for one in given]))
    times = [one.milliseconds for one in asked if one.milliseconds]
    rows = [_row(system, metric, value, len(some)) for metric, value, some in values]
    rows.append(_row(system, "ece", calibration, len(given)))
    if times:
        rows.append(_row(system, "p50_ms", percentile(times, 50), len(times)))
        rows.append(_row(system, "p95_ms", percentile(times, 95), len(times)))
    return rows


def _row(system: str, metric: str, value: float, n: int) -> Row:
    return Row("reading", system, metric, value, n, aim=AIMS.get(metric) if system == "docmind" else None)


def _is_right(one: QuestionOutcome) -> bool:
    return one.right


def _pairs(asked: Sequence[QuestionOutcome]) -> list[bool]:
    """Of a question and its twin, whether one was answered right and the other refused."""
    known = {one.question.id: one for one in asked}
    return [
        one.right and not known[one.question.twin].answered
        for one in asked
        if one.question.answerable and one.question.twin in known
    ]


def yes_or_no(question: Question) -> str:
    return opening(question.short) or opening(question.answer)
