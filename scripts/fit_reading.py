"""Fit what the encoder's reading is worth: `PYTHONPATH=. fit_reading.py [DATA]`, into skills/extract/reading.json.

As `fit_answer.py`, but over paragraphs that the encoder was not trained on: it is surer of those it knows, and would
be trusted too much. The model of statements tells which one answers; that of questions tells whether any does, from the
best statement by words and the most relevant stretch that was read. What the fit reaches on paragraphs that were left
out of it is printed beside what words alone reach.
No benchmark that `docmind bench` scores is used.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from docmind.domain.search import Hit
from docmind.models.encoder import Encoder
from docmind.skills.extract.candidates import candidates
from docmind.skills.extract.question import read_question
from docmind.skills.extract.reading import (
    ReadingModel,
    question_signals,
    read_around,
    statement_signals,
)
from docmind.skills.extract.select import LexicalScorer
from docmind.skills.extract.statements import read_statements
from fit_answer import FOUND, GROUNDER, VECTORS, Posed, Rows, pose
from logistic import Floats, logistic
from training.data import load

EACH = 3
"""Questions asked of a paragraph."""
FOLDS = 5
TARGET = Path(__file__).parent.parent / "src/docmind/skills/extract/reading.json"
WORDS = LexicalScorer(GROUNDER, VECTORS)
ENCODER = Encoder()


@dataclass(frozen=True)
class Found:
    """The signals of the statements found for a question, which of them answer, and those of the question itself."""

    statements: list[dict[str, float]]
    answering: list[bool]
    by_words: list[float]
    question: dict[str, float]


Pair = tuple[Found, Found]
"""What is found for a question, and what is when the paragraph that answers it is left out."""


def unseen(data: Path) -> Rows:
    pieces = load(data)
    found: Rows = {}
    for row in (*pieces.held_out, *pieces.elsewhere):
        if row.start >= 0:
            found.setdefault(row.context, []).append((row.question, row.answer))
    return found


def read(one: Posed, hits: Sequence[Hit]) -> Found | None:
    """None where nothing that was found could answer: such a question is refused whatever is fitted."""
    question, statements = read_question(one.question), read_statements(hits)
    signals = dict(zip(statements, WORDS.signals(question, statements), strict=True))
    by_words = {statement: WORDS.probability(signals[statement]) for statement in statements}
    ranked = sorted(candidates(question, statements), key=lambda statement: -by_words[statement])
    if not ranked:
        return None
    read = read_around(ENCODER, question, ranked, statements)
    relevance = max(some.relevance for some in read.values())
    return Found(
        [statement_signals(signals[statement], read.get(statement)) for statement in ranked],
        [one.is_answered_by(statement) for statement in ranked],
        [by_words[statement] for statement in ranked],
        question_signals(by_words[ranked[0]], relevance),
    )


def fit(pairs: Sequence[Pair]) -> ReadingModel:
    every = [found for pair in pairs for found in pair]
    statements = weights(
        [signals for found in every for signals in found.statements],
        [answers for found in every for answers in found.answering],
    )
    questions = weights([found.question for found in every], [True, False] * len(pairs))
    model = ReadingModel(statements, questions, 0.0)
    answered, unanswered = (np.sort([is_answered(model, found) for found in side]) for side in zip(*pairs, strict=True))
    return ReadingModel(statements, questions, round(balanced(answered, unanswered), 4))


def weights(signals: Sequence[dict[str, float]], true: Sequence[bool]) -> dict[str, float]:
    design = np.array([list(one.values()) for one in signals]).T
    labels = np.array(true, dtype=np.float64)
    fitted = logistic(design, labels, np.ones_like(labels))
    return {name: round(value, 4) for name, value in zip(("intercept", *signals[0]), fitted, strict=True)}


def weighed(model: dict[str, float], signals: dict[str, float]) -> float:
    return model["intercept"] + sum(model[name] * value for name, value in signals.items())


def is_answered(model: ReadingModel, found: Found) -> float:
    return float(1 / (1 + np.exp(-weighed(dict(model.question), found.question))))


def balanced(answered: Floats, unanswered: Floats) -> float:
    """The threshold that errs as often in one direction as in the other; both are sorted."""
    refused = np.searchsorted(answered, unanswered) / len(answered)
    let_through = 1 - np.arange(len(unanswered)) / len(unanswered)
    return float(unanswered[int(np.abs(refused - let_through).argmin())])


def report(pairs: Sequence[Pair]) -> None:
    """What is reached on questions that nothing was fitted on, beside what words reach."""
    right: dict[str, list[bool]] = {"words": [], "reading": []}
    errors: dict[str, list[bool]] = {"words": [], "reading": []}
    for fold in range(FOLDS):
        model = fit([pair for place, pair in enumerate(pairs) if place * FOLDS // len(pairs) != fold])
        for place, (found, without) in enumerate(pairs):
            if place * FOLDS // len(pairs) != fold:
                continue
            best = max(range(len(found.statements)), key=lambda n: weighed(dict(model.statement), found.statements[n]))
            right["words"].append(found.answering[0])
            right["reading"].append(found.answering[best])
            errors["words"] += [found.by_words[0] < WORDS.refuse_below, without.by_words[0] >= WORDS.refuse_below]
            errors["reading"] += [
                is_answered(model, found) < model.refuse_below,
                is_answered(model, without) >= model.refuse_below,
            ]
    for name, values in right.items():
        refused, let_through = np.mean(errors[name][::2]), np.mean(errors[name][1::2])
        print(
            f"By {name}: the first statement answers {np.mean(values):.3f}, "
            f"answerable refused {refused:.3f}, unanswerable answered {let_through:.3f}."
        )


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    with tempfile.TemporaryDirectory() as scratch:
        posed = [one for one in pose(unseen(data), Path(scratch), each=EACH) if one.is_found]
    both = [(read(one, one.hits[:FOUND]), read(one, one.others)) for one in posed]
    pairs = [(found, without) for found, without in both if found and without]
    report(pairs)
    model = fit(pairs)
    fitted = {"statement": model.statement, "question": model.question, "refuse_below": model.refuse_below}
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    print(f"{len(pairs)} questions: {fitted}")


if __name__ == "__main__":
    main()
