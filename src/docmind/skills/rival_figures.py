"""Figures of different documents that answer one question with different values.

The checking core tells that two figures are of the same thing by the words around them alone, and so only where these
are the same. Where a question is asked, it names the thing: two sentences that both say all it asks about, of the same
times and in the same unit, must give the same value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from docmind.domain.documents import Span
from docmind.domain.search import Hit
from docmind.domain.verdicts import Conflict, ConflictSide, DisagreementKind
from docmind.quality.grounding.words import words
from docmind.quality.quantities import Aspect, Bound, Figure, Period, Quantity, read, read_prose
from docmind.quality.sentences import Sentence, split
from docmind.quality.units import UnitKind

_TOLD = (UnitKind.PROSE, UnitKind.ITEM)
_DEGREES = frozenset(word.key for word in words("large big high low long much many often far total amount"))
"""Words that ask for a figure and need not stand beside it."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """A sentence that says all the question asks about, with its one figure of a kind."""

    hit: Hit
    sentence: Sentence
    quantity: Quantity
    times: frozenset[Period]

    @property
    def measure(self) -> tuple[object, ...]:
        one = self.quantity
        return one.unit, one.currency, one.counted, one.per, self.times

    def side(self) -> ConflictSide:
        begin = self.hit.passage.span.start + self.sentence.span.start
        at = self.quantity.span
        quote_span = Span(begin, begin + len(self.sentence.text))
        value = Span(begin + at.start, begin + at.end)
        return ConflictSide(self.hit.passage, value, self.sentence.text, quote_span, at.of(self.sentence.text))


def rival_figures(question: str, hits: Sequence[Hit]) -> list[Conflict]:
    """Each two documents that answer the question with different values, where they state them first."""
    asked = {word.key for word in words(question)} - _DEGREES
    answers = [answer for hit in hits for answer in _answers(hit, asked)]
    found: dict[tuple[str, str], Conflict] = {}
    for one, other in combinations(answers, 2):
        documents = one.hit.document.id, other.hit.document.id
        if documents[0] != documents[1] and one.measure == other.measure and _differ(one.quantity, other.quantity):
            found.setdefault(documents, _conflict(one, other))
    return list(found.values())


def _answers(hit: Hit, asked: set[str]) -> Iterator[_Answer]:
    above = {word.key for word in words(" ".join(hit.passage.heading))}
    for sentence in split(hit.passage.text):
        if sentence.kind not in _TOLD or not asked or not asked <= above | {word.key for word in words(sentence.text)}:
            continue
        figures = [figure.quantity for figure in read_prose(sentence.text) if _is_plain(figure)]
        times = frozenset(mention.key for mention in read(sentence.text) if isinstance(mention, Period))
        answers = [_Answer(hit, sentence, figure, times) for figure in figures]
        yield from (one for one in answers if sum(other.measure == one.measure for other in answers) == 1)


def _is_plain(figure: Figure) -> bool:
    quantity = figure.quantity
    exact = quantity.bound is Bound.EXACT and quantity.upper is None and not quantity.approximate
    return exact and figure.aspect is Aspect.LEVEL and not quantity.bare and quantity.unit != "ordinal"


def _differ(one: Quantity, other: Quantity) -> bool:
    """Beyond what the coarser of the two was rounded to."""
    return abs(one.value - other.value) > max(one.step, other.step) / 2


def _conflict(one: _Answer, other: _Answer) -> Conflict:
    first, second = one.side(), other.side()
    reason = f"It is {first.value} in “{first.quote.rstrip('.')}” and {second.value} in “{second.quote.rstrip('.')}”."
    return Conflict(DisagreementKind.NUMBER, first, second, reason)
