"""Fit which program over a table a question asks for: `fit_tables.py [AUTHORED]`.

Questions are asked of two workspaces: the authored training documents that are about tables, with the questions of
`data/tables/questions.jsonl`, and the documents of `data/tables/train`. A program over a table of its own document is
what a question asks for where the result says all that the answer must and nothing that it must not; a question that
is answered by reading, or by nothing, asks for none. The model of the wording is fitted first and, for what is fitted
on top of it, by documents it has not seen; so are the ranker that makes the shortlist, the weights of what the reader
says to it, and how likely a choice is right. It prints, by type of question, how many choices would be given at even
odds and how many of those are right.
"""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from docmind.bench.authored import Question, read_authored
from docmind.domain.search import Hit
from docmind.models.embedders import StaticEmbedder
from docmind.models.reader import Reader
from docmind.skills.extract.statement_scorer import clipped, logit
from docmind.skills.tables.asking_model import KINDS, AskingModel, vector
from docmind.skills.tables.features import FAMILIES, GROUPS, Floats, Vectors, as_rows, family, groups
from docmind.skills.tables.programs import Operation, Program
from docmind.skills.tables.ranker import (
    Ranker,
    ReadWeights,
    Shortlist,
    Weights,
    gather_candidates,
    may_compute,
    none_signals,
    read_signals,
)
from docmind.skills.tables.results import result_sentence
from docmind.skills.tables.table import read_tables
from logistic import logistic
from softmax import adam, choice_slopes, softmax
from table_questions import AUTHORED, asked_for, find_training, is_asked_for

TARGET = Path(__file__).parent.parent / "src/docmind/skills/tables"
FOLDS, NEGATIVES = 4, 50
READING_DECAY = 1e-3
COMPUTED_COUNT = 3.0
READ_SAMPLED = 0.4
"""The share of the authored questions that the reader's word is weighed on; it is slow."""
RNG = np.random.default_rng(0)


@dataclass
class Example:
    """A question with its programs."""

    question: Question
    programs: list[Program]
    rows: Floats
    """(programs, signals)."""
    kinds: Floats
    right: Floats
    """Of each program whether it is what was asked for."""


@dataclass
class ReadExample:
    """A question with the shortlist of its programs and what the reader says to each."""

    question: Question
    few: Shortlist
    answers: Floats
    right: Floats


def main() -> None:
    folders = read_authored(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED)
    save(fit(list(find_training(folders, RNG)), Reader()))


def fit(asked: Sequence[tuple[Question, list[Hit]]], reader: Reader) -> Weights:
    told = [(question, found) for question, hits in asked if (found := asked_for(question, hits)) is not None]
    # The last of the models has seen every document, the others all but a part.
    models = [fit_asking([one for one in told if _fold(one[0]) != fold]) for fold in range(FOLDS + 1)]
    vectors = Vectors(StaticEmbedder())
    signals: dict[str, int] = {}
    examples = []
    for question, hits in asked:
        model = models[_fold(question)]
        if may_compute(question.text, model) and (one := example(question, hits, vectors, model, signals)):
            examples.append(one)
    names = tuple(signals)
    examples = [replace(one, rows=_padded(one.rows, len(names))) for one in examples]
    print(f"{len(told)} questions told what they ask for, {len(examples)} with programs")
    weights = fit_ranker(examples, names, models[FOLDS])
    print(f"fitted on {sum(one.right.any() for one in examples)} questions that ask for a program", flush=True)
    read = read_shortlists(examples, names, models[FOLDS], reader)
    return replace(weights, reading=fit_reading(read), right=fit_right(read, weights))


def fit_asking(asked: Sequence[tuple[Question, tuple[Floats, Floats]]]) -> AskingModel:
    """What is asked for, of all questions, and by which test, of those that ask for something computed."""
    x = [vector(question.text) for question, _ in asked]
    kinds, tests = (np.stack([told[place] for _, told in asked]) for place in (0, 1))
    computed = np.flatnonzero(tests.any(axis=1))
    weight = np.where(tests.any(axis=1), COMPUTED_COUNT, 1.0)
    return AskingModel(
        *softmax(x, kinds, weight), *softmax([x[one] for one in computed], tests[computed], weight[computed])
    )


def example(
    question: Question, hits: Sequence[Hit], vectors: Vectors, model: AskingModel, signals: dict[str, int]
) -> Example | None:
    """The programs over what was found; `signals` are the names of all that were met so far, with their places."""
    found = gather_candidates(question.text, read_tables(hits), vectors, model)
    if not found.programs:
        return None
    for name in (name for row in found.rows for name in row):
        signals.setdefault(name, len(signals))
    grades = np.array([is_asked_for(question, program) for program in found.programs])
    return Example(
        question,
        found.programs,
        as_rows(found.rows, tuple(signals)),
        found.kinds,
        (grades == max(1, grades.max())).astype(np.float32),
    )


