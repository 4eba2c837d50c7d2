"""Answers computed from tables: the program a question asks for, if any, by a model of `scripts/fit_tables.py`."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Self

import numpy as np

from docmind.domain.search import Hit
from docmind.models.embedders import StaticEmbedder
from docmind.quality.quantities import read
from docmind.skills.extract.statement_scorer import clipped, logistic, logit
from docmind.skills.tables.asking_model import KINDS, AskingModel
from docmind.skills.tables.conditions import Comparison
from docmind.skills.tables.features import Floats, QuestionFeatures, TableSignals, Vectors, as_rows, family, groups
from docmind.skills.tables.programs import Program, candidates
from docmind.skills.tables.results import result_sentence, write_answer
from docmind.skills.tables.table import Table, read_tables

Answers = Callable[[str, Sequence[str]], Sequence[float]]
"""Tells how far each of several texts answers a question, as logits."""

MOST_READ = 16
"""Programs whose results the reader reads, those that fit best; eight more hold one in forty of those asked for."""
HOPELESS = -4.0
"""The score of the best program, against that of none, below which none is read: hardly any is what was asked for."""
MOST_ALIKE = 3
"""Of these with the same operation over the same column."""
SUREST = 12.0
_LAST_PLACE = 5
"""Programs that the reader puts behind so many others are all alike."""
COMPUTING = 0.15
"""How likely a question must ask for something computed for any program to be tried, unless it gives a number."""


@dataclass(frozen=True, slots=True)
class ReadWeights:
    """Weights of what the reader says to the programs of the shortlist, for all programs and for each family."""

    signals: Floats
    """(1 + families, signals): the first row counts for all."""
    none: Floats
    """Of the signals of the question, and a constant: what speaks for no program at all."""

    def likely(self, found: "Shortlist", answers: Floats) -> Floats:
        """How likely each program is what was asked for, against the others and none."""
        own = self.signals[0] + self.signals[1 + np.asarray([family(one) for one in found.programs], np.intp)]
        scores: Floats = (read_signals(found, answers) * own).sum(axis=1)
        none = float(none_signals(found, answers) @ self.none)
        top = max(none, float(scores.max()))
        exp = np.exp(scores - top)
        likely: Floats = exp / (exp.sum() + np.exp(none - top))
        return likely


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the signals by name, for all programs and for each family; of the kinds asked for, for each group."""

    names: tuple[str, ...]
    signals: Floats
    """(1 + families, signals): the first row counts for all."""
    groups: Floats
    """(groups, kinds)."""
    bias: Floats
    """(groups,)."""
    none: Floats
    """(kinds,): what speaks for no program at all."""
    none_bias: float
    asking: AskingModel
    reading: ReadWeights
    right: tuple[float, float] = (0.0, 1.0)
    """Intercept and slope that make the logit of a choice that of its being right."""

    def is_right(self, likely: float) -> float:
        intercept, slope = self.right
        return logistic({"intercept": intercept, "choice": slope}, {"choice": clipped(logit(likely))})

    @classmethod
    def shipped(cls) -> Self:
        with files("docmind.skills.tables").joinpath("ranker.npz").open("rb") as file, np.load(file) as kept:
            return cls(
                names=tuple(kept["names"].tolist()),
                signals=kept["signals"],
                groups=kept["groups"],
                bias=kept["bias"],
                none=kept["none"],
                none_bias=float(kept["none_bias"]),
                asking=AskingModel(
                    kept["words"].astype(np.float32) * kept["words_scale"],
                    kept["words_bias"],
                    kept["tests"].astype(np.float32) * kept["tests_scale"],
                    kept["tests_bias"],
                ),
                reading=ReadWeights(kept["reading"], kept["reading_none"]),
                right=(float(kept["right"][0]), float(kept["right"][1])),
            )

    def scores(self, kinds: Floats, rows: Floats, families: Sequence[int], places: Sequence[Sequence[int]]) -> Floats:
        """A score for each program, against that of none."""
        own = self.signals[0] + self.signals[1 + np.asarray(families, np.intp)]
        by_group = self.groups @ kinds + self.bias
        told: Floats = (rows * own).sum(axis=1) + by_group[np.asarray(places, np.intp)].sum(axis=1)
        return told - (float(self.none @ kinds) + self.none_bias)


