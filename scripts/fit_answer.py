"""Fit how likely an answer is right, and a passage bears on a question: `fit_answer.py [AUTHORED]`.

Every question about the authored documents kept for tuning is asked of a workspace that holds all of them, and answered
without ever refusing; an answer to a question that the documents do not answer is wrong (answer.json). A passage bears
on a question if it comes from the document that the question was written on (bearing.json). `refuse_below` is the
confidence below which that share of the unanswerable questions lies which is to be refused.
"""

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from docmind.bench.authored import Part, Question, read_authored
from docmind.bench.authored_answers import documents_of, is_right, questions_of
from docmind.bench.workbench import SCOPE, open_engine
from docmind.models.reader import Reader
from docmind.quality.grounding import Grounder
from docmind.skills.answer import extract_answer
from docmind.skills.extract.reading import AnswerModel, ReadingScorer, logit
from docmind.skills.extract.statements import read_statements
from logistic import logistic

SKILLS = Path(__file__).parent.parent / "src/docmind/skills"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
PASSAGES = 8
REFUSED = 0.8
"""Of the questions that the documents do not answer; at 0.9 a third fewer of the others would be answered right."""
NEVER_REFUSING = AnswerModel({"intercept": 0.0, "score": 1.0}, {"intercept": 0.0}, 0.0)


class Row(NamedTuple):
    """A question and what became of it."""

    question: Question
    signals: Mapping[str, float]
    right: bool
    answer: str
    passages: list[tuple[float, bool]]
    """Of each passage found its relevance, and whether it is of the question's document."""


def rows(root: Path, part: Part = Part.TUNE) -> list[Row]:
    folders = read_authored(root)
    reader = Reader()
    grounder, scorer = Grounder(reader), ReadingScorer(reader, NEVER_REFUSING)
    found = []
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, part), SCOPE)
        names = {document.id: Path(document.source).stem for document in engine.documents(SCOPE)}
        for question in questions_of(folders, part):
            hits = engine.search(question.text, SCOPE, limit=PASSAGES)
            signals = scorer.read(question.text, read_statements(hits)).signals
            answer = extract_answer(question.text, hits, grounder, scorer).text
            passages = [(hit.relevance_score, names[hit.passage.document_id] == question.document) for hit in hits]
            found.append(Row(question, signals, is_right(question, answer), answer, passages))
    return found


def main() -> None:
    found = rows(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED)
    _write("bearing.json", fit_bearing(found))
    fitted, told = fit_answer(found)
    _write("extract/answer.json", fitted)
    print(told)


def fit_answer(found: Sequence[Row]) -> tuple[dict[str, Any], str]:
    """The fitted models, and what they come to on the same questions."""
    names = list(found[0].signals)
    table = np.array([[one.signals[name] for name in names] for one in found], np.float64).T
    right = np.array([one.right for one in found], np.float64)
    answerable = np.array([one.question.answerable for one in found], np.float64)
    everywhere = np.ones(len(found))
    model = replace(
        NEVER_REFUSING,
        passage=_named(["score"], logistic(table[[names.index("score")]], answerable, everywhere)),
        right=_named(names, logistic(table, right, everywhere)),
    )
    sure = np.array([model.is_right(one.signals) for one in found])
    refuse_below = round(float(np.quantile(sure[answerable == 0], REFUSED)), 4)
    given = sure >= refuse_below
    asked = answerable == 1
    return (
        {"questions": len(found), "passage": model.passage, "right": model.right, "refuse_below": refuse_below},
        f"right without refusing {right[asked].mean():.3f}, with {(right * given)[asked].mean():.3f}",
    )


def fit_bearing(found: Sequence[Row]) -> dict[str, float]:
    passages = [one for row in found for one in row.passages]
    relevance = np.array([[logit(score) for score, _ in passages]], np.float64)
    same = np.array([is_same for _, is_same in passages], np.float64)
    return {"passages": len(passages), **_named(["relevance"], logistic(relevance, same, np.ones(len(passages))))}


def _write(name: str, fitted: Mapping[str, Any]) -> None:
    (SKILLS / name).write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    print(name, fitted)


def _named(names: list[str], fitted: list[float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in zip(("intercept", *names), fitted, strict=True)}


if __name__ == "__main__":
    main()
