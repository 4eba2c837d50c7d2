"""What speaks for a program being what a question asks for, by name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docmind.models.embedding import Embedder
from docmind.quality.quantities import read_quantities
from docmind.quality.words import words
from docmind.skills.tables.asking_model import KINDS, TESTS, AskingModel
from docmind.skills.tables.conditions import Comparison, Condition
from docmind.skills.tables.programs import Operation, Program
from docmind.skills.tables.table import Column, Table, keys

Floats = NDArray[np.float32]

UNITS = ("", "money", "percent", "duration", "date", "scale", "other")
OPERATIONS = tuple(Operation)
FAMILIES = (
    (Operation.MAX, Operation.MIN, Operation.TOP, Operation.BOTTOM),
    (Operation.COUNT,),
    (Operation.SUM, Operation.MEAN),
    (Operation.DIFFERENCE,),
    (Operation.RISE, Operation.FALL),
    (Operation.LIST,),
    (Operation.CELL,),
    (Operation.TIMES,),
)
_MOST_WORDS = 150
DIRECTIONS = (Operation.MAX, Operation.TOP), (Operation.MIN, Operation.BOTTOM)


class Vectors:
    """Unit vectors of short texts, each made once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Floats] = {}

    def of(self, texts: Sequence[str]) -> Floats:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            if len(self._known) > 50_000:
                self._known.clear()
                missing = list(dict.fromkeys(texts))
            self._known.update(zip(missing, self._embedder.embed_passages(missing), strict=True))
        return np.stack([self._known[text] for text in texts])


@dataclass(frozen=True, slots=True)
class QuestionFeatures:
    """A question as programs are compared with it."""

    text: str
    keys: frozenset[str]
    vector: Floats
    words: Floats
    """The vectors of its words."""
    asking: Floats
    """Of each word how far it says what is to be computed, and not of what."""
    word_keys: tuple[str, ...]
    numbers: frozenset[str]
    kinds: Floats
    """How likely it asks for each kind of operation, the first for none."""
    tests: Floats
    """How likely each test chooses the rows that are meant."""

    @classmethod
    def read(cls, question: str, vectors: Vectors, model: AskingModel) -> "QuestionFeatures":
        found = words(question)
        said = [word.text.lower() for word in found] or [question.lower()]
        numbers = frozenset(quantity.text for quantity in read_quantities(question))
        told = np.array([model.told_by(word) for word in said], np.float32)
        asking = (1 / (1 + np.exp(-4 * told))).astype(np.float32)
        return cls(
            question,
            keys(question),
            vectors.of([question])[0],
            vectors.of(said),
            asking,
            tuple(word.key for word in found),
            numbers,
            model.kinds(question),
            model.tests(question),
        )


