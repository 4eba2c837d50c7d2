"""Fit how likely an answer is right on authored documents kept for tuning, to answer.json.

Every question is asked of a workspace that holds all those documents, and answered without ever refusing; an answer to
a question that the documents do not answer is wrong. `refuse_below` is the confidence below which that share of
the unanswerable questions lies which is to be refused. `relevance` is fitted first: what a passage's relevance weighs
in choosing the one to quote, so that the passage with the evidence comes before the others. It prints what models that
did not see a document give for it.
"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.bench.authored import Part, Question, read_authored, spread
from docmind.bench.authored_answers import documents_of, is_right, questions_of, quotes
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.search import Hit
from docmind.models.reader import Reader, Remembered
from docmind.quality.grounding import Grounder
from docmind.skills.answer import extract_answer
from docmind.skills.extract.statement_scorer import AnswerModel, ReadingScorer, clipped, logit
from docmind.skills.extract.statements import read_statements
from logistic import logistic

TARGET = Path(__file__).parent.parent / "src/docmind/skills/extract/answer.json"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
PASSAGES = 8
REFUSED = 0.8
"""Of the questions that the documents do not answer; at 0.9 a sixth fewer of the others would be answered right."""
READINGS = 20_000
"""That are remembered: each passage is read to choose by and again to answer with."""
RIDGE = 3.0
FOLDS = 10
NEVER_REFUSING = AnswerModel({"intercept": 0.0, "score": 1.0}, {"intercept": 0.0}, 0.0)

Find = Callable[[str], list[Hit]]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A question with the signals of its answer."""

    question: Question
    signals: dict[str, float]
    right: bool
    answer: str


def compared_passages(find: Find, scorer: ReadingScorer, question: Question) -> list[tuple[float, float]]:
    """By how much each passage with evidence beats each without, by the reader's score and by relevance."""
    statements = read_statements(find(question.text))
    bare = scorer.read(question.text, statements).bare
    holding = {one.hit.passage for one in statements if quotes(one.text, question.evidence)}
    hits = {one.hit.passage: one.hit for one in statements}
    sides: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for passage, told in bare.items():
        sides[passage in holding].append((told.score, clipped(logit(hits[passage].relevance_score))))
    return [(own[0] - other[0], own[1] - other[1]) for own in sides[True] for other in sides[False]]


def weight_of_relevance(compared: list[tuple[float, float]]) -> float:
    """Each difference counts both ways round, so that nothing but the two weights tells which side has the evidence."""
    differences = np.array(compared, np.float64)
    table = np.concatenate([differences, -differences]).T
    truth = np.concatenate([np.ones(len(differences)), np.zeros(len(differences))])
    _, by_reader, by_relevance = logistic(table, truth, np.ones(len(truth)))
    return round(by_relevance / by_reader, 4)


def answered(find: Find, grounder: Grounder, scorer: ReadingScorer, question: Question) -> Row:
    hits = find(question.text)
    signals = scorer.read(question.text, read_statements(hits)).signals
    answer = extract_answer(question.text, hits, grounder, scorer, computes=False).text
    return Row(question, dict(signals), is_right(question, answer), answer)


def rows(questions: Sequence[Question], find: Find, reader: Reader) -> tuple[AnswerModel, list[Row]]:
    """The model with what relevance weighs, and what each question comes to with it."""
    scorer = ReadingScorer(reader, NEVER_REFUSING)
    compared = [one for question in questions for one in compared_passages(find, scorer, question)]
    model = replace(NEVER_REFUSING, relevance=weight_of_relevance(compared))
    scorer = ReadingScorer(reader, model)
    return model, [answered(find, Grounder(reader), scorer, question) for question in questions]


def fitted_right(found: Sequence[Row], names: Sequence[str]) -> dict[str, float]:
    """Signals are brought to one scale first, so that the ridge weighs alike on all."""
    table = _table(found, names)
    centre, scale = table.mean(axis=1), table.std(axis=1) + 1e-6
    right = np.array([row.right for row in found], np.float64)
    intercept, *weights = logistic(((table.T - centre) / scale).T, right, np.ones(len(found)), ridge=RIDGE)
    slopes = np.array(weights) / scale
    return _named(names, [intercept - float(slopes @ centre), *slopes.tolist()])


def unseen(found: Sequence[Row], names: Sequence[str]) -> Floats:
    """The confidence in each answer by a model that was fitted on other documents."""
    sure = np.zeros(len(found))
    for fold in range(FOLDS):
        model = replace(
            NEVER_REFUSING, right=fitted_right([row for row in found if _fold(row.question) != fold], names)
        )
        for place, row in enumerate(found):
            if _fold(row.question) == fold:
                sure[place] = model.is_right(row.signals)
    return sure


def fit(choosing: AnswerModel, found: Sequence[Row]) -> AnswerModel:
    names = list(found[0].signals)
    answerable = np.array([row.question.answerable for row in found], np.float64)
    by_score = logistic(_table(found, ["score"]), answerable, np.ones(len(found)))
    model = replace(choosing, passage=_named(["score"], by_score), right=fitted_right(found, names))
    sure = unseen(found, names)
    show(found, sure)
    return replace(model, refuse_below=round(float(np.quantile(sure[answerable == 0], REFUSED)), 4))


def show(found: Sequence[Row], sure: Floats) -> None:
    """What is answered right and wrong where a share of the unanswerable is refused, by models fitted elsewhere."""
    asked = np.array([row.question.answerable for row in found])
    right = np.array([row.right for row in found], np.float64)
    print(f"{len(found)} questions, {right[asked].mean():.3f} of the answerable right without refusing")
    for share in (REFUSED, 0.85, 0.9):
        given = sure >= np.quantile(sure[~asked], share)
        told = f"right {(right * given)[asked].mean():.3f}, wrong {((1 - right) * given)[asked].mean():.3f}"
        print(f"{share:.0%} of the unanswerable refused: {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("authored", type=Path, nargs="?", default=AUTHORED)
    parser.add_argument("--most", type=int, default=100_000, help="questions that are asked, about")
    options = parser.parse_args()
    folders = read_authored(options.authored)
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, Part.TUNE), SCOPE)
        questions = spread(questions_of(folders, Part.TUNE), options.most)
        reader = Reader(remembered=Remembered(most=READINGS))
        choosing, found = rows(questions, lambda text: engine.search(text, SCOPE, limit=PASSAGES), reader)
    save(fit(choosing, found), len(found))


def save(model: AnswerModel, questions: int) -> None:
    fitted = {
        "questions": questions,
        "passage": model.passage,
        "right": model.right,
        "refuse_below": model.refuse_below,
        "relevance": model.relevance,
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    print(fitted)


def _table(found: Sequence[Row], names: Sequence[str]) -> Floats:
    return np.array([[row.signals[name] for name in names] for row in found], np.float64).T


def _named(names: Sequence[str], fitted: Sequence[float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in zip(("intercept", *names), fitted, strict=True)}


def _fold(question: Question) -> int:
    return int(hashlib.sha256(question.document.encode()).hexdigest(), 16) % FOLDS


if __name__ == "__main__":
    main()
