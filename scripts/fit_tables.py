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
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.bench.authored import Folder, Part, Question, read_authored
from docmind.bench.authored_answers import documents_of, is_right, questions_of, says
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.search import Hit
from docmind.models.reader import Reader
from docmind.models.static import StaticEmbedder
from docmind.skills.extract.reading import clipped, logit
from docmind.skills.tables.asking import KINDS, TESTS, AskingModel, vector
from docmind.skills.tables.features import FAMILIES, GROUPS, Floats, Vectors, as_rows, family, groups
from docmind.skills.tables.programs import Operation, Program, candidates
from docmind.skills.tables.ranker import (
    COMPUTING,
    Ranker,
    ReadWeights,
    Shortlist,
    Weights,
    gather_candidates,
    none_signals,
    read_signals,
)
from docmind.skills.tables.results import result
from docmind.skills.tables.stating import state
from docmind.skills.tables.table import read_tables
from logistic import logistic

ROOT = Path(__file__).parent.parent
AUTHORED, TABLES = ROOT / "data" / "authored", ROOT / "data" / "tables"
TARGET = ROOT / "src/docmind/skills/tables"
PASSAGES, FURTHER_PASSAGES, FOLDS, NEGATIVES = 8, 60, 4, 50
READING_DECAY = 1e-3
OPERATIONS = {
    "which": {"max", "min", "top", "bottom", "list"},
    "total": {"sum"},
    "how_many": {"count", "sum", "difference", "mean"},
    "compare": {"difference", "max", "min"},
    "list": {"list", "top", "bottom", "max", "min"},
    "choice": {"max", "min"},
    "quantity": {"sum", "difference", "mean"},
    "what": {"max", "min"},
    "lookup": {"max", "min"},
}
"""By the type of a question what may have been meant: a result may be right by accident."""
COMPUTING_TYPES = {"which", "total", "how_many", "compare", "list", "choice"}
COMPUTED_COUNT = 3.0
SAMPLED = 0.25
"""The share of the other questions over documents with tables that the ranker is fitted on."""
READ = {"quantity", "what", "lookup"}
"""Types of question that one row answers as it stands, where one is all the evidence."""
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
    save(fit(list(find_training(folders)), Reader()))


def find_training(folders: Sequence[Folder]) -> Iterator[tuple[Question, list[Hit]]]:
    """The questions that are fitted on with what is found for them; nothing for those that are surely read."""
    authored = read_questions(TABLES / "questions.jsonl")
    about = {path.stem for path in documents_of([one for one in folders if is_about_tables(one)], Part.TRAIN)}
    about |= {question.document for question in authored}
    for question in questions_of(folders, Part.TRAIN):
        if question.document in about and (question.type in COMPUTING_TYPES or RNG.random() < SAMPLED):
            authored.append(question)
        elif question.answerable and question.type not in OPERATIONS:
            yield question, []
    yield from search([path for path in documents_of(folders, Part.TRAIN) if path.stem in about], authored)
    own = read_questions(TABLES / "train" / "questions.jsonl")
    yield from search(sorted((TABLES / "train" / "docs").glob("*.md")), own)


def is_about_tables(folder: Folder) -> bool:
    """Whether its documents are tables above all, as the README of the authored documents says."""
    return re.fullmatch(r"h|t1|[mv]\d", folder.path.name) is not None


def fit(asked: Sequence[tuple[Question, list[Hit]]], reader: Reader) -> Weights:
    told = [(question, found) for question, hits in asked if (found := asked_for(question, hits)) is not None]
    # The last of the models has seen every document, the others all but a part.
    models = [fit_asking([one for one in told if _fold(one[0]) != fold]) for fold in range(FOLDS + 1)]
    vectors = Vectors(StaticEmbedder())
    signals: dict[str, int] = {}
    examples = []
    for question, hits in asked:
        model = models[_fold(question)]
        if model.kinds(question.text)[0] <= 1 - COMPUTING and (one := example(question, hits, vectors, model, signals)):
            examples.append(one)
    names = tuple(signals)
    examples = [replace(one, rows=_padded(one.rows, len(names))) for one in examples]
    print(f"{len(told)} questions told what they ask for, {len(examples)} with programs")
    weights = fit_ranker(examples, names, models[FOLDS])
    print(f"fitted on {sum(one.right.any() for one in examples)} questions that ask for a program", flush=True)
    read = read_shortlists(examples, names, models[FOLDS], reader)
    return replace(weights, reading=fit_reading(read), right=fit_right(read, weights))