def _padded(rows: Floats, width: int) -> Floats:
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])))


def fit_ranker(examples: Sequence[Example], names: tuple[str, ...], asking: AskingModel) -> Weights:
    """Softmax over the programs of a question and none; of those that are not asked for a sample stands for all."""
    kept = [_sampled(one) for one in examples]
    counts = [len(places) for places, _ in kept]
    of = np.repeat(np.arange(len(kept)), counts)
    begin = np.concatenate([[0], np.cumsum(counts)[:-1]])
    chosen = [(one, place) for one, (places, _) in zip(examples, kept, strict=True) for place in places]
    x = np.concatenate([one.rows[places] for one, (places, _) in zip(examples, kept, strict=True)])
    centre, spread = x.mean(axis=0), x.std(axis=0) + 1e-3
    x = (x - centre) / spread
    kinds = np.stack([one.kinds for one in examples])
    right = np.array([one.right[place] for one, place in chosen], np.float32)
    extra = np.concatenate(
        [np.where(one.right[places] > 0, 0.0, log) for one, (places, log) in zip(examples, kept, strict=True)]
    ).astype(np.float32)
    families = np.array([family(one.programs[place]) for one, place in chosen])
    grouped = np.array([groups(one.programs[place]) for one, place in chosen])
    of_family = [np.flatnonzero(families == number) for number in range(len(FAMILIES))]
    own_x = [x[places] for places in of_family]
    has = np.array([one.right.any() for one in examples])
    parts = {
        "signals": np.zeros((1 + len(FAMILIES), len(names)), np.float32),
        "groups": np.zeros((GROUPS, len(KINDS)), np.float32),
        "bias": np.zeros(GROUPS, np.float32),
        "none": np.zeros(len(KINDS), np.float32),
        "none_bias": np.full(1, 4.0, np.float32),
    }
    for step in adam(parts, steps=150, rate=0.05):
        by_group = kinds @ parts["groups"].T + parts["bias"]
        scores = x @ parts["signals"][0] + by_group[of[:, None], grouped].sum(axis=1) + extra
        for number, (places, own) in enumerate(zip(of_family, own_x, strict=True), 1):
            scores[places] += own @ parts["signals"][number]
        none = kinds @ parts["none"] + parts["none_bias"][0]
        wrong, wrong_none = (one.astype(np.float32) for one in choice_slopes(scores, none, right, has, of, begin))
        by_kind = np.zeros((len(examples), GROUPS))
        for group in grouped.T:
            np.add.at(by_kind, (of, group), wrong)
        step({
            "signals": 3e-3 * parts["signals"]
            + np.stack([wrong @ x, *(wrong[one] @ own for one, own in zip(of_family, own_x, strict=True))]),
            "groups": by_kind.T @ kinds + 3e-3 * parts["groups"],
            "bias": by_kind.sum(axis=0) + 3e-3 * parts["bias"],
            "none": wrong_none @ kinds + 3e-3 * parts["none"],
            "none_bias": wrong_none.sum(keepdims=True),
        })  # fmt: skip
    return unstandardised(parts, names, centre, spread, asking)


def unstandardised(
    parts: Mapping[str, Floats], names: tuple[str, ...], centre: Floats, spread: Floats, asking: AskingModel
) -> Weights:
    """The weights for signals as they are; what the centre comes to goes to the operations of each family."""
    signals = parts["signals"] / spread
    bias = parts["bias"].copy()
    for number, operations in enumerate(FAMILIES, 1):
        for operation in operations:
            bias[list(Operation).index(operation)] -= (signals[0] + signals[number]) @ centre
    unread = ReadWeights(np.zeros((1 + len(FAMILIES), 0), np.float32), np.zeros(0, np.float32))
    return Weights(names, signals, parts["groups"], bias, parts["none"], float(parts["none_bias"][0]), asking, unread)


def _sampled(one: Example) -> tuple[Floats, float]:
    """Places of the programs kept, and the logarithm of how many each that was not asked for stands for."""
    yes, no = np.flatnonzero(one.right > 0), np.flatnonzero(one.right == 0)
    if len(no) <= NEGATIVES:
        return np.concatenate([yes, no]), 0.0
    return np.concatenate([yes, RNG.choice(no, NEGATIVES, replace=False)]), float(np.log(len(no) / NEGATIVES))


