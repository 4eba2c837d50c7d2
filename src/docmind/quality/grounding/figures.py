"""Whether the figures of a claim stand in its evidence, as quantities, in another spelling, made up or worked out."""

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import permutations
from typing import Self

from docmind.domain.documents import Span
from docmind.models.reader import JudgedClaim, Verdict
from docmind.quality.excerpts import Excerpt
from docmind.quality.grounding.evidence import Evidence
from docmind.quality.grounding.support import fitted, logistic
from docmind.quality.quantities import (
    Agreement,
    Computed,
    Mention,
    Period,
    Quantity,
    agrees,
    read,
    read_table,
    same_period,
)
from docmind.quality.quantities.quantity import Bound
from docmind.quality.words import Word, words

_COUNTABLE = 24
"""A smaller whole number may count rows, items or days."""
_MOST_STATED = 48
"""Figures looked at: of more, nearly every number follows."""
_EXACT = Decimal("0.006")
"""How far a result may be off, as a share, where it was rounded."""


def follows(claimed: Decimal, stated: Iterable[Decimal]) -> bool:
    """Whether it is small enough to be a count, or a sum, difference, product, ratio, share or change of two."""
    if claimed == claimed.to_integral_value() and abs(claimed) <= _COUNTABLE:
        return True
    values = list(dict.fromkeys(abs(value) for value in stated if value))
    return len(values) > _MOST_STATED or one_step(claimed, values)


def one_step(claimed: Decimal, stated: Iterable[Decimal]) -> bool:
    """Whether it is one of them but for rounding, or a sum, difference, product, ratio, share or change of two."""
    values = list(dict.fromkeys(abs(value) for value in stated if value))[:_MOST_STATED]
    results = (result for one, other in permutations(values, 2) for result in _steps(one, other))
    return any(_near(abs(claimed), value) for value in (*values, *results))


def _steps(one: Decimal, other: Decimal) -> Iterator[Decimal]:
    yield one + other
    yield abs(one - other)
    yield one * other
    yield one / other
    yield 100 * one / other
    yield 100 * abs(one - other) / other
    yield one * other / 100


def _near(claimed: Decimal, result: Decimal) -> bool:
    return abs(claimed - result) <= _EXACT * max(claimed, result)


_OF_ONE_KIND = frozenset({"money", "percent"})
"""Units that are always written: the same digits with another unit are another number."""
_MOST_MISSING = 64
"""A claim that lacks more numbers than this is not looked at further: it was not taken from its evidence."""


@dataclass(frozen=True, slots=True)
class NumberWord:
    """A number of a claim: its place among the words, and whether its digits stand in the evidence."""

    place: int
    word: Word
    held: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """The places of numbers that are found against what their digits say, and of those that cannot be right."""

    confirmed: tuple[int, ...]
    refuted: tuple[int, ...]
    formulas: tuple[str, ...]
    """The calculations that were needed for it."""


def compare(claim: str, numbers: Sequence[NumberWord], evidence: Evidence, computed: Sequence[Computed]) -> Compared:
    """The numbers of a claim against the quantities of the evidence, and against those computed from it."""
    claimed = sorted(read(claim), key=_start)
    stated: list[Mention] | None = None
    confirmed: list[int] = []
    refuted: list[int] = []
    formulas: list[str] = []
    missing = 0
    for number in numbers:
        mention = around(number.word.span, claimed)
        if number.held and not (mention and _is_of_another_kind(mention, number.word, evidence)):
            continue
        missing += 1
        if mention is None or missing > _MOST_MISSING:
            found = None
        else:
            stated = list(evidence.mentions()) if stated is None else stated
            found = _find(mention, stated, computed)
        if found is not None:
            confirmed.append(number.place)
            formulas += found
        elif computed or not _may_follow(mention, stated or ()):
            # Where something was computed, a figure is one of the results or stands somewhere.
            refuted.append(number.place)
    return Compared(tuple(confirmed), tuple(refuted), tuple(dict.fromkeys(formulas)))


def _may_follow(claimed: Mention | None, stated: Sequence[Mention]) -> bool:
    """Whether a figure that stands nowhere can be worked out from those that do; a date never is."""
    if not isinstance(claimed, Quantity):
        return False
    return follows(claimed.value, (one.value for one in stated if isinstance(one, Quantity)))


def _is_of_another_kind(claimed: Mention, word: Word, evidence: Evidence) -> bool:
    """Whether the evidence has these digits only for something else: 9 directors for a growth of 9%."""
    if isinstance(claimed, Period) or claimed.unit not in _OF_ONE_KIND:
        return False
    stated = list(evidence.mentions_of(word.key))
    return bool(stated) and all(isinstance(one, Period) or _measures_else(claimed, one) for one in stated)