class TableSignals:
    """What a question and a table have to do with each other: worked out once for all programs over it."""

    def __init__(
        self, asked: QuestionFeatures, table: Table, vectors: Vectors, rank: int, best_relevance: float
    ) -> None:
        self.asked, self.table, self._vectors = asked, table, vectors
        named = [column.name or "name" for column in table.columns]
        heading = " ".join(table.caption)
        self._names = vectors.of([*named, heading, table.caption[-1] if table.caption else heading])
        self._cosine = self._names @ asked.vector
        self._values: dict[str, tuple[float, float]] = {}
        self._adds_up = [float(column.adds_up) for column in table.columns]
        self._shared_by: dict[tuple[Operation, Comparison | None], dict[str, float]] = {}
        self._used: dict[tuple[object, ...], tuple[frozenset[str], dict[str, float]]] = {}
        self._cell_keys = [frozenset[str]().union(*map(keys, row.cells)) for row in table.rows]
        self._said_at = [self._place_of(name, vectors) for name in named]
        self._column_words = [self._near(name, vectors) for name in named]
        self._shared = [_share(keys(column.name), asked.keys) for column in table.columns]
        numeric = [column.place for column in table.columns if column.is_numeric]
        strength = {place: self._column_words[place] + self._shared[place] for place in range(len(named))}
        self._strength = strength
        self._best = max((strength[place] for place in numeric), default=0.0)
        self._numeric = len(numeric)
        self._heading_keys = keys(heading)
        cells = frozenset[str]().union(*self._cell_keys)
        headers = frozenset[str]().union(*(keys(name) for name in named))
        self._in_cells = asked.keys & cells
        self._in_table = asked.keys & (cells | headers | self._heading_keys)
        self._vocabulary = vectors.of(
            [heading, *named, *_words(heading), *(one for name in named for one in _words(name)), *_some_words(table)]
        )
        near = (asked.words @ self._vocabulary.T).max(axis=1)
        known = np.array([key in self._in_table for key in asked.word_keys] or [False], bool)
        strange = np.where(known, 0.0, (1 - asked.asking) * (1 - np.clip(near, 0, 1)))
        relevance = max(hit.relevance_score for hit in table.hits)
        self.signals = {
            "rank": float(rank),
            "first": float(rank == 0),
            "relevance": relevance,
            "behind": best_relevance - relevance,
            "heading": float(self._cosine[-2]),
            "caption": float(self._cosine[-1]),
            "in_table": _part(self._in_table, asked.keys),
            "outside": float(len(asked.keys - self._in_table)),
            "in_heading": _share(asked.keys, self._heading_keys),
            "rows": min(len(table.items), 20) / 10.0,
            "turned": float(table.turned),
            "strange": float(strange.sum()),
            "strangest": float(strange.max()),
            "strange_share": float(strange.mean()),
            "unasked": float((1 - asked.asking)[~known].sum()),
        }

    def _near(self, name: str, vectors: Vectors) -> float:
        """How near the words of a column's name have one in the question, on average."""
        said = [word.text.lower() for word in words(name)]
        if not said:
            return 0.0
        return float((vectors.of(said) @ self.asked.words.T).max(axis=1).mean())

    def _place_of(self, name: str, vectors: Vectors) -> int:
        """The place of the word of the question that is nearest to a word of a column's name."""
        own = words(name)
        exact = [place for place, key in enumerate(self.asked.word_keys) if key in {word.key for word in own}]
        if exact or not own:
            return exact[0] if exact else 0
        near = vectors.of([word.text.lower() for word in own]) @ self.asked.words.T
        return int(near.max(axis=0).argmax())

    def of(self, program: Program) -> dict[str, float]:
        """The signals of one program, those of its table among them."""
        asked = self._asked(program.operation, program.condition.test if program.condition else None)
        return {**asked, **self._column(program), **self._rows(program), **self._left(program)}

    def _asked(self, operation: Operation, test: Comparison | None) -> dict[str, float]:
        """What is the same for all programs over the table with this operation and this test."""
        if (operation, test) not in self._shared_by:
            likely = float(self.asked.kinds[KINDS.index(operation)])
            tested = float(self.asked.tests[TESTS.index(test)])
            self._shared_by[operation, test] = {
                **self.signals,
                "operation": likely,
                "log_operation": float(np.log(likely + 1e-3)),
                "none": float(self.asked.kinds[0]),
                "test": tested,
                "log_test": float(np.log(tested + 1e-2)),
            }
        return self._shared_by[operation, test]

    def _column(self, program: Program) -> dict[str, float]:
        column = program.column
        if column is None:
            return {"no_column": 1.0}
        place = column.place
        return {
            "column_cosine": float(self._cosine[place]),
            "column_words": self._column_words[place],
            "column_shared": self._shared[place],
            "column_all_shared": float(self._shared[place] == 1.0),
            "column_best": float(self._strength[place] >= self._best),
            "column_behind": self._best - self._strength[place],
            "column_alone": float(self._numeric == 1),
            "column_key": float(place == 0),
            "column_adds_up": self._adds_up[place],
            "column_last": float(place == len(self.table.columns) - 1),
            "column_place": min(place, 8) / 4.0,
        }

    def _rows(self, program: Program) -> dict[str, float]:
        condition = program.condition
        found = {
            "tied": float(len(program.rows) > 1 and program.operation in (Operation.MAX, Operation.MIN)),
            "share_of_rows": len(program.rows) / max(1, len(self.table.items)),
            "one_row": float(len(program.rows) == 1),
        }
        if condition is None:
            if program.column and program.against:
                found |= self._pair("moved", program.column.place, program.against.place)
            return found
        wanted = keys(condition.wanted)
        if condition.test is Comparison.NAMED:
            shares = [
                _part(self.asked.keys & keys(self.table.name(row)), keys(self.table.name(row)))
                for row in condition.rows
            ]
            found |= {"named": sum(shares) / len(shares), "named_least": min(shares), "named_rows": float(len(shares))}
            if program.column and program.against:
                found |= self._pair("change", program.column.place, program.against.place)
        elif condition.test in (Comparison.IS, Comparison.IS_NOT):
            found |= {
                "value_shared": _share(wanted, self.asked.keys),
                "value_unshared": float(not wanted & self.asked.keys),
                "value_key": float(condition.column == self.table.naming),
                "value_column_shared": self._shared[condition.column],
                "value_short": float(len(condition.wanted) < 12),
                **self._value(condition),
                "value_is_column": float(program.column is not None and program.column.place == condition.column),
            }
        elif condition.test in (Comparison.MORE, Comparison.LESS):
            found |= self._pair("compared", condition.column, condition.other)
        else:
            found |= {
                "limit_column_words": self._column_words[condition.column],
                "limit_column_shared": self._shared[condition.column],
                "limit_column_best": float(self._strength[condition.column] >= self._best),
                "limit_other_column": float(program.column is not None and program.column.place != condition.column),
            }
        return found

    def _value(self, condition: Condition) -> dict[str, float]:
        """How near the question comes to a value, and how far that says no: "Which have none?"."""
        if condition.wanted not in self._values:
            value, no, yes = self._vectors.of([condition.wanted, "no", "yes"])
            self._values[condition.wanted] = float((self.asked.words @ value).max()), float((no - yes) @ value)
        near, negative = self._values[condition.wanted]
        if condition.test is Comparison.IS_NOT:
            negative = -negative
        asked = float(self.asked.tests[TESTS.index(Comparison.IS_NOT)])
        return {"value_near": near, "negative": negative, "negative_asked": negative * asked}

    def _pair(self, name: str, place: int, other: int) -> dict[str, float]:
        """Of two columns that are compared how far the question names each of them, and which of them first."""
        both = min(self._strength[place], self._strength[other])
        first = float(np.sign(self._said_at[other] - self._said_at[place]))
        return {
            name: 1.0,
            f"{name}_strength": self._strength[place],
            f"{name}_other_strength": self._strength[other],
            f"{name}_first": both * first,
            f"{name}_alike": float(self._names[place] @ self._names[other]),
            f"{name}_beside": float(place - other == 1),
            f"{name}_alone": float(self._numeric == 2),
        }

    def _left(self, program: Program) -> dict[str, float]:
        """The words and numbers of the question that the program makes nothing of."""
        condition, against = program.condition, program.against
        column = program.column.name if program.column else ""
        # What is worked out of the same column and rows differs in its operation alone.
        told = column, condition, against and against.place
        if told not in self._used:
            self._used[told] = self._unused(column, condition, against)
        unused_cells, found = self._used[told]
        in_rows = unused_cells and frozenset[str]().union(*(self._cell_keys[row] for row in program.rows[:12]))
        return {**found, "left_other_rows": float(len(unused_cells - in_rows))}

    def _unused(
        self, column: str, condition: Condition | None, against: Column | None
    ) -> tuple[frozenset[str], dict[str, float]]:
        """The words of the question in the table's cells that a column and a condition leave, and what they tell."""
        used = self._heading_keys | keys(column)
        if condition is not None:
            used |= keys(condition.wanted) | keys(self.table.columns[condition.column].name)
            used |= keys(against.name) if against else frozenset()
            if condition.test is Comparison.NAMED:
                used |= frozenset[str]().union(*(keys(self.table.name(row)) for row in condition.rows))
        unused_cells = self._in_cells - used
        free = [
            1 - asking for key, asking in zip(self.asked.word_keys, self.asked.asking, strict=False) if key not in used
        ]
        left = self.asked.keys - used
        return unused_cells, {
            "free": float(sum(free)),
            "freest": float(max(free, default=0.0)),
            "left": float(len(left)),
            "left_share": _part(left, self.asked.keys),
            "left_cells": float(len(unused_cells)),
            "numbers_left": float(
                sum(number not in (condition.wanted if condition else "") for number in self.asked.numbers)
            ),
        }


