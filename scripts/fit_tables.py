"""Fit which program over a table a question asks for, on authored training documents: `fit_tables.py [AUTHORED]`.

Every question is asked of a workspace that holds all training documents. A program over a table of its own document is
what it asks for where the result says all that the answer must and nothing that it must not; a question that is
answered by reading, or by nothing, asks for none. `data/tables/questions.jsonl` adds questions over the same tables.
The model of the wording is fitted first and, for what is fitted on top of it, by documents it has not seen; so is how
likely a choice is right.
"""

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from docmind.bench.authored import Folder, Part, Question, read_authored
from docmind.bench.authored_answers import documents_of, is_right, questions_of, says
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.search import Hit
from docmind.models.static import StaticEmbedder
from docmind.skills.extract.reading import clipped, logit
from docmind.skills.tables.asking import KINDS, TESTS, AskingModel, vector
from docmind.skills.tables.features import FAMILIES, GROUPS, Floats, Vectors, as_row, family, groups
from docmind.skills.tables.programs import Operation, Program, candidates
from docmind.skills.tables.ranker import COMPUTING, Candidates, Ranker, Weights, gather_candidates
from docmind.skills.tables.results import result
from docmind.skills.tables.table import read_tables
from logistic import logistic

ROOT = Path(__file__).parent.parent
AUTHORED, FURTHER = ROOT / "data" / "authored", ROOT / "data" / "tables" / "questions.jsonl"
TARGET = ROOT / "src/docmind/skills/tables"
PASSAGES, FOLDS, NEGATIVES = 8, 4, 50
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
SAMPLED = 0.5
"""The share of the other questions that the ranker is fitted on."""
READ = {"quantity", "what", "lookup"}
"""Types of question that one row answers as it stands, where one is all the evidence."""
RNG = np.random.default_rng(0)


@dataclass
class Example:
    """A question with its programs."""

    question: Question
    programs: list[Program]
    rows: list[dict[str, float]]
    kinds: Floats
    right: Floats
    """Of each program whether it is what was asked for."""


def main() -> None:
    folders = read_authored(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED)
    vectors = Vectors(StaticEmbedder())
    asked = list(search(folders, Part.TRAIN, [*questions_of(folders, Part.TRAIN), *further()]))
    told = [(question, found) for question, hits in asked if (found := asked_for(question, hits)) is not None]
    # The last of the models has seen every document, the others all but a part.
    models = [fit_asking([one for one in told if _fold(one[0]) != fold]) for fold in range(FOLDS + 1)]
    examples = []
    for question, hits in asked:
        model = models[_fold(question)]
        if question.type not in COMPUTING_TYPES and RNG.random() > SAMPLED:
            continue
        if model.kinds(question.text)[0] <= 1 - COMPUTING and (one := example(question, hits, vectors, model)):
            examples.append(one)
    names = tuple(dict.fromkeys(name for one in examples for row in one.rows for name in row))
    weights = fit_ranker(examples, names, models[FOLDS])
    save(replace(weights, right=fit_right(examples, names, models[FOLDS])))


def further() -> list[Question]:
    rows = [json.loads(line) for line in FURTHER.read_text("utf-8").splitlines()]
    return [
        Question(
            row["id"], row["doc"], row["question"], row["type"], "", "", tuple(row["must"]), tuple(row["must_not"]),
            (), (), None, own_words=True,
        )
        for row in rows
    ]  # fmt: skip


def search(folders: Sequence[Folder], part: Part, asked: Sequence[Question]) -> Iterator[tuple[Question, list[Hit]]]:
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, part), SCOPE)
        for question in asked:
            yield question, engine.search(question.text, SCOPE, limit=PASSAGES)


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
    tables = read_tables(hits) if question.type in OPERATIONS else []
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
    x = np.stack([vector(question.text) for question, _ in asked])
    kinds, tests = (np.stack([told[place] for _, told in asked]) for place in (0, 1))
    computed = tests.any(axis=1)
    weight = np.where(computed, COMPUTED_COUNT, 1.0)
    return AskingModel(*softmax(x, kinds, weight), *softmax(x[computed], tests[computed], weight[computed]))