def _measures_else(claimed: Quantity, stated: Quantity) -> bool:
    return bool(stated.unit or stated.counted) and stated.unit != claimed.unit


def _find(claimed: Mention, stated: Sequence[Mention], computed: Sequence[Computed]) -> list[str] | None:
    """The formula that a number follows from, nothing where it is stated, or none where it is neither."""
    if any(_same(claimed, other) for other in stated):
        return []
    if isinstance(claimed, Quantity):
        found = (one.formula for one in computed if one.confirms(claimed) is Agreement.AGREE)
        formula = next(found, None)
        return None if formula is None else [formula]
    return None


def _same(claimed: Mention, stated: Mention) -> bool:
    if isinstance(claimed, Quantity) and isinstance(stated, Quantity):
        return agrees(claimed, stated) is Agreement.AGREE
    if isinstance(claimed, Period) and isinstance(stated, Period):
        return same_period(claimed, stated) is Agreement.AGREE
    return False


def around(word: Span, mentions: Sequence[Mention]) -> Mention | None:
    """The mention that a number word stands in; mentions come in their order."""
    before = bisect_right(mentions, word.start, key=_start)
    mention = mentions[before - 1] if before else None
    return mention if mention and word.end <= mention.span.end else None


def _start(mention: Mention) -> int:
    return mention.span.start


_MOST_FIGURES = 12
"""A claim with more is a list of numbers, and is read as it stands."""
_MOST_WAYS = 3
_ROUNDED_BY = Decimal("0.01")
"""How far off, as a share, a rounded figure may be to be taken for the one it was rounded from."""


@dataclass(frozen=True, slots=True)
class _Changed:
    before: Span
    after: Span


@dataclass(frozen=True, slots=True)
class Restated:
    """The claim as the reader is given it."""

    text: str
    changed: tuple[_Changed, ...] = ()

    def original(self, start: int, end: int) -> Span:
        """Where characters of it stand in the claim as it was; a figure that was written otherwise is one piece."""
        return Span(self._place(start, last=False), self._place(end, last=True))

    def _place(self, at: int, *, last: bool) -> int:
        shift = 0
        for one in self.changed:
            if at < one.after.start or (last and at == one.after.start):
                break
            if at < one.after.end or (last and at == one.after.end):
                return one.before.end if last else one.before.start
            shift = one.before.end - one.after.end
        return at + shift


def restatements(claim: str, excerpt: Excerpt) -> list[Restated]:
    """The ways to write the claim in which every figure that the excerpt has stands as it stands there."""
    figures = [word for word in words(claim) if word.is_number]
    if not 0 < len(figures) <= _MOST_FIGURES:
        return [Restated(claim)]
    written = {word.key: word.text for word in reversed(words(excerpt.text)) if word.is_number and _is_plain(word)}
    mentions = sorted(read(claim), key=lambda mention: mention.span.start)
    stated = [one for one in mentions_in(excerpt) if isinstance(one, Quantity) and one.text]
    ways: list[list[tuple[Span, str]]] = []
    for word in figures:
        as_it_stands = [(word.span, written[word.key])] if word.key in written else []
        mention, otherwise = around(word.span, mentions), list[tuple[Span, str]]()
        if isinstance(mention, Quantity):
            same = dict.fromkeys(one.text for one in stated if _is_rounded_from(mention, one))
            otherwise = [(mention.span, text) for text in same if _number_key(text) != word.key]
        ways.append([*as_it_stands, *otherwise][:_MOST_WAYS])
    most = max(map(len, ways))
    return [_rewritten(claim, [one[min(way, len(one) - 1)] for one in ways if one]) for way in range(max(1, most))]


def _is_plain(word: Word) -> bool:
    """001 is a number of something, and no way to write 1.0."""
    return not (word.text.startswith("0") and word.text[1:2].isdecimal())


def _number_key(text: str) -> str:
    return next((word.key for word in words(text) if word.is_number), "")


def mentions_in(excerpt: Excerpt) -> Iterator[Mention]:
    """What the excerpt states, the cells of its tables in the scale that is stated for them."""
    for passage in dict.fromkeys(piece.passage for piece in excerpt.pieces):
        shown = [piece.span for piece in excerpt.pieces if piece.passage is passage]
        if passage.kind != "table":
            yield from (mention for span in shown for mention in read(span.of(passage.text)))
            continue
        for figure in read_table(passage.text, " ".join(passage.heading)):
            if any(span.start <= figure.span.start < span.end for span in shown):
                yield figure.quantity