def read_shortlists(
    examples: Sequence[Example], names: tuple[str, ...], asking: AskingModel, reader: Reader
) -> list[ReadExample]:
    """What the reader says to the programs that a ranker which did not see their document would have it read."""
    found = []
    for fold in range(FOLDS):
        ranker = Ranker(fit_ranker([one for one in examples if _fold(one.question) != fold], names, asking))
        for one in examples:
            if _fold(one.question) == fold and (not one.question.answer or RNG.random() < READ_SAMPLED):
                few = ranker.shortlist(one.programs, one.rows, one.kinds)
                read = reader.read(one.question.text, [result_sentence(program) for program in few.programs])
                right = {id(program) for program, is_right in zip(one.programs, one.right, strict=True) if is_right}
                found.append(
                    ReadExample(
                        one.question,
                        few,
                        np.array([passage.score for passage in read], np.float32),
                        np.array([id(program) in right for program in few.programs], np.float32),
                    )
                )
    return found


def fit_reading(read: Sequence[ReadExample]) -> ReadWeights:
    """Softmax over the programs of each shortlist and none, with the reader's word."""
    counts = [len(one.answers) for one in read]
    of = np.repeat(np.arange(len(read)), counts)
    begin = np.concatenate([[0], np.cumsum(counts)[:-1]])
    x = np.concatenate([read_signals(one.few, one.answers) for one in read])
    still = np.stack([none_signals(one.few, one.answers) for one in read])
    own = 1 + np.array([family(program) for one in read for program in one.few.programs])
    right = np.concatenate([one.right for one in read])
    has = np.array([one.right.any() for one in read])
    parts = {
        "signals": np.zeros((1 + len(FAMILIES), x.shape[1]), np.float32),
        "none": np.zeros(still.shape[1], np.float32),
    }
    for step in adam(parts, steps=300, rate=0.05):
        scores = (x * (parts["signals"][0] + parts["signals"][own])).sum(axis=1)
        wrong, wrong_none = choice_slopes(scores, still @ parts["none"], right, has, of, begin)
        by_family = np.zeros_like(parts["signals"])
        np.add.at(by_family, own, wrong[:, None] * x)
        by_family[0] = wrong @ x
        step({
            "signals": by_family + READING_DECAY * parts["signals"],
            "none": wrong_none @ still + READING_DECAY * parts["none"],
        })  # fmt: skip
    return ReadWeights(parts["signals"], parts["none"])


def fit_right(read: Sequence[ReadExample], weights: Weights) -> tuple[float, float]:
    """Intercept and slope of a choice being right by its logit, each made by weights that did not see its document."""
    likely, right = [], []
    for fold in range(FOLDS):
        reading = fit_reading([one for one in read if _fold(one.question) != fold])
        ranker = Ranker(replace(weights, reading=reading))
        for one in read:
            if _fold(one.question) == fold:
                choice = ranker.best(one.few, one.answers)
                likely.append(clipped(logit(choice.likely)))
                right.append(one.right[one.few.programs.index(choice.program)])
    intercept, slope = logistic(np.array([likely]), np.array(right, np.float64), np.ones(len(right)))
    show_right(read, likely, right, intercept, slope)
    return intercept, slope


def show_right(
    read: Sequence[ReadExample], likely: Sequence[float], right: Sequence[float], intercept: float, slope: float
) -> None:
    """How many choices by type would be given at even odds, and how many of those are right."""
    ordered = [one.question.type for fold in range(FOLDS) for one in read if _fold(one.question) == fold]
    given = np.array(likely) * slope + intercept >= 0
    for kind in sorted(set(ordered)):
        own = np.array([one == kind for one in ordered])
        print(
            f"{kind:14}{own.sum():6} asked{(own & given).sum():6} given{np.array(right)[own & given].sum():6.0f} right"
        )


def save(weights: Weights) -> None:
    scale, test_scale = (np.abs(some).max() / 127 for some in (weights.asking.weights, weights.asking.test_weights))
    np.savez_compressed(
        TARGET / "ranker.npz",
        names=np.array(weights.names),
        signals=weights.signals.astype(np.float32),
        groups=weights.groups.astype(np.float32),
        bias=weights.bias.astype(np.float32),
        none=weights.none.astype(np.float32),
        none_bias=np.float32(weights.none_bias),
        words=np.round(weights.asking.weights / scale).astype(np.int8),
        words_scale=np.float32(scale),
        words_bias=weights.asking.bias.astype(np.float32),
        tests=np.round(weights.asking.test_weights / test_scale).astype(np.int8),
        tests_scale=np.float32(test_scale),
        tests_bias=weights.asking.test_bias.astype(np.float32),
        reading=weights.reading.signals,
        reading_none=weights.reading.none,
        right=np.array(weights.right, np.float32),
    )


def _fold(question: Question) -> int:
    return int(hashlib.sha256(question.document.encode()).hexdigest(), 16) % FOLDS


if __name__ == "__main__":
    main()
