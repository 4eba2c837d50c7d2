"""The sentence of the passages that speaks of what is asked, the figure in it, and which of its words answer."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log

from docmind.domain.documents import Passage, Span
from docmind.quality.quantities import Figure, Period, Quantity, read, read_prose
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.sentences import split
from docmind.skills.finance.analysis import Quote
from docmind.skills.finance.evidence.series import Series, within
from docmind.skills.finance.phrases import sought, subject_of, terms
from docmind.skills.finance.question import FinanceQuestion

_YEAR = re.compile(r"(?:19|20)\d\d")
_EXPECTS = re.compile(r"\b(?:expects?|forecasts?|anticipates?|guidance|outlook|targets?|plans? for)\b", re.IGNORECASE)
OTHER_YEARS = 0.6
"""What is left of a sentence that speaks of other years than those asked about."""
STATES_IT = 0.5
"""How much of a question a sentence has to say, to have its figure taken for what is asked."""
SHORTEST_SENTENCE = 4
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
            if len(sentence.text.split()) >= SHORTEST_SENTENCE
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


_TOKEN = re.compile(r"[^\s]++")
_REASON = re.compile(
    r"\b(?:(?:primarily|mainly|largely|principally|partly) )?"
    r"(?:due to|because of|because|as a result of|driven by|attributable to|resulting from|in order to|owing to"
    r"|caused by|reflecting)\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"^why\b|\bdue to\??$|\bcaused?\b|\breasons?\b|\bdriven by\??$", re.IGNORECASE)
_WHEN = re.compile(r"^(?:when|since when|on what date|in what year|what date)\b", re.IGNORECASE)
_LINKS = vocabulary("is are was were be been of as that")
_JOINTS = vocabulary("and the a an we which in at to our by for")
SHORTEST_STRETCH = 3
"""Words of a stretch that says something."""
_EDGES = " ,;:."


def quote_from(question: str, said: ProseSentence) -> Quote:
    """The date of a when, the cause of a why; else the longest stretch that the question does not say."""
    span = _date(question, said.text) or _cause(question, said.text) or _unsaid(question, said.text)
    start = said.span.start
    return Quote(span.of(said.text), Span(start + span.start, start + span.end), said.source)


def _date(question: str, text: str) -> Span | None:
    if not _WHEN.search(question):
        return None
    return next((mention.span for mention in read(text) if isinstance(mention, Period)), None)


def _cause(question: str, text: str) -> Span | None:
    found = _REASON.search(text) if _WHY.search(question) else None
    return _trimmed(text, found.start(), len(text)) if found is not None else None


def _unsaid(question: str, text: str) -> Span:
    """What follows the last word that the question has too; where nothing does, the longest run between such words."""
    asked = set(terms(question))
    words = {word.strip(_EDGES + "?\"'").lower() for word in question.split()} | _LINKS
    tokens = list(_TOKEN.finditer(text))
    matched = [asked.intersection(terms(token[0])) for token in tokens]
    new = [at for at, found in enumerate(matched) if found and not any(found <= earlier for earlier in matched[:at])]
    behind = [(new[-1] + 1, len(tokens))] if new else []
    bare = [_bare(tokens, run, words) for run in (*behind, *_between(new, len(tokens)))]
    start, end = next((run for run in bare if run[1] - run[0] >= SHORTEST_STRETCH), bare[-1])
    return _trimmed(text, tokens[start].start(), tokens[end - 1].end()) if start < end else Span(0, len(text))


def _bare(tokens: Sequence[re.Match[str]], run: tuple[int, int], words: Collection[str]) -> tuple[int, int]:
    """A run without the little words at its ends, which belong to what stands beside it."""
    start, end = run
    while start < end and tokens[start][0].strip(_EDGES).lower() in words:
        start += 1
    while start < end and tokens[end - 1][0].strip(_EDGES).lower() in _LINKS | _JOINTS:
        end -= 1
    return start, end


def _between(matched: Sequence[int], count: int) -> list[tuple[int, int]]:
    """The runs between matched words, the longest first."""
    edges = [-1, *matched, count]
    runs = [(left + 1, right) for left, right in pairwise(edges)]
    return sorted(runs, key=lambda run: run[0] - run[1])


def _trimmed(text: str, start: int, end: int) -> Span:
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return Span(start, end)
