"""What an analysis reads from: passages as tables, series and sentences, put up once for all questions on them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from docmind.domain.documents import Passage
from docmind.quality.quantities import Period
from docmind.skills.finance.finder import Finder, Match
from docmind.skills.finance.joined_series import over_columns, over_tables
from docmind.skills.finance.prose import Prose
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.series import Series, series_of
from docmind.skills.finance.tables import Table, read_tables
from docmind.skills.finance.terms import terms

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
