"""Fit which row of a filing is meant, and how likely an answer from filings is right: `fit_filings.py DATA STORE`.

DATA is the folder of the sets; STORE keeps the filings once they were ingested. Written are weights.json of
skills/finance/choosing and the part `reports` of skills/finance/confidence.json. Fitted on the questions whose failures
may be read; what is printed is measured on companies that were left out of the fit.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from docmind.bench.finance.filings_scoring import is_right
from docmind.bench.finance.filings_set import fitted_questions
from docmind.bench.metrics import Judged, expected_calibration_error, reliability
from docmind.bench.tasks.filings import ingest
from docmind.bench.workbench import open_engine, workbench
from docmind.models.reader import Reader
from docmind.skills.finance import certainty
from docmind.skills.finance.choosing.chooser import Weights, distinct, none_signals, read_signals, stated, vectors
from docmind.skills.finance.choosing.signals import SIGNALS, Candidate, candidates, signals
from docmind.skills.finance.evidence import Answers
from docmind.skills.finance.seeking import rerank
from docmind.skills.finance.telling.explanation import explain
from docmind.workflows.finance.answering import answered
from docmind.workflows.finance.passages import sources_of
from docmind.workflows.finance.retrieval import KEPT
from filing_figures import Case, collected, wanted_in, which_are_meant
from logistic import logistic
from softmax import adam, choice_slopes

Floats = NDArray[np.float32]
FINANCE = Path(__file__).parent.parent / "src/docmind/skills/finance"
EMBEDDER = "minilm"
SMALL = 0.002
"""How strongly the weights of rows are kept small: there are few questions."""
RIDGE = 1.0
"""The same for the confidence."""


@dataclass(frozen=True, slots=True)
class Example:
    """What one figure may be taken from, by signals, and which of it is right."""

    company: str
    question: str
    rows: Floats
    right: NDArray[np.bool_]
    found: list[Candidate]
    texts: list[str]
    """What the reader is shown of each."""


@dataclass(frozen=True, slots=True)
class Few:
    """The rows that fit best by themselves."""

    scores: Floats
    read: Floats
    """What the reader says of each."""
    right: NDArray[np.bool_]


def examples_of(cases: Sequence[Case]) -> Iterator[Example]:
    """A lookup of which nothing right was found teaches only that none may be right."""
    for case in cases:
        for wanted, evidence in wanted_in(case):
            if found := candidates(wanted, evidence):
                rows, right = signals(wanted, evidence, found, vectors()), which_are_meant(case, found)
                yield Example(case.question.company, wanted.question, rows, right, found, stated(found, evidence))


def fit_rows(examples: Sequence[Example], answers: Answers) -> Weights:
    own = _fit_signals([one for one in examples if one.right.any()])
    return Weights(own, *_fit_reading([few_of(one, own, answers) for one in examples]))


def _fit_signals(examples: Sequence[Example]) -> Floats:
    rows, right = (np.concatenate([getattr(one, name) for one in examples]) for name in ("rows", "right"))
    of, begin = _places([len(one.rows) for one in examples])
    none, has = np.full(len(examples), -30.0, np.float32), np.ones(len(examples), np.bool_)
    parts = {"weights": np.zeros(rows.shape[1], np.float32)}
    for step in adam(parts, steps=400, rate=0.1):
        slopes, _ = choice_slopes(rows @ parts["weights"], none, right.astype(np.float32), has, of, begin)
        step({"weights": slopes @ rows + SMALL * parts["weights"]})
    return parts["weights"]


def few_of(one: Example, own: Floats, answers: Answers) -> Few:
    scores = one.rows @ own
    best = distinct(one.found, scores)
    read = np.array(answers(one.question, [one.texts[place] for place in best]), np.float32)
    return Few(scores[best], read, one.right[best])


def _fit_reading(few: Sequence[Few]) -> tuple[Floats, Floats]:
    rows = np.concatenate([read_signals(one.scores, one.read) for one in few])
    empty = np.stack([none_signals(one.scores, one.read) for one in few])
    of, begin = _places([len(one.scores) for one in few])
    right = np.concatenate([one.right for one in few]).astype(np.float32)
    has = np.array([one.right.any() for one in few])
    parts = {"own": np.zeros(rows.shape[1], np.float32), "none": np.zeros(empty.shape[1], np.float32)}
    for step in adam(parts, steps=400, rate=0.1):
        own, none = choice_slopes(rows @ parts["own"], empty @ parts["none"], right, has, of, begin)
        step({"own": own @ rows + SMALL * parts["own"], "none": none @ empty + SMALL * parts["none"]})
    return parts["own"], parts["none"]


def _places(lengths: Sequence[int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of which figure each row is, and where the rows of each begin."""
    of = np.repeat(np.arange(len(lengths)), lengths)
    return of, np.flatnonzero(np.diff(of, prepend=-1))


