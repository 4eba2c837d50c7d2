"""Finds the series that a phrase of a question names, by the words that both have."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from docmind.skills.finance.catalogue import metrics_in
from docmind.skills.finance.series import Series
from docmind.skills.finance.tagged import concept_terms
from docmind.skills.finance.terms import terms

GOOD_SCORE = 0.3
GOOD_COVERAGE = 0.5
"""Below these a series has a word in common with the question, and no more."""
PRECISION = 0.5
"""How much it counts that the label says the whole phrase, beside that the phrase says the whole label."""
SYNONYM = 0.85
"""What a match by another name of the metric is worth beside one by the same words."""
UNASKED_COLUMN = 0.3
UNASKED_ASIDE = 0.1
"""What a word counts that the phrase does not say, in a column's name and in brackets, beside one of the label."""
UNASKED_PERCENT = 0.5
"""What is left of a column of percentages beside one of amounts, where no percentages are asked for."""
UNASKED_OPENING = 0.6
"""What is left of a balance at the beginning, where that is not asked for: a year's balance is that at its end."""
_REMEMBERED = 64
_OPENING = frozenset(terms("beginning opening"))
_WHOLE = frozenset(terms("total amount"))
"""A column that is called so is meant where no column is named."""


@dataclass(frozen=True, slots=True)
class Match:
    """A series and how well it is what was asked for, from 0 to 1."""

    series: Series
    score: float
    coverage: float
    """Share of what the phrase says that the series says too."""
    missing: frozenset[str]
    """What the phrase says and the series does not."""

    @property
    def is_good(self) -> bool:
        return self.score >= GOOD_SCORE and self.coverage >= GOOD_COVERAGE


class Finder:
    """Holds series against phrases. A word that many of them have tells them apart less, and weighs less."""

    def __init__(self, series: Sequence[Series]) -> None:
        self._series = series
        self._rows = Counter(word for one in series for word in one.name)
        self._known = frozenset().union(*(one.name | one.aside | one.column | one.context for one in series))
        self._rows_of_amounts = {id(one.row) for one in series if "percent" not in one.column}
        # A run asks the same of the same series in several of its steps.
        self._find = lru_cache(maxsize=_REMEMBERED)(self._matches)

    def find(self, phrase: Iterable[str], *, changes: bool = False) -> list[Match]:
        """The series in the order of how well they fit; columns of changes only where they are asked for."""
        return list(self._find(tuple(phrase), changes))

    def _matches(self, asked: tuple[str, ...], changes: bool) -> list[Match]:
        found = [self._match(one, asked) for one in self._series if changes or not one.is_change]
        wanted = frozenset(asked)
        return sorted((match for match in found if match.score > 0), key=lambda match: _rank(match, wanted))

    def _match(self, series: Series, asked: tuple[str, ...]) -> Match:
        wanted = frozenset(asked)
        said = series.name | series.aside | series.column | series.context
        alike = _synonyms(series, asked)
        matched = self._weight(series.name & wanted) + SYNONYM * self._weight(series.name & alike - wanted)
        covered = self._weight(said & wanted) + SYNONYM * self._weight(wanted & alike - said)
        precision = _share(matched, self._weight(series.name) + self._unasked(series, wanted))
        recall = _share(covered, self._weight(wanted & (self._known | alike)))
        score = _balance(precision, recall)
        if _OPENING & (series.name - wanted):
            score *= UNASKED_OPENING
        if "percent" in series.column - wanted and self._stands_beside_amounts(series):
            score *= UNASKED_PERCENT
        return Match(series, score, _share(covered, self._weight(wanted)), wanted - said - alike)

    def _unasked(self, series: Series, wanted: frozenset[str]) -> float:
        in_column = self._weight(series.column - wanted - _WHOLE)
        return UNASKED_COLUMN * in_column + UNASKED_ASIDE * len(series.aside - wanted)

    def _stands_beside_amounts(self, series: Series) -> bool:
        return id(series.row) in self._rows_of_amounts

    def _weight(self, words: Iterable[str]) -> float:
        return sum(1 + log(len(self._series) / max(self._rows[word], 1)) for word in words)


def _rank(match: Match, wanted: frozenset[str]) -> tuple[float, int, bool]:
    """By score; of two that fit alike the one that says it itself and not around it, then the one that is tagged."""
    one = match.series
    return -match.score, -len(wanted & (one.name | one.column)), not one.concept


def _synonyms(series: Series, asked: tuple[str, ...]) -> frozenset[str]:
    """The words by which the phrase and the label, or the tag of its figures, name one metric, each in its way."""
    theirs, ours = metrics_in(asked), metrics_in(terms(series.label))
    both = theirs.keys() & ours.keys()
    tagged = theirs.keys() & metrics_in(concept_terms(series.concept)).keys() if series.concept else frozenset()
    words = frozenset(word for metric in both for word in theirs[metric] + ours[metric])
    # Whatever the label is called, its document says that it is this metric.
    return words | series.name | {word for metric in tagged for word in theirs[metric]} if tagged else words


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _balance(precision: float, recall: float) -> float:
    """Their mean, weighted for precision."""
    return _share((1 + PRECISION) * precision * recall, PRECISION * precision + recall)
