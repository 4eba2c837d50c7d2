"""The sentence of the passages that speaks of what is asked, and the figure in it that is of the period asked for."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

from docmind.domain.documents import Passage, Span
from docmind.quality.quantities import Figure, Period, Quantity, read, read_prose
from docmind.quality.sentences import split
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.series import Series, within
from docmind.skills.finance.subject import subject_of
from docmind.skills.finance.terms import terms

_YEAR = re.compile(r"(?:19|20)\d\d")
_EXPECTS = re.compile(r"\b(?:expects?|forecasts?|anticipates?|guidance|outlook|targets?|plans? for)\b", re.IGNORECASE)
OTHER_YEARS = 0.6
"""What is left of a sentence that speaks of other years than those asked about."""
STATES_IT = 0.5
"""How much of a question a sentence has to say, to have its figure taken for what is asked."""
SHORTEST = 4
"""Words; a shorter sentence is a heading."""


@dataclass(frozen=True, slots=True)
class ProseSentence:
    """A sentence of a document, and how much of the question it takes up."""

    text: str
    span: Span
    source: str
    words: frozenset[str]
    coverage: float = 0.0


class Prose:
    """The sentences of some passages, found by what a question says; a word that many of them have weighs less."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._said = tuple(
            ProseSentence(sentence.text, _placed(sentence.span, passage), passage.id, frozenset(terms(sentence.text)))
            for passage in passages
            if passage.kind == "text"
            for sentence in split(passage.text)
            if len(sentence.text.split()) >= SHORTEST
        )
        self._count = Counter(word for said in self._said for word in said.words)

    def states(self, name: str) -> bool:
        """Whether a sentence has these very words, and a number soon after them."""
        stated = re.compile(rf"\b{re.escape(name)}\b\D{{0,40}}+\d", re.IGNORECASE)
        return any(stated.search(said.text) for said in self._said)

    def best(self, question: FinanceQuestion) -> ProseSentence | None:
        """The sentence with most of what is asked; one that speaks of other years only counts for less."""
        asked = frozenset(sought(question.text, frozenset(self._count)))
        whole = self._weight(asked)
        if not whole:
            return None
        years = years_of(question.periods)
        rated = [
            (self._weight(asked & said.words) / whole * _timely(said, years), -len(said.words), at)
            for at, said in enumerate(self._said)
        ]
        coverage, _, at = max(rated, default=(0.0, 0, -1))
        return replace(self._said[at], coverage=coverage) if coverage > 0 else None

    def expecting(self, names: Sequence[str], year: int) -> ProseSentence | None:
        """The sentence that says what was expected for a year of something that goes by these names."""
        spoken = (said for said in self._said if str(year) in said.words and _EXPECTS.search(said.text))
        return next((said for said in spoken if any(name.lower() in said.text.lower() for name in names)), None)

    def series(self, question: FinanceQuestion) -> Series | None:
        """The figures of a sentence, one for each period asked about."""
        said = self.best(question)
        figures = figures_in(said, question.periods) if said is not None and said.coverage >= STATES_IT else []
        if not figures or len(figures) != len(question.periods) or any(one.period is None for one in figures):
            return None
        thing = subject_of(question.text) or figures[0].label
        named = tuple(replace(figure, label=thing) for figure in figures)
        return Series(thing, frozenset(terms(thing)), frozenset(), frozenset(), frozenset(), named, 0)

    def figure(self, question: FinanceQuestion) -> Figure | None:
        """The one figure of a sentence that is what a phrase names, at the one period asked about."""
        said = self.best(question)
        figures = figures_in(said, question.periods) if said is not None and said.coverage >= STATES_IT else []
        return replace(figures[0], label=question.text.strip()) if len(figures) == 1 else None

    def _weight(self, words: frozenset[str]) -> float:
        sentences = len(self._said) + 1
        return sum(log(1 + sentences / (1 + self._count[word])) for word in words)


def years_of(periods: Sequence[Period]) -> frozenset[str]:
    return frozenset(str(period.year) for period in periods)


def _timely(said: ProseSentence, years: frozenset[str]) -> float:
    told = {word for word in said.words if _YEAR.fullmatch(word)}
    return OTHER_YEARS if years and told and not years & told else 1.0


def _placed(span: Span, passage: Passage) -> Span:
    return Span(passage.span.start + span.start, passage.span.start + span.end)


def figures_in(said: ProseSentence, periods: Sequence[Period]) -> list[Figure]:
    """The figures of a sentence that are of these periods; all of them where no period is asked for or told."""
    figures = [figure for figure in _told(said) if not _is_bare_year(figure)]
    if not periods:
        return figures
    fitting = [
        next((figure for figure in figures if figure.period is not None and within(figure.period, period)), None)
        for period in periods
    ]
    if all(fitting):
        return [figure for figure in fitting if figure is not None]
    undated = [figure for figure in figures if figure.period is None]
    # Of several years in one sentence, nobody knows which an amount belongs to that stands beside none.
    told = frozenset(word for word in said.words if _YEAR.fullmatch(word))
    return undated if not any(fitting) and years_of(periods) == told else []


def _told(said: ProseSentence) -> list[Figure]:
    """Figures with their periods; "5, 4 and 3 in 2019, 2018 and 2017, respectively" says which belongs to which."""
    figures = read_prose(said.text, offset=said.span.start, source=said.source)
    mentions = read(said.text)
    periods = [mention.key for mention in mentions if isinstance(mention, Period) and mention.year]
    amounts = [mention for mention in mentions if isinstance(mention, Quantity) and mention.unit != "ordinal"]
    if len(periods) != len(amounts) or len(figures) != len(amounts) or not _listed(said.text, mentions):
        return figures
    return [replace(figure, period=period) for figure, period in zip(figures, periods, strict=True)]


def _listed(text: str, mentions: Sequence[Period | Quantity]) -> bool:
    """Whether amounts and years are two lists: said so, or all of the one before all of the other."""
    kinds = [isinstance(one, Period) for one in mentions if not isinstance(one, Period) or one.year]
    return "respectively" in text or (len(kinds) > 2 and kinds in (sorted(kinds), sorted(kinds, reverse=True)))


def _is_bare_year(figure: Figure) -> bool:
    return figure.quantity.bare and figure.quantity.step == 1 and 1900 <= figure.quantity.value <= 2099
