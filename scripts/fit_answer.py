"""Fit how likely an answer is right on authored documents kept for tuning: `fit_answer.py [AUTHORED]`, to answer.json.

Every question is asked of a workspace that holds all those documents, and answered without ever refusing; an answer to
a question that the documents do not answer is wrong. `refuse_below` is the confidence below which that share of
the unanswerable questions lies which is to be refused. `relevance` is fitted first: what a passage's relevance weighs
in choosing the one to quote, so that the passage with the evidence comes before the others.
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
from docmind.runtime.engine import DocMind
from docmind.skills.answer import extract_answer
from docmind.skills.extract.reading import AnswerModel, ReadingScorer, clipped, logit
from docmind.skills.extract.statements import read_statements
from logistic import logistic

TARGET = Path(__file__).parent.parent / "src/docmind/skills/extract/answer.json"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
PASSAGES = 8
REFUSED = 0.8
"""Of the questions that the documents do not answer; at 0.9 a quarter fewer of the others would be answered right."""
Row = tuple[Question, dict[str, float], bool, str]
"""A question, the signals of its answer, whether this is right, and the answer."""
NEVER_REFUSING = AnswerModel({"intercept": 0.0, "score": 1.0}, {"intercept": 0.0}, 0.0)


def compared_passages(engine: DocMind, scorer: ReadingScorer, question: Question) -> list[tuple[float, float]]:
    """By how much each passage with evidence beats each without, by the reader and by relevance."""
    hits = engine.search(question.text, SCOPE, limit=PASSAGES)
    bare = scorer.read(question.text, read_statements(hits)).bare
    sides: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for hit in hits:
        if hit.passage in bare:
            held = any(_plain(quote) in _plain(hit.passage.text) for quote in question.evidence)
            sides[held].append((bare[hit.passage].score, clipped(logit(hit.relevance_score))))
    return [(own[0] - other[0], own[1] - other[1]) for own in sides[True] for other in sides[False]]


def weight_of_relevance(compared: list[tuple[float, float]]) -> float:
    """Each difference counts both ways round, so that nothing but the two weights tells which side has the evidence."""
    differences = np.array(compared, np.float64)
    table = np.concatenate([differences, -differences]).T
    truth = np.concatenate([np.ones(len(differences)), np.zeros(len(differences))])
    _, by_reader, by_relevance = logistic(table, truth, np.ones(len(truth)))
    return round(by_relevance / by_reader, 4)


def answered(engine: DocMind, grounder: Grounder, scorer: ReadingScorer, question: Question) -> Row:
    hits = engine.search(question.text, SCOPE, limit=PASSAGES)
    signals = scorer.read(question.text, read_statements(hits)).signals
    answer = extract_answer(question.text, hits, grounder, scorer).text
    return question, dict(signals), is_right(question, answer), answer


def rows(root: Path, part: Part = Part.TUNE) -> tuple[AnswerModel, list[Row]]:
    """The model with what relevance weighs, and what each question comes to with it."""
    folders = read_authored(root)
    reader = Reader()
    grounder, scorer = Grounder(reader), ReadingScorer(reader, NEVER_REFUSING)
    questions = questions_of(folders, part)
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, part), SCOPE)
        compared = [one for question in questions for one in compared_passages(engine, scorer, question)]
        model = replace(NEVER_REFUSING, relevance=weight_of_relevance(compared))
        scorer = ReadingScorer(reader, model)
        return model, [answered(engine, grounder, scorer, question) for question in questions]


def main() -> None:
    choosing, found = rows(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED)
    names = list(found[0][1])
    table = np.array([[signals[name] for name in names] for _, signals, _, _ in found], np.float64).T
    right = np.array([one for _, _, one, _ in found], np.float64)
    answerable = np.array([question.answerable for question, *_ in found], np.float64)
    everywhere = np.ones(len(found))
    model = replace(
        choosing,
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
        "relevance": model.relevance,
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    given = sure >= refuse_below
    asked = answerable == 1
    print(fitted)
    print(f"right without refusing {right[asked].mean():.3f}, with {(right * given)[asked].mean():.3f}")


def _plain(text: str) -> str:
    return " ".join(text.split())


def _named(names: list[str], fitted: list[float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in zip(("intercept", *names), fitted, strict=True)}


if __name__ == "__main__":
    main()
