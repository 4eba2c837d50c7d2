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

from docmind.models.static import StaticEmbedder
from docmind.skills.finance.choosing.figure_sentence import state
from docmind.skills.finance.choosing.signals import SIGNALS, Candidate, Floats, WantedFigure, candidates, signals
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.joined_series import over_tables
from docmind.skills.finance.series import Series
from docmind.skills.tables.features import Vectors

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
        own = [fitted["signals"][name] for name in SIGNALS]
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
    return [state(one.series, one.figures[0], evidence.tables[one.series.table]) for one in few]


@lru_cache(maxsize=1)
def vectors() -> Vectors:
    """Of labels and headings, each made once a process."""
    return Vectors(StaticEmbedder())
