"""Chooses the row that is meant: a linear model over what speaks for each, with the reader's word on the best of them.

Fitted by `scripts/fit_filings.py` on questions whose figures are known; `row_weights.json` holds the weights.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from docmind.models.embedders import StaticEmbedder
from docmind.quality.quantities import Figure, Period
from docmind.skills.finance.catalogue import Item, item_called, measure_called
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.named_rows import GOOD, figure_at, worth_of
from docmind.skills.finance.evidence.series import Series, over_tables
from docmind.skills.finance.evidence.tables import Table
from docmind.skills.finance.phrases import sought, terms
from docmind.skills.tables.features import Vectors

LONGEST_HEADING = 80
"""Characters of a heading: a longer one is a sentence, of which the beginning says what the table is."""


def row_heading(series: Series, table: Table) -> str:
    """What a row stands under: the table, and the heading among its rows."""
    section = series.row.section if series.row is not None else ""
    return ". ".join(
        filter(None, ((table.caption or table.lead)[:LONGEST_HEADING].strip(" ."), section[:LONGEST_HEADING]))
    )


def row_name(series: Series) -> str:
    """What a row is called, with what its columns say beside the time."""
    return " ".join(filter(None, (series.label, " ".join(sorted(series.column)))))


def figure_sentence(series: Series, figure: Figure, table: Table) -> str:
    """Cash flows. Purchases of property, June 30, 2023: 10,000 million."""
    when = figure.column.strip() or (figure.period.text if figure.period is not None else "")
    unit = {10**3: " thousand", 10**6: " million", 10**9: " billion"}.get(int(figure.scale), "")
    percent = "%" if figure.quantity.unit == "percent" and "%" not in figure.quantity.text else ""
    told = f"{series.label}, {when}: {figure.quantity.text}{percent}{unit if not percent else ''}"
    return f"{row_heading(series, table)}\n\n{told}."


Floats = NDArray[np.float32]
ROW_SIGNALS = (
    "words", "coverage", "worth", "by_name", "label", "label_words", "placed", "question", "synonym", "dated",
    "undated", "percent_wanted", "percent_unwanted", "change", "columns", "statement", "segment", "part", "total",
    "unsaid", "unasked", "tagged", "nil", "per_share",
)  # fmt: skip
_PERCENT = frozenset(terms("percent rate share margin proportion portion yield"))
_SEGMENT = frozenset(terms("segment region geographic"))
_PER_SHARE = frozenset(terms("per share"))
_PART = frozenset(terms("summarized guarantor subsidiaries parent discontinued"))


@dataclass(frozen=True, slots=True)
class WantedFigure:
    """A figure that is looked for: the item, of which part of the company, and when."""

    item: str
    segment: str = ""
    periods: tuple[Period, ...] = ()
    question: str = ""
    """The question that it answers, as the reader is asked it."""

    @property
    def phrase(self) -> str:
        return f"{self.segment} {self.item}".strip()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row, and its figures of the periods that are asked for; without any, its first."""

    series: Series
    figures: tuple[Figure, ...]
    dated: bool
    """Whether it has a figure of every period."""

    @property
    def sizes(self) -> tuple[Decimal, ...]:
        """Its figures without their signs: rows that share them say the same."""
        return tuple(abs(figure.quantity.value) for figure in self.figures)


def candidates(wanted: WantedFigure, evidence: Evidence) -> list[Candidate]:
    """Every row, with the figures that are told of the periods."""
    return [_candidate(wanted, one) for one in evidence.series if one.figures]


def _candidate(wanted: WantedFigure, series: Series) -> Candidate:
    found = [figure_at(series, period) for period in wanted.periods]
    told = tuple(figure for figure in found if figure is not None)
    whole = len(told) == len(found)
    return Candidate(series, told if told and whole else series.figures[:1], whole)


class _FigureSignals:
    """What is wanted, worked out once for all rows."""

    def __init__(self, wanted: WantedFigure, evidence: Evidence, vectors: Vectors) -> None:
        item = item_called(wanted.item)
        measure = measure_called(wanted.item)
        self.wanted = wanted
        self.item = item
        self.known = measure if measure is not None and (measure.unit or item is None) else item
        self.segment = frozenset(terms(wanted.segment))
        self.matches = {id(match.series): match for match in evidence.find(wanted.phrase, changes=True)}
        self.said = frozenset(terms(f"{wanted.question} {wanted.phrase}"))
        self.phrase = frozenset(sought(wanted.phrase, frozenset()))
        self.percent = bool(_PERCENT & self.said)
        self.vector, self.question = vectors.of([wanted.phrase, wanted.question or wanted.phrase])
        self.words = vectors.of(wanted.phrase.split() or [wanted.phrase])
        names = item.names if item is not None else (wanted.item,)
        self.names = vectors.of([f"{wanted.segment} {name}".strip() for name in names])


def signals(wanted: WantedFigure, evidence: Evidence, found: Sequence[Candidate], vectors: Vectors) -> Floats:
    """(candidates, signals)."""
    asked = _FigureSignals(wanted, evidence, vectors)
    names = [row_name(one.series) for one in found]
    headings = [row_heading(one.series, evidence.tables[one.series.table]) for one in found]
    labels = vectors.of(names)
    whole = vectors.of([f"{heading} {name}" for heading, name in zip(headings, names, strict=True)])
    rows = [_row(asked, one, labels[place], whole[place]) for place, one in enumerate(found)]
    return np.array(rows, np.float32).reshape(len(found), len(ROW_SIGNALS))


