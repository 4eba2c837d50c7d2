"""What an analysis reads from: passages as tables, series and sentences, found by what a phrase says."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import log

from docmind.domain.documents import Passage
from docmind.quality.quantities import Period
from docmind.skills.finance.catalogue import metrics_in
from docmind.skills.finance.evidence.cells import concept_terms
from docmind.skills.finance.evidence.prose import Prose
from docmind.skills.finance.evidence.series import Series, over_columns, over_tables, series_of
from docmind.skills.finance.evidence.tables import Table, read_tables
from docmind.skills.finance.phrases import sought, terms

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
_REMEMBERED_PHRASES = 64
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
        self._find = lru_cache(maxsize=_REMEMBERED_PHRASES)(self._matches)

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


NEARLY = 0.8
"""How near to the best a series has to be to stand in for it."""
_REMEMBERED = 32
Words = frozenset[str]
Answers = Callable[[str, Sequence[str]], Sequence[float]]
"""Tells how far each of several texts answers a question, as logits: the reader."""


@dataclass(frozen=True, slots=True)
class _EvidenceContents:
    """What passages hold, which every step of a run looks at."""

    tables: tuple[Table, ...]
    prose: Prose
    series: tuple[Series, ...]
    finder: Finder
    known: Words
    """All words of labels and columns."""


class Evidence:
    """Passages to find figures in; `owners` names the company of each document, by its id.

    With the reader's `answers`, rows are chosen by meaning; without, by the words that they share with what is asked.
    """

    def __init__(
        self, passages: Sequence[Passage], owners: Mapping[str, str] | None = None, answers: Answers | None = None
    ) -> None:
        self.passages = tuple(passages)
        self.answers = answers
        self.owners: Mapping[str, str] = owners or {}
        read = _read(self.passages, frozenset(self.owners.items()))
        self.tables, self.prose, self.series = read.tables, read.prose, read.series
        self._finder, self._known = read.finder, read.known

    @property
    def companies(self) -> list[str]:
        """The companies that the passages are of."""
        owners = (self.owners.get(passage.document_id) for passage in self.passages)
        return list(dict.fromkeys(owner for owner in owners if owner))

    def of(self, owner: str) -> "Evidence":
        """What is there of one company."""
        own = [passage for passage in self.passages if self.owners.get(passage.document_id) == owner]
        return Evidence(own, self.owners, self.answers)

    def find(self, phrase: str, *, changes: bool = False, ignored: Words = frozenset()) -> list[Match]:
        """Series that a phrase may mean, best first; `ignored` are words that say what to calculate."""
        asked = (term for term in sought(phrase, self._known) if term not in ignored)
        return self._finder.find(asked, changes=changes)

    def states(self, name: str) -> bool:
        """Whether a table or a sentence has something of this name."""
        words = frozenset(terms(name))
        return any(words <= one.name for one in self.series) or self.prose.states(name)

    def best(
        self, phrase: str, *, at: Sequence[Period] = (), changes: bool = False, ignored: Words = frozenset()
    ) -> Series | None:
        """The series that a phrase means; of those that fit nearly as well, one with figures of all the periods."""
        found = [match for match in self.find(phrase, changes=changes, ignored=ignored) if match.is_good]
        close = [match.series for match in found if match.score >= NEARLY * found[0].score]
        whole = (told for series in close if (told := self._over(series, at)) is not None)
        if (first := next(whole, None)) is not None:
            # Of rows with one name, as an asset that was long-term and is now current, the one that has an amount.
            alike = (told for told in chain([first], whole) if told.name == first.name)
            return over_tables(next((told for told in alike if _has_amount(told, at)), first), self.series)
        return over_tables(close[0], self.series) if close else None

    def _over(self, series: Series, at: Sequence[Period]) -> Series | None:
        """The series, or what its table or others add to it, that has figures of all the periods."""
        for told in (series, over_columns(series, self.series), over_tables(series, self.series)):
            if all(told.at(period) for period in at):
                return told
        return None


def _has_amount(series: Series, at: Sequence[Period]) -> bool:
    """Whether the series says anything but nil of the periods."""
    figures = [series.at(period) for period in at]
    return not figures or any(figure is not None and figure.quantity.value != 0 for figure in figures)


@lru_cache(maxsize=_REMEMBERED)
def _read(passages: tuple[Passage, ...], owners: frozenset[tuple[str, str]]) -> _EvidenceContents:
    """The same passages are looked at by every step of a run, and read once."""
    tables = _tables(passages)
    series = tuple(series_of(tables, dict(owners)))
    known: Words = frozenset().union(*(one.name | one.aside | one.column for one in series))
    return _EvidenceContents(tables, Prose(passages), series, Finder(series), known)


@lru_cache(maxsize=_REMEMBERED)
def _tables(passages: tuple[Passage, ...]) -> tuple[Table, ...]:
    """Those of a company are looked at by themselves too."""
    return tuple(read_tables(passages))