def _is_rounded_from(claimed: Quantity, stated: Quantity) -> bool:
    """Whether both are one plain figure, as far as the claim tells: it may round, the evidence may not."""
    if any(one.bound is not Bound.EXACT or one.upper is not None or one.approximate for one in (claimed, stated)):
        return False
    ours, theirs = claimed.size, stated.size
    far = abs(ours.value - theirs.value)
    is_rounded = far <= ours.step / 2 and far <= _ROUNDED_BY * theirs.value
    return is_rounded and agrees(ours, theirs) is Agreement.AGREE


def _rewritten(claim: str, found: Sequence[tuple[Span, str]]) -> Restated:
    text, begin, changed = "", 0, list[_Changed]()
    for span, written in found:
        if span.start < begin or span.of(claim) == written:
            continue
        text += claim[begin : span.start]
        changed.append(_Changed(span, Span(len(text), len(text) + len(written))))
        text += written
        begin = span.end
    return Restated(text + claim[begin:], tuple(changed))


_NUMERAL = re.compile(r"\d(?:[\d.,]{0,30}\d)?")
_DECIDING = 3
"""Sentences that decide most, whose figures could stand in its place."""
_BETTER = 1.0
"""Log odds by which another figure has to fit better to be what belongs there."""
_MOST_OTHERS = 6
_LEAST_PROBABILITY = 1e-4


def unstated(claim: str, excerpt: Excerpt, asked: str = "") -> Word | None:
    """The first figure of the claim that neither the excerpt nor the question has."""
    figures = [word for word in words(claim) if word.is_number]
    if not figures:
        return None
    known = {word.key for text in (excerpt.text, asked) for word in words(text)}
    return next((word for word in figures if word.key not in known), None)


def with_other_figures(claim: str, figure: Word, excerpt: Excerpt, judged: JudgedClaim) -> list[str]:
    """The claim with other figures in its place: those of the sentences that decide."""
    numerals = dict.fromkeys(one for text in _deciding(excerpt, judged) for one in _NUMERAL.findall(text))
    before, after = claim[: figure.span.start], claim[figure.span.end :]
    return [f"{before}{one}{after}" for one in list(numerals)[:_MOST_OTHERS] if one != figure.text]


def figure_signals(
    claim: str, figure: Word, excerpt: Excerpt, judged: JudgedClaim, others_judged: Sequence[Verdict], support: float
) -> dict[str, float]:
    """What speaks for it, by name: the support as it is, how well another figure fits, and whether it follows."""
    return {
        "support": _log_odds(support),
        "other": max(0.0, _best(others_judged)),
        "follows": float(_follows(claim, figure, excerpt, judged)),
    }


def fits_better(judged: JudgedClaim, others_judged: Sequence[Verdict]) -> bool:
    """Whether another figure is what belongs there."""
    return _best(others_judged) > _log_odds(judged.verdict.supported) + _BETTER


def _best(judged: Sequence[Verdict]) -> float:
    return max((_log_odds(one.supported) for one in judged), default=-math.inf)


@dataclass(frozen=True, slots=True)
class FigureModel:
    """A logistic model of a claim with such a figure being supported, fitted by `scripts/fit_support.py`."""

    intercept: float
    weights: Mapping[str, float]

    @classmethod
    def shipped(cls) -> Self:
        found = fitted("figures")
        return cls(found["intercept"], found["weights"])

    def probability(self, signals: Mapping[str, float]) -> float:
        return logistic(self.intercept, self.weights, signals)


def _follows(claim: str, figure: Word, excerpt: Excerpt, judged: JudgedClaim) -> bool:
    value = _decimal(figure.text)
    if value is None:
        # What is no plain number, a date or a time, is nothing that code could work out.
        return True
    said = [one.group() for one in _NUMERAL.finditer(claim) if one.start() != figure.span.start]
    stated = [one for text in _deciding(excerpt, judged)[:1] for one in _NUMERAL.findall(text)]
    return one_step(value, [number for one in (*stated, *said) if (number := _decimal(one)) is not None])


def _deciding(excerpt: Excerpt, judged: JudgedClaim) -> list[str]:
    ranked = sorted(excerpt.pieces, key=lambda piece: -judged.marks.within(piece.start, piece.end))
    return [excerpt.text[piece.start : piece.end] for piece in ranked[:_DECIDING]]


def _decimal(numeral: str) -> Decimal | None:
    try:
        return Decimal(numeral.replace(",", ""))
    except InvalidOperation:
        return None


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _LEAST_PROBABILITY), 1 - _LEAST_PROBABILITY)
    return math.log(kept / (1 - kept))
