"""Fit which answers of two documents are in conflict: `fit_conflicts.py [AUTHORED]`, written to conflicts.json.

Three kinds of pairs of answers: those of authored documents that disagree or only seem to, each question asked of a
workspace that holds all documents to train on; answers of any other two of these documents, also to ordinary questions,
which do not speak of one matter; and the pairs of statements in `data/conflicts`. What is found on the first two kinds
from several probabilities on, each folder judged by models fitted without it, is printed.
"""

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.bench.authored import ConflictPair, Part, read_authored
from docmind.bench.authored_answers import documents_of
from docmind.bench.tasks.conflicts import answered, stands_at
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.documents import Passage, Span
from docmind.models.reader import Reader
from docmind.quality.conflicts import ConflictJudge, ConflictModel, DocumentAnswer, say_the_same
from docmind.quality.excerpts import headed
from docmind.runtime.engine import DocMind
from docmind.skills.disputes import answer_pairs, touching
from logistic import logistic

HERE = Path(__file__).parent.parent
TARGET = HERE / "src/docmind/quality/conflicts.json"
AUTHORED, WRITTEN = HERE / "data" / "authored", HERE / "data" / "conflicts" / "pairs.jsonl"
OTHER_QUESTIONS = 160
RIDGE = 3.0
FOLDS = 10
MENTION_FROM = 0.3
"""Above where F1 is best on the documents to train on: the bundled papers then have no false warning."""
LIKELIER_THAN_NOT = 0.5
DIFFERENCE = frozenset(
    [
        "value_of_two_kinds",
        "value_nearness",
        "value_told_by_other",
        "value_score_least",
        "times_apart",
        "exchanged_least",
        "exchanged_most",
        "exchanged_doubt",
    ]
)
"""Signals that tell whether documents on one matter disagree; the others tell whether they are on one matter."""
UNFITTED = ConflictModel({}, {}, 0.5)


@dataclass(frozen=True, slots=True)
class Seen:
    """A pair of answers, what the model sees of it, and whether they are in conflict."""

    signals: dict[str, float]
    same_matter: bool
    disagree: bool
    fold: int
    written: bool = False
    """Whether it is a pair of statements from `data/conflicts`, which no threshold is chosen by."""


def authored(root: Path, judge: ConflictJudge) -> Iterator[Seen]:
    folders = read_authored(root)
    asked: list[tuple[int, str, ConflictPair | None]] = [
        (number, pair.question, pair)
        for number, folder in enumerate(folders)
        for pair in folder.conflicts
        if folder.part(pair.documents[0]) is Part.TRAIN
    ]
    others: list[tuple[int, str, ConflictPair | None]] = [
        (number, question.text, None)
        for number, folder in enumerate(folders)
        for question in folder.questions
        if folder.part(question.document) is Part.TRAIN
    ]
    # A fixed sample, so that whoever fits again gets the same file.
    asked += random.Random(3).sample(others, min(OTHER_QUESTIONS, len(others)))
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, Part.TRAIN), SCOPE)
        for number, question, pair in asked:
            for signals, compared in _answers(engine, judge, question, pair):
                yield Seen(signals, compared is not None, compared is not None and compared.disagree, number % FOLDS)


def _answers(
    engine: DocMind, judge: ConflictJudge, question: str, pair: ConflictPair | None
) -> Iterator[tuple[dict[str, float], ConflictPair | None]]:
    """The pairs of answers that the product would compare, with the pair of documents that they are of, if they are.

    Answers of the pair's documents that miss its evidence are left out.
    """
    services = engine.services(SCOPE)
    hits = engine.search(question, SCOPE, limit=services.sections)
    names = {hit.document.id: hit.document.name.rpartition(".")[0] for hit in hits}
    pairs = answer_pairs(question, hits, touching(hits, answered(question, hits, services)), services.scorer)
    for answers, signals in zip(pairs, judge.signals(question, pairs), strict=True):
        documents = {names[one.passage.document_id]: one for one in answers}
        if pair is None or set(documents) != set(pair.documents):
            yield signals, None
            continue
        evidence = zip(pair.documents, pair.evidence, strict=True)
        if any(stands_at(documents[name].text, quotes) for name, quotes in evidence):
            yield signals, pair