def _row(asked: _FigureSignals, one: Candidate, label: Floats, whole: Floats) -> tuple[float, ...]:
    series, match = one.series, asked.matches.get(id(one.series))
    worth = worth_of(asked.known, series, asked.wanted.periods, asked.segment) if asked.known is not None else 0.0
    is_percent = series.unit in ("percent", "point")
    told_of = {member for figure in one.figures for member in figure.members}
    return (
        match.score if match else 0.0,
        match.coverage if match else 0.0,
        worth / 5,
        float(worth >= GOOD),
        float(label @ asked.vector),
        float((asked.words @ label).mean()),
        float(whole @ asked.vector),
        float(whole @ asked.question),
        float((asked.names @ label).max()),
        float(one.dated and one.figures[0].period is not None),
        float(one.figures[0].period is None),
        float(asked.percent and is_percent),
        float(is_percent and not asked.percent),
        float(series.is_change),
        min(len(series.column - asked.said), 4) / 4,
        float(isinstance(asked.item, Item) and asked.item.stands_in(series.context)),
        float(bool(_SEGMENT & (series.context - asked.said)) or bool(told_of)),
        float(bool(_PART & (series.context - asked.said))),
        float(series.is_total),
        len(asked.phrase - series.name - series.aside - series.column - series.context) / max(len(asked.phrase), 1),
        len(series.name - asked.said) / max(len(series.name), 1),
        float(bool(series.concept)),
        float(all(figure.quantity.value == 0 for figure in one.figures)),
        float(asked.said >= _PER_SHARE and one.figures[0].quantity.per is None and not series.name >= _PER_SHARE),
    )


LIKELY = 0.35
"""How likely a row has to be the one that is meant, to be taken."""
MOST_READ = 6
"""Rows that the reader is shown, of those that say the same the best."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the signals of a row, of the reader's word on it, and what speaks for none of the rows."""

    signals: Floats
    reading: Floats
    """Of the score by the signals, of the reader's logit and of how far that is behind the best."""
    none: Floats
    """Of a constant, of the best score and of the reader's best logit."""

    @classmethod
    @cache
    def shipped(cls) -> Self:
        return cls.of(
            json.loads(
                files("docmind.skills.finance.evidence").joinpath("row_weights.json").read_text(encoding="utf-8")
            )
        )

    @classmethod
    def of(cls, fitted: Mapping[str, Any]) -> Self:
        own = [fitted["signals"][name] for name in ROW_SIGNALS]
        return cls(*(np.array(one, np.float32) for one in (own, fitted["reading"], fitted["none"])))

    def likely(self, scores: Floats, read: Floats) -> Floats:
        """How likely each row is meant, against the others and none."""
        own = read_signals(scores, read) @ self.reading
        none = float(none_signals(scores, read) @ self.none)
        top = max(none, float(own.max()))
        exp = np.exp(own - top)
        found: Floats = exp / (exp.sum() + np.exp(none - top))
        return found


@dataclass(frozen=True, slots=True)
class Choice:
    """A row, and how likely it is the one that is meant."""

    candidate: Candidate
    likely: float


def read_signals(scores: Floats, read: Floats) -> Floats:
    found: Floats = np.stack([scores, read, read - read.max()], axis=1)
    return found


def none_signals(scores: Floats, read: Floats) -> Floats:
    return np.array([1.0, scores.max(), read.max()], np.float32)


def shortlist(
    wanted: WantedFigure, evidence: Evidence, most: int = MOST_READ, weights: Weights | None = None
) -> tuple[list[Candidate], Floats]:
    """The rows that fit best by themselves, with their scores."""
    found = candidates(wanted, evidence)
    if not found:
        return [], np.zeros(0, np.float32)
    scores: Floats = signals(wanted, evidence, found, vectors()) @ (weights or Weights.shipped()).signals
    few = distinct(found, scores, most)
    return [found[place] for place in few], scores[few]


def distinct(found: Sequence[Candidate], scores: Floats, most: int = MOST_READ) -> list[int]:
    """The places of the best, of rows that say the same the first: one figure may stand in many tables."""
    best: dict[tuple[Decimal, ...], int] = {}
    for place in np.argsort(-scores, kind="stable"):
        best.setdefault(found[place].sizes, int(place))
    return list(best.values())[:most]


def choose(wanted: WantedFigure, evidence: Evidence, weights: Weights | None = None) -> Choice | None:
    """The row that is meant; none without a reader."""
    if evidence.answers is None:
        return None
    few, scores = shortlist(wanted, evidence, weights=weights)
    if not few:
        return None
    read = np.asarray(evidence.answers(wanted.question, stated(few, evidence)), np.float32)
    return best_of(few, (weights or Weights.shipped()).likely(scores, read))


def best_row(wanted: WantedFigure, evidence: Evidence, *, ignored: frozenset[str] = frozenset()) -> Series | None:
    """The row that is meant, with what other tables add to it; without a reader, the one with most of the words."""
    choice = choose(wanted, evidence)
    if choice is not None and choice.likely >= LIKELY and choice.candidate.dated:
        return over_tables(choice.candidate.series, evidence.series)
    return evidence.best(wanted.question, at=wanted.periods, ignored=ignored)


def best_of(few: Sequence[Candidate], likely: Floats) -> Choice:
    first = int(np.argmax(likely))
    return Choice(few[first], float(likely[first]))


def stated(few: Sequence[Candidate], evidence: Evidence) -> list[str]:
    return [figure_sentence(one.series, one.figures[0], evidence.tables[one.series.table]) for one in few]


@lru_cache(maxsize=1)
def vectors() -> Vectors:
    """Of labels and headings, each made once a process."""
    return Vectors(StaticEmbedder())