@dataclass(frozen=True, slots=True)
class Choice:
    program: Program
    likely: float
    """That this program is what was asked for, against all others and none."""
    right: float
    """That its result is the right answer."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The programs of a question with all that they are compared by."""

    programs: list[Program]
    rows: list[dict[str, float]]
    kinds: Floats


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The programs that fit best by what they share with the question."""

    programs: list[Program]
    scores: Floats
    """Of each, against that of none."""
    kinds: Floats


def read_signals(found: Shortlist, answers: Floats) -> Floats:
    """(programs, signals): what is known of each program once the reader has read what it comes to."""
    places = np.argsort(np.argsort(-answers))
    columns = [
        np.clip(found.scores, -SUREST, SUREST),
        answers,
        answers - answers.max(),
        np.minimum(places, _LAST_PLACE) / _LAST_PLACE,
        places == 0,
        [np.log(found.kinds[KINDS.index(one.operation)] + 1e-3) for one in found.programs],
        [one.condition is not None for one in found.programs],
        [one.condition is not None and one.condition.test is Comparison.WITHIN for one in found.programs],
        [len(one.rows) / max(1, len(one.table.items)) for one in found.programs],
        [one.table.turned for one in found.programs],
        np.ones(len(answers)),
    ]
    return np.stack([np.asarray(column, np.float32) for column in columns], axis=1)


def none_signals(found: Shortlist, answers: Floats) -> Floats:
    return np.array([np.log(found.kinds[0] + 1e-3), answers.max(), 1.0], np.float32)


class Ranker:
    """Made once and used for every question. Thread-safe."""

    def __init__(self, weights: Weights | None = None, vectors: Vectors | None = None) -> None:
        self._weights = weights or Weights.shipped()
        self._vectors = vectors or Vectors(StaticEmbedder())

    def computes(self, question: str) -> bool:
        """Whether the question may ask for something that is computed, or for what applies to a number it gives."""
        return may_compute(question, self._weights.asking)

    def choose(self, question: str, tables: Sequence[Table], answers: Answers) -> Choice | None:
        found = gather_candidates(question, tables, self._vectors, self._weights.asking)
        if not found.programs:
            return None
        few = self.shortlist(found.programs, as_rows(found.rows, self._weights.names), found.kinds)
        if few.scores.max() < HOPELESS:
            return None
        read = answers(question, [result_sentence(program) for program in few.programs])
        return self.best(few, np.asarray(read, np.float32))

    def shortlist(self, programs: Sequence[Program], rows: Floats, kinds: Floats) -> Shortlist:
        families = [family(program) for program in programs]
        scores = self._weights.scores(kinds, rows, families, [groups(program) for program in programs])
        alike: Counter[tuple[object, ...]] = Counter()
        kept: list[int] = []
        for place in np.argsort(-scores).tolist():
            program = programs[place]
            kind = (id(program.table), program.operation, program.column and program.column.place)
            alike[kind] += 1
            if alike[kind] <= MOST_ALIKE:
                kept.append(place)
        kept = kept[:MOST_READ]
        return Shortlist([programs[place] for place in kept], scores[kept], kinds)

    def best(self, found: Shortlist, answers: Floats) -> Choice:
        """The program that is most likely meant, with all others that have its result."""
        likely = self._weights.reading.likely(found, answers)
        together = [
            float(sum(likely[place] for place, other in enumerate(found.programs) if _same_result(one, other)))
            for one in found.programs
        ]
        first = int(np.argmax(together))
        return Choice(found.programs[first], together[first], self._weights.is_right(together[first]))


def may_compute(question: str, asking: AskingModel) -> bool:
    return _asks_to_compute(asking.kinds(question)) or bool(read(question))


def _asks_to_compute(kinds: Floats) -> bool:
    return float(kinds[0]) <= 1 - COMPUTING


def gather_candidates(question: str, tables: Sequence[Table], vectors: Vectors, model: AskingModel) -> Candidates:
    asked = QuestionFeatures.read(question, vectors, model)
    best = max((hit.relevance_score for table in tables for hit in table.hits), default=0.0)
    programs: list[Program] = []
    rows: list[dict[str, float]] = []
    for rank, table in enumerate(tables):
        signals = TableSignals(asked, table, vectors, rank, best)
        for program in candidates(question, table):
            # A question that gives a number and asks for nothing computed may still ask what applies to that number.
            if program.is_by_number or _asks_to_compute(asked.kinds):
                programs.append(program)
                rows.append(signals.of(program))
    return Candidates(programs, rows, asked.kinds)


def _same_result(one: Program, other: Program) -> bool:
    return (
        one.table is other.table
        and one.rows == other.rows
        and one.is_computed == other.is_computed
        and (not one.is_computed or one.value == other.value)
    )


LEAST_CONFIDENCE = 0.5
"""How likely a computed answer must be right to be given."""


@dataclass(frozen=True, slots=True)
class TableAnswer:
    text: str
    confidence: float
    """That it is right."""


@lru_cache(maxsize=1)
def _ranker() -> Ranker:
    return Ranker()


def computes(question: str) -> bool:
    """Whether the question may ask for something that is computed from a table."""
    return _ranker().computes(question)


def answer_from_tables(question: str, hits: Sequence[Hit], answers: Answers) -> TableAnswer | None:
    """What the best program over the tables of the hits gives; none where nothing is to be computed.

    `answers` tells how far a text answers a question: it is shown what the likeliest programs come to.
    """
    if all(hit.passage.kind != "table" for hit in hits) or not computes(question):
        return None
    choice = _ranker().choose(question, read_tables(hits), answers)
    text = write_answer(choice.program) if choice and choice.right >= LEAST_CONFIDENCE else ""
    return TableAnswer(text, choice.right) if choice and text else None
