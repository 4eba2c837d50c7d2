"""Fit which row of a filing is meant, and how likely an answer from filings is right: `fit_filings.py DATA STORE`.

DATA is the folder of the sets; STORE keeps the filings once they were ingested. Written are row_weights.json of
skills/finance/evidence and the parts `reports` and `quoted` of skills/finance/confidence.json. Fitted on the questions
whose failures may be read; what is printed is measured on companies that were left out of the fit.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from docmind.bench.finance.filings_set import fitted_questions
from docmind.bench.metrics import ScoredItem, expected_calibration_error, reliability
from docmind.bench.tasks.filings import ingest
from docmind.bench.workbench import open_engine, workbench
from docmind.models.reader import Reader
from docmind.skills.finance.confidence import FIGURE_SIGNALS, QUOTATION_SIGNALS
from docmind.skills.finance.evidence.choice import (
    ROW_SIGNALS,
    Candidate,
    Weights,
    candidates,
    distinct,
    none_signals,
    read_signals,
    signals,
    stated,
    vectors,
)
from docmind.skills.finance.evidence.evidence import Answers as Reads
from filing_answers import Answers, answers_to, found_for
from filing_figures import Case, collected, wanted_in, which_are_meant
from logistic import logistic
from softmax import adam, choice_slopes

Floats = NDArray[np.float32]
FINANCE = Path(__file__).parent.parent / "src/docmind/skills/finance"
EMBEDDER = "minilm"
SMALL = 0.002
"""How strongly the weights of rows are kept small: there are few questions."""
RIDGE = 4.0
"""The same for the confidence."""
SURE = 0.5


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


def fit_rows(examples: Sequence[Example], answers: Reads) -> Weights:
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


def few_of(one: Example, own: Floats, answers: Reads) -> Few:
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


def check_rows(examples: Sequence[Example], answers: Reads) -> None:
    """Tell how often the right row is chosen by weights of the other companies."""
    hit, there = 0, [one for one in examples if one.right.any()]
    for company in sorted({one.company for one in examples}):
        weights = fit_rows([one for one in examples if one.company != company], answers)
        for one in (one for one in there if one.company == company):
            few = few_of(one, weights.signals, answers)
            hit += bool(few.right[int(np.argmax(weights.likely(few.scores, few.read)))])
    print(f"{len(examples)} figures, the right row among those found for {len(there)}, and chosen for {hit}")


@dataclass(frozen=True, slots=True)
class Weighed:
    """Answers of one kind by their signals, and which of them are right."""

    companies: NDArray[np.str_]
    rows: NDArray[np.float64]
    right: NDArray[np.float64]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, names: Sequence[str], answers: Sequence[tuple[str, Sequence[Mapping[str, float]], bool]]) -> Self:
        """Of every answer all that it was made of; together these weigh as much as one."""
        told = [(company, one, right, 1 / len(some)) for company, some, right in answers for one in some]
        rows = np.array([[one[name] for name in names] for _, one, _, _ in told]).reshape(-1, len(names))
        companies = np.array([one[0] for one in told], np.str_)
        right, weight = (np.array([one[place] for one in told], np.float64) for place in (2, 3))
        return cls(companies, rows, right, weight)

    def fitted(self, which: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The intercept and the weights, with signals brought to one size while they are kept small."""
        size = self.rows.std(axis=0) + 1e-6 if len(self.rows) else np.ones(self.rows.shape[1])
        beta = np.array(logistic((self.rows / size)[which].T, self.right[which], self.weight[which], ridge=RIDGE))
        return np.concatenate([beta[:1], beta[1:] / size])

    def check(self, what: str) -> None:
        """Tell how sure and how right answers are by weights of the other companies."""
        likely = np.zeros(len(self.right))
        for company in sorted(set(self.companies)):
            own = self.companies == company
            beta = self.fitted(np.array([_apart(company, other) for other in self.companies], np.bool_))
            likely[own] = 1 / (1 + np.exp(-(beta[0] + self.rows[own] @ beta[1:])))
        judged = [ScoredItem(float(one), bool(right)) for one, right in zip(likely, self.right, strict=True)]
        sure = likely >= SURE
        counted = f"{len(judged)} {what}, {int(self.right.sum())} right; at least 50% sure of {int(sure.sum())}"
        wrong, error = int((sure & (self.right == 0)).sum()), expected_calibration_error(reliability(judged))
        print(f"{counted}, {wrong} of these wrong, error {error:.3f}")

    def weights(self, names: Sequence[str]) -> dict[str, float]:
        beta = self.fitted(np.ones(len(self.right), np.bool_))
        return {name: round(float(one), 4) for name, one in zip(("intercept", *names), beta, strict=True)}


def _apart(company: str, other: str) -> bool:
    """Whether questions on one are none on the other: some compare two."""
    return set(company.split("-")).isdisjoint(other.split("-"))


def fit_confidence(answers: Sequence[Answers]) -> dict[str, dict[str, float]]:
    """Weights of what tells how likely figures are right, and of what tells it of quotations."""
    figures = [(one.company, [one.figures], one.figures_right) for one in answers if one.figures]
    quoted = [(one.company, one.readings, one.quotation_right) for one in answers if one.readings]
    fitted = {}
    for part, names, told in (("reports", FIGURE_SIGNALS, figures), ("quoted", QUOTATION_SIGNALS, quoted)):
        weighed = Weighed.of(names, told)
        weighed.check(part)
        fitted[part] = weighed.weights(names)
    return fitted


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("data", "store"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--keep-rows", action="store_true", help="fit the confidence alone")
    arguments = parser.parse_args()
    with workbench(arguments.data, Console()) as bench:
        folder = bench.dataset("filings")
        ingest(bench, folder, arguments.store, EMBEDDER)
        questions = fitted_questions(folder)
        with open_engine(arguments.store, EMBEDDER) as engine:
            if not arguments.keep_rows:
                _write_rows(list(examples_of(collected(engine, questions))))
            # What is told with the new weights is what has to be judged.
            answers = answers_to(engine, questions, found_for(engine, questions))
    fitted = fit_confidence(answers)
    _write("confidence.json", lambda before: {**before, **fitted})


def _write_rows(examples: Sequence[Example]) -> None:
    reader = Reader()

    def answers(question: str, texts: Sequence[str]) -> list[float]:
        return [one.score for one in reader.read(question, texts)]

    check_rows(examples, answers)
    weights = fit_rows(examples, answers)
    own = {name: round(float(weight), 4) for name, weight in zip(ROW_SIGNALS, weights.signals, strict=True)}
    reading, none = ([round(float(weight), 4) for weight in some] for some in (weights.reading, weights.none))
    fitted = {"figures": len(examples), "signals": own, "reading": reading, "none": none}
    _write("evidence/row_weights.json", lambda _: fitted)
    Weights.shipped.cache_clear()


def _write(name: str, change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    path = FINANCE / name
    path.write_text(json.dumps(change(json.loads(path.read_text("utf-8"))), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