def read_questions(path: Path) -> list[Question]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Question(
            row["id"], row["doc"], row["question"], row["type"], "", "", tuple(row["must"]), tuple(row["must_not"]),
            (), (), None, own_words=True,
        )
        for row in rows
    ]  # fmt: skip


def search(documents: Sequence[Path], asked: Sequence[Question]) -> Iterator[tuple[Question, list[Hit]]]:
    """What is found for each question; where that has no table of its document, what is found in the document."""
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents, SCOPE)
        for question in asked:
            hits = engine.search(question.text, SCOPE, limit=PASSAGES)
            if question.type in COMPUTING_TYPES and not any(_is_own_table(question, hit) for hit in hits):
                wide = engine.search(question.text, SCOPE, limit=FURTHER_PASSAGES)
                hits = [hit for hit in wide if Path(hit.document.name).stem == question.document][:PASSAGES] or hits
            yield question, hits


def _is_own_table(question: Question, hit: Hit) -> bool:
    return hit.passage.kind == "table" and Path(hit.document.name).stem == question.document


def is_asked_for(question: Question, program: Program) -> int:
    """0 where a program is not what was asked for, 1 where it may be, 2 where its result names what the answer must."""
    told = result(program)
    document = Path(program.table.hits[0].document.name).stem
    if not told or document != question.document or program.operation not in OPERATIONS.get(question.type, ()):
        return 0
    cells = " ".join(cell for row in program.rows for cell in program.table.rows[row].cells)
    if not is_right(question, f"{told}. {cells}") or (question.type in READ and len(question.evidence) < 2):
        return 0
    if program.is_computed:
        return 2 * any(says(told, one) for one in question.must if any(map(str.isdigit, one)))
    several = len(question.must) > 1 or question.type == "list"
    most = 2 if program.operation in (Operation.MAX, Operation.MIN) else max(2, 3 * len(question.must) // 2)
    if len(program.rows) > most or (program.operation in (Operation.TOP, Operation.BOTTOM) and not several):
        return 0
    names = [program.table.name(row) for row in program.rows]
    return 1 + any(says(name, one) for name in names for one in question.must)


def asked_for(question: Question, hits: Sequence[Hit]) -> tuple[Floats, Floats] | None:
    """The operations and the tests of the programs that a question asks for; none where that cannot be told."""
    is_read = question.type not in OPERATIONS or (question.type in READ and len(question.evidence) < 2)
    tables = [] if is_read else read_tables(hits)
    found = [program for table in tables for program in candidates(question.text, table)]
    meant = [program for program in found if is_asked_for(question, program) == 2]
    kinds, tests = np.zeros(len(KINDS), np.float32), np.zeros(len(TESTS), np.float32)
    for program in meant:
        kinds[KINDS.index(program.operation)] = 1
        tests[TESTS.index(program.condition.test if program.condition else None)] = 1
    if meant:
        return kinds / kinds.sum(), tests / tests.sum()
    if question.type in COMPUTING_TYPES or not question.answerable:
        return None
    kinds[0] = 1
    return kinds, tests


def fit_asking(asked: Sequence[tuple[Question, tuple[Floats, Floats]]]) -> AskingModel:
    """What is asked for, of all questions, and by which test, of those that ask for something computed."""
    x = [vector(question.text) for question, _ in asked]
    kinds, tests = (np.stack([told[place] for _, told in asked]) for place in (0, 1))
    computed = np.flatnonzero(tests.any(axis=1))
    weight = np.where(tests.any(axis=1), COMPUTED_COUNT, 1.0)
    return AskingModel(
        *softmax(x, kinds, weight), *softmax([x[one] for one in computed], tests[computed], weight[computed])
    )


def softmax(x: Sequence[Floats], y: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Weights and bias of a softmax regression, by Adam; few of the features of a question are there at all."""
    places = [np.flatnonzero(one) for one in x]
    where, values = np.concatenate(places), np.concatenate([one[own] for one, own in zip(x, places, strict=True)])
    of = np.repeat(np.arange(len(x)), [len(own) for own in places])
    share = (weight / weight.sum()).astype(np.float32)[:, None]
    parts = {"weights": np.zeros((len(x[0]), y.shape[1]), np.float32), "bias": np.zeros(y.shape[1], np.float32)}
    for step in adam(parts, steps=120, rate=0.1):
        scores = _summed(values[:, None] * parts["weights"][where], of, len(x)) + parts["bias"]
        exp = np.exp(scores - scores.max(axis=1, keepdims=True))
        wrong = ((exp / exp.sum(axis=1, keepdims=True) - y) * share).astype(np.float32)
        slope = _summed(values[:, None] * wrong[of], where, len(x[0]))
        step({"weights": slope + 3e-5 * parts["weights"], "bias": wrong.sum(axis=0)})
    return parts["weights"], parts["bias"]


def _summed(rows: Floats, to: NDArray[np.intp], size: int) -> Floats:
    """The sum of the rows that go to each place."""
    return np.stack([np.bincount(to, column, size) for column in rows.T], axis=1).astype(np.float32)


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
    )
    families = np.array([family(one.programs[place]) for one, place in chosen])
    grouped = np.array([groups(one.programs[place]) for one, place in chosen])
    is_family = [families == number for number in range(len(FAMILIES))]
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
        for number, inside in enumerate(is_family, 1):
            scores[inside] += x[inside] @ parts["signals"][number]
        none = kinds @ parts["none"] + parts["none_bias"][0]
        wrong, wrong_none = _choice_slopes(scores, none, right, has, of, begin)
        by_kind = np.zeros((len(examples), GROUPS))
        for group in grouped.T:
            np.add.at(by_kind, (of, group), wrong)
        step({
            "signals": np.stack([wrong @ x, *(wrong[one] @ x[one] for one in is_family)]) + 3e-3 * parts["signals"],
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
                read = reader.read(one.question.text, [state(program) for program in few.programs])
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
        wrong, wrong_none = _choice_slopes(scores, still @ parts["none"], right, has, of, begin)
        by_family = np.zeros_like(parts["signals"])
        np.add.at(by_family, own, wrong[:, None] * x)
        by_family[0] = wrong @ x
        step({
            "signals": by_family + READING_DECAY * parts["signals"],
            "none": wrong_none @ still + READING_DECAY * parts["none"],
        })  # fmt: skip
    return ReadWeights(parts["signals"], parts["none"])


def _choice_slopes(
    scores: Floats, none: Floats, right: Floats, has: NDArray[np.bool_], of: NDArray[np.intp], begin: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """How a softmax over the programs of each question and none changes with each score; several may be right."""
    top = np.maximum(np.maximum.reduceat(scores, begin), none)
    exp, exp_none = np.exp(scores - top[of]), np.exp(none - top)
    whole = np.add.reduceat(exp, begin) + exp_none
    hit = exp * right
    share = np.where(has[of], hit / np.maximum(np.add.reduceat(hit, begin), 1e-9)[of], 0.0)
    return (exp / whole[of] - share) / len(has), (exp_none / whole - ~has) / len(has)


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


def adam(parts: dict[str, Floats], *, steps: int, rate: float) -> Iterator[Callable[[Mapping[str, Floats]], None]]:
    """For each step a function that takes the gradients and changes the parts; the rate falls towards the end."""
    first = {name: np.zeros_like(part) for name, part in parts.items()}
    second = {name: np.zeros_like(part) for name, part in parts.items()}
    for number in range(1, steps + 1):
        now = rate * min(1.0, (steps - number + 1) / (0.4 * steps))

        def step(gradients: Mapping[str, Floats], number: int = number, now: float = now) -> None:
            for name, gradient in gradients.items():
                first[name] = 0.9 * first[name] + 0.1 * gradient
                second[name] = 0.99 * second[name] + 0.01 * gradient * gradient
                fast, slow = first[name] / (1 - 0.9**number), second[name] / (1 - 0.99**number)
                parts[name] = parts[name] - now * fast / (np.sqrt(slow) + 1e-8)

        yield step


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