def written(reader: Reader, judge: ConflictJudge) -> Iterator[Seen]:
    for number, line in enumerate(WRITTEN.read_text("utf-8").splitlines()):
        row = json.loads(line)
        passages = [_passage(row, side) for side in ("a", "b")]
        read = reader.read(row["question"], [headed(passage).text for passage in passages])
        answers = []
        for passage, one in zip(passages, read, strict=True):
            begin = headed(passage).pieces[0].start
            value = Span(*(max(0, at - begin) for at in one.answer))
            answers.append(DocumentAnswer(passage, passage.span, value, one.score, one.answer_score))
        if say_the_same(*answers):
            continue
        [signals] = judge.signals(row["question"], [(answers[0], answers[1])])
        yield Seen(signals, True, row["disagree"], number // 2 % FOLDS, written=True)


def _passage(row: dict[str, str], side: str) -> Passage:
    text = row[f"statement_{side}"]
    return Passage(side, side, 0, Span(0, len(text)), text, (row[f"title_{side}"], row[f"heading_{side}"]))


def fit(seen: list[Seen]) -> ConflictModel:
    names = set(seen[0].signals)
    found = [one for one in seen if not one.written]
    same = [one for one in seen if one.same_matter]
    return ConflictModel(
        _weights(found, names - DIFFERENCE, [one.same_matter for one in found]),
        _weights(same, names & DIFFERENCE, [one.disagree for one in same]),
        0.5,
    )


def _weights(seen: list[Seen], names: set[str], true: list[bool]) -> dict[str, float]:
    ordered = sorted(names)
    table = np.array([[one.signals[name] for name in ordered] for one in seen], np.float64).T
    found = logistic(table, np.array(true, np.float64), np.ones(len(seen)), ridge=RIDGE)
    return {name: round(value, 4) for name, value in zip(("intercept", *ordered), found, strict=True)}


def unseen_probabilities(seen: list[Seen]) -> NDArray[np.float64]:
    """Each pair judged by a model that was fitted without its fold."""
    likely = np.zeros(len(seen))
    for fold in range(FOLDS):
        model = fit([one for one in seen if one.fold != fold])
        for place, one in enumerate(seen):
            if one.fold == fold:
                likely[place] = model.probability(one.signals)
    return likely


def best_threshold(likely: NDArray[np.float64], true: NDArray[np.bool_]) -> float:
    """The probability from which F1 is best."""
    thresholds = np.arange(0.1, LIKELIER_THAN_NOT + 0.01, 0.02)
    f1 = [2 * (true & (likely >= one)).sum() / ((likely >= one).sum() + true.sum()) for one in thresholds]
    return round(float(thresholds[int(np.argmax(f1))]), 2)


def main() -> None:
    reader = Reader()
    judge = ConflictJudge(reader, UNFITTED)
    seen = [*authored(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED, judge), *written(reader, judge)]
    own = np.array([not one.written for one in seen])
    likely = unseen_probabilities(seen)[own]
    true = np.array([one.disagree for one in seen])[own]
    mention_from = best_threshold(likely, true)
    model = fit(seen)
    fitted = {
        "pairs": len(seen),
        "same_matter": model.same_matter,
        "disagree": model.disagree,
        "mention_from": MENTION_FROM,
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    print(fitted)
    for threshold in (mention_from, MENTION_FROM, LIKELIER_THAN_NOT):
        found = likely >= threshold
        right = (true & found).sum()
        told = f"precision {right / found.sum():.3f}, recall {right / true.sum():.3f}"
        print(f"each folder unseen, from {threshold}: {told}, {found.sum()} of {own.sum()} pairs")


if __name__ == "__main__":
    main()
