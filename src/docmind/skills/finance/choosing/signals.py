"""What speaks for a row being the one that is meant, by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from docmind.quality.quantities import Figure, Period
from docmind.skills.finance.catalogue import Item, item_called, measure_called
from docmind.skills.finance.choosing.figure_sentence import heading_of, name_of
from docmind.skills.finance.choosing.named_rows import GOOD, figure_at, worth_of
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.series import Series
from docmind.skills.finance.terms import terms
from docmind.skills.tables.features import Vectors

Floats = NDArray[np.float32]
SIGNALS = (
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
    names = [name_of(one.series) for one in found]
    headings = [heading_of(one.series, evidence.tables[one.series.table]) for one in found]
    labels = vectors.of(names)
    whole = vectors.of([f"{heading} {name}" for heading, name in zip(headings, names, strict=True)])
    rows = [_row(asked, one, labels[place], whole[place]) for place, one in enumerate(found)]
    return np.array(rows, np.float32).reshape(len(found), len(SIGNALS))


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