def softmax(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Weights and bias of a softmax regression, by Adam."""
    share = (weight / weight.sum()).astype(np.float32)[:, None]
    parts = {"weights": np.zeros((x.shape[1], y.shape[1]), np.float32), "bias": np.zeros(y.shape[1], np.float32)}
    for step in adam(parts, steps=120, rate=0.1):
        scores = x @ parts["weights"] + parts["bias"]
        exp = np.exp(scores - scores.max(axis=1, keepdims=True))
        wrong = (exp / exp.sum(axis=1, keepdims=True) - y) * share
        step({"weights": x.T @ wrong + 3e-5 * parts["weights"], "bias": wrong.sum(axis=0)})
    return parts["weights"], parts["bias"]


def example(question: Question, hits: Sequence[Hit], vectors: Vectors, model: AskingModel) -> Example | None:
    found = gather_candidates(question.text, read_tables(hits), vectors, model)
    if not found.programs:
        return None
    grades = np.array([is_asked_for(question, program) for program in found.programs])
    return Example(
        question, found.programs, found.rows, found.kinds, (grades == max(1, grades.max())).astype(np.float32)
    )


def fit_ranker(examples: Sequence[Example], names: tuple[str, ...], asking: AskingModel) -> Weights:
    """Softmax over the programs of a question and none; of those that are not asked for a sample stands for all."""
    kept = [_sampled(one) for one in examples]
    counts = [len(places) for places, _ in kept]
    of = np.repeat(np.arange(len(kept)), counts)
    begin = np.concatenate([[0], np.cumsum(counts)[:-1]])
    chosen = [(one, place) for one, (places, _) in zip(examples, kept, strict=True) for place in places]
    x = np.array([as_row(one.rows[place], names) for one, place in chosen], np.float32)
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
        top = np.maximum(np.maximum.reduceat(scores, begin), none)
        exp, exp_none = np.exp(scores - top[of]), np.exp(none - top)
        whole = np.add.reduceat(exp, begin) + exp_none
        hit = exp * right
        share = np.where(has[of], hit / np.maximum(np.add.reduceat(hit, begin), 1e-9)[of], 0.0)
        wrong = (exp / whole[of] - share) / len(examples)
        wrong_none = (exp_none / whole - ~has) / len(examples)
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
    return Weights(names, signals, parts["groups"], bias, parts["none"], float(parts["none_bias"][0]), asking)


def _sampled(one: Example) -> tuple[Floats, float]:
    """Places of the programs kept, and the logarithm of how many each that was not asked for stands for."""
    yes, no = np.flatnonzero(one.right > 0), np.flatnonzero(one.right == 0)
    if len(no) <= NEGATIVES:
        return np.concatenate([yes, no]), 0.0
    return np.concatenate([yes, RNG.choice(no, NEGATIVES, replace=False)]), float(np.log(len(no) / NEGATIVES))


def fit_right(examples: Sequence[Example], names: tuple[str, ...], asking: AskingModel) -> tuple[float, float]:
    """Intercept and slope of a choice being right by its logit, each made by a ranker that did not see its document."""
    likely, right = [], []
    for fold in range(FOLDS):
        weights = fit_ranker([one for one in examples if _fold(one.question) != fold], names, asking)
        ranker = Ranker(weights, Vectors(StaticEmbedder()))
        for one in examples:
            if _fold(one.question) == fold:
                choice = ranker.best(Candidates(one.programs, one.rows, one.kinds))
                likely.append(clipped(logit(choice.likely)))
                right.append(one.right[one.programs.index(choice.program)])
    intercept, slope = logistic(np.array([likely]), np.array(right, np.float64), np.ones(len(right)))
    return intercept, slope


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
        right=np.array(weights.right, np.float32),
    )


def _fold(question: Question) -> int:
    return int(hashlib.sha256(question.document.encode()).hexdigest(), 16) % FOLDS


if __name__ == "__main__":
    main()
