"""Fit how likely an answer is right on authored documents kept for tuning: `fit_answer.py [AUTHORED]`, to answer.json.

Every question is asked of a workspace that holds all those documents, and answered without ever refusing; an answer to
a question that the documents do not answer is wrong. `refuse_below` is the confidence below which that share of
the unanswerable questions lies which is to be refused.
"""

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from docmind.bench.authored import Part, Question, read_authored
from docmind.bench.authored_answers import documents_of, is_right, questions_of
from docmind.bench.workbench import SCOPE, open_engine
from docmind.models.reader import Reader
from docmind.quality.grounding import Grounder
from docmind.skills.answer import extract_answer
from docmind.skills.extract.reading import AnswerModel, ReadingScorer
from docmind.skills.extract.statements import read_statements
from logistic import logistic

TARGET = Path(__file__).parent.parent / "src/docmind/skills/extract/answer.json"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
PASSAGES = 8
REFUSED = 0.8
"""Of the questions that the documents do not answer; at 0.9 a quarter fewer of the others would be answered right."""
NEVER_REFUSING = AnswerModel({"intercept": 0.0, "score": 1.0}, {"intercept": 0.0}, 0.0)


def rows(root: Path, part: Part = Part.TUNE) -> list[tuple[Question, dict[str, float], bool, str]]:
    """Of each question its signals, whether the answer is right, and the answer."""
    folders = read_authored(root)
    reader = Reader()
    grounder, scorer = Grounder(reader), ReadingScorer(reader, NEVER_REFUSING)
    found = []
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, part), SCOPE)
        for question in questions_of(folders, part):
            hits = engine.search(question.text, SCOPE, limit=PASSAGES)
            signals = scorer.read(question.text, read_statements(hits)).signals
            answer = extract_answer(question.text, hits, grounder, scorer).text
            found.append((question, dict(signals), is_right(question, answer), answer))
    return found


def main() -> None:
    found = rows(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED)
    names = list(found[0][1])
    table = np.array([[signals[name] for name in names] for _, signals, _, _ in found], np.float64).T
    right = np.array([one for _, _, one, _ in found], np.float64)
    answerable = np.array([question.answerable for question, *_ in found], np.float64)
    everywhere = np.ones(len(found))
    model = replace(
        NEVER_REFUSING,
        passage=_named(["score"], logistic(table[[names.index("score")]], answerable, everywhere)),
        right=_named(names, logistic(table, right, everywhere)),
    )
    sure = np.array([model.is_right(signals) for _, signals, _, _ in found])
    refuse_below = round(float(np.quantile(sure[answerable == 0], REFUSED)), 4)
    fitted = {
        "questions": len(found),
        "passage": model.passage,
        "right": model.right,
        "refuse_below": refuse_below,
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    given = sure >= refuse_below
    asked = answerable == 1
    print(fitted)
    print(f"right without refusing {right[asked].mean():.3f}, with {(right * given)[asked].mean():.3f}")


def _named(names: list[str], fitted: list[float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in zip(("intercept", *names), fitted, strict=True)}


if __name__ == "__main__":
    main()