def check_rows(examples: Sequence[Example], answers: Answers) -> None:
    """Tell how often the right row is chosen by weights of the other companies."""
    hit, there = 0, [one for one in examples if one.right.any()]
    for company in sorted({one.company for one in examples}):
        weights = fit_rows([one for one in examples if one.company != company], answers)
        for one in (one for one in there if one.company == company):
            few = few_of(one, weights.signals, answers)
            hit += bool(few.right[int(np.argmax(weights.likely(few.scores, few.read)))])
    print(f"{len(examples)} figures, the right row among those found for {len(there)}, and chosen for {hit}")


def fit_confidence(cases: Sequence[Case], answers: Answers) -> dict[str, float]:
    """Weights of what tells how likely an analysis is right, with those of other companies checked on each."""
    told = [(case.question.company, *found) for case in cases if (found := _answer(case, answers)) is not None]
    names, right = np.array([one for one, _, _ in told]), np.array([one for _, _, one in told], np.float64)
    rows = np.array([[values[name] for name in certainty.SIGNALS] for _, values, _ in told])
    likely = np.zeros(len(told))
    for company in sorted(set(names)):
        others = names != company
        beta = logistic(rows[others].T, right[others], np.ones(others.sum()), ridge=RIDGE)
        likely[~others] = 1 / (1 + np.exp(-(beta[0] + rows[~others] @ np.array(beta[1:]))))
    judged = [Judged(float(one), bool(is_so)) for one, is_so in zip(likely, right, strict=True)]
    wrong = int(((likely >= 0.5) & (right == 0)).sum())
    error = expected_calibration_error(reliability(judged))
    print(f"{len(told)} answers, {int(right.sum())} right, {wrong} wrong and at least 50% sure, error {error:.3f}")
    beta = logistic(rows.T, right, np.ones(len(told)), ridge=RIDGE)
    return {name: round(value, 4) for name, value in zip(("intercept", *certainty.SIGNALS), beta, strict=True)}


def _answer(case: Case, answers: Answers) -> tuple[dict[str, float], bool] | None:
    """What tells how sure an analysis is, and whether it is right; None where it comes to no figures."""
    sources = sources_of(rerank(case.asked, case.hits, KEPT), answers)
    analysis = answered(case.asked, sources.evidence).analysis
    if analysis.refusal or not analysis.signals:
        return None
    return dict(analysis.signals), is_right(case.question, explain(analysis, sources))


def write(name: str, change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    path = FINANCE / name
    path.write_text(json.dumps(change(json.loads(path.read_text("utf-8"))), indent=1) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("data", "store"):
        parser.add_argument(name, type=Path)
    arguments = parser.parse_args()
    with workbench(arguments.data, Console()) as bench:
        folder = bench.dataset("filings")
        ingest(bench, folder, arguments.store, EMBEDDER)
        with open_engine(arguments.store, EMBEDDER) as engine:
            cases = collected(engine, fitted_questions(folder))
    reader = Reader()

    def answers(question: str, texts: Sequence[str]) -> list[float]:
        return [one.score for one in reader.read(question, texts)]

    examples = list(examples_of(cases))
    check_rows(examples, answers)
    weights = fit_rows(examples, answers)
    own = {name: round(float(weight), 4) for name, weight in zip(SIGNALS, weights.signals, strict=True)}
    reading, none = ([round(float(weight), 4) for weight in some] for some in (weights.reading, weights.none))
    write(
        "choosing/weights.json",
        lambda _: {"figures": len(examples), "signals": own, "reading": reading, "none": none},
    )
    Weights.shipped.cache_clear()
    reports = fit_confidence(cases, answers)
    write("confidence.json", lambda before: {**before, "reports": reports})


if __name__ == "__main__":
    main()