def unit_of(column: Column | None) -> str:
    if column is None or not column.is_numeric:
        return ""
    kind = column.unit.split(" ")[0]
    return kind if kind in UNITS else "other"


def groups(program: Program) -> tuple[int, int, int]:
    """The places of its operation, its condition and its unit with direction, which the question's vector weighs."""
    direction = next((place for place, some in enumerate(DIRECTIONS, 1) if program.operation in some), 0)
    return (
        OPERATIONS.index(program.operation),
        len(OPERATIONS) + TESTS.index(program.condition.test if program.condition else None),
        len(OPERATIONS) + len(TESTS) + direction * len(UNITS) + UNITS.index(unit_of(program.column)),
    )


GROUPS = len(OPERATIONS) + len(TESTS) + (1 + len(DIRECTIONS)) * len(UNITS)


def family(program: Program) -> int:
    """The kind of operation, which has weights of its own."""
    return next(place for place, some in enumerate(FAMILIES) if program.operation in some)


def _words(text: str) -> list[str]:
    return [word.text.lower() for word in words(text)]


def _some_words(table: Table) -> list[str]:
    """The words of the cells, as far as they are few."""
    said = dict.fromkeys(word for row in table.rows for cell in row.cells for word in _words(cell) if word.isalpha())
    return list(said)[:_MOST_WORDS]


def _share(some: frozenset[str], others: frozenset[str]) -> float:
    return len(some & others) / len(some) if some else 0.0


def _part(some: Iterable[str], whole: frozenset[str]) -> float:
    return len(frozenset(some)) / len(whole) if whole else 0.0


def as_rows(signals: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    """(programs, names): the signals of programs in the order of the names."""
    places = {name: place for place, name in enumerate(names)}
    rows = []
    for one in signals:
        # A program has half of the signals at most.
        row = [0.0] * len(names)
        for name, value in one.items():
            if (place := places.get(name)) is not None:
                row[place] = value
        rows.append(row)
    return np.array(rows, np.float32)
