"""Conflicts in the evidence itself: two documents that answer one question, and cannot both be right."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from statistics import fmean
from typing import Self

from docmind.domain.documents import Passage, Span
from docmind.models.reader import JudgedClaim, Reader
from docmind.quality.excerpts import heading_of
from docmind.quality.quantities import Agreement, Mention, Period, Quantity, agrees, read, same_period
from docmind.quality.words import words


@dataclass(frozen=True, slots=True)
class DocumentAnswer:
    """The statement of a document that answers a question best."""

    passage: Passage
    span: Span
    """The statement, in the passage's text."""
    value_span: Span
    """The bare answer, in the passage's text."""
    score: float
    """The logit that the passage answers."""
    value_score: float
    """How far the bare answer beats other stretches of the passage."""

    @property
    def place(self) -> Span:
        """The statement, in the document."""
        begin = self.passage.span.start
        return Span(begin + self.span.start, begin + self.span.end)

    @property
    def text(self) -> str:
        return self.span.of(self.passage.text)

    @property
    def value(self) -> str:
        return self.value_span.of(self.passage.text)

    @property
    def rest(self) -> str:
        """The statement without the bare answer: what it is said of."""
        start, end = max(self.span.start, self.value_span.start), min(self.span.end, self.value_span.end)
        return f"{self.passage.text[self.span.start : start]} {self.passage.text[end : self.span.end]}"

    def with_value(self, value: str) -> tuple[str, Span]:
        """The statement with another bare answer in the place of its own, and where that stands."""
        begin, text = self.span.start, self.passage.text
        start, end = max(begin, self.value_span.start), min(self.span.end, self.value_span.end)
        changed = f"{text[begin:start]}{value}{text[end : self.span.end]}"
        return changed, Span(start - begin, start - begin + len(value))

    @property
    def title(self) -> str:
        return self.passage.heading[0] if self.passage.heading else ""

    @property
    def above(self) -> str:
        return " ".join(self.passage.heading)


_SUREST = 8.0
"""The logit beyond which nothing is more certain."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What one document says of the other's statement once that has its own bare answer in it.

    Where both speak of the same thing, it supports the statement; where they speak of different periods, places or
    groups, it still does not.
    """

    supported: float
    """As a logit."""
    doubt: float
    """How doubtful the words other than the bare answer are, on average."""


def matter(question: str, one: DocumentAnswer, other: DocumentAnswer) -> dict[str, float]:
    """Whether both passages speak of what is asked, and of the same things and names."""
    sides = (one, other)
    asked = _keys(question)
    named = {word.key for word in words(question) if word.is_name or word.is_number}
    said = [_keys(side.text) | _keys(side.above) for side in sides]
    around = [_keys(side.passage.text) | _keys(side.above) for side in sides]
    return {
        "asked_least": min(_share(asked, some) for some in said),
        "asked_around_least": min(_share(asked, some) for some in around),
        "named_least": min(_share(named, some) for some in said),
        "statements_alike": _alike(*(_keys(side.rest) for side in sides)),
        "passages_alike": _alike(*around),
        "names_alike": _alike(*map(_names, sides)),
        "titles_alike": _alike(*(_keys(side.title) for side in sides)),
        "headings_alike": _alike(*(_keys(side.above) for side in sides)),
        "score_least": min(_clipped(side.score) for side in sides),
    }


def difference(one: DocumentAnswer, other: DocumentAnswer, exchanged: Sequence[Exchanged]) -> dict[str, float]:
    """What sets the bare answers apart, and whether the statements would be the same without them."""
    mine, theirs = read(one.value), read(other.value)
    told = [_numbers(_keys(side.value)) & _keys(facing.rest) for side, facing in ((one, other), (other, one))]
    return {
        "value_of_two_kinds": float(bool(mine) != bool(theirs)),
        "value_nearness": max((_nearness(a, b) for a in mine for b in theirs), default=0.0),
        "value_told_by_other": float(any(told)),
        "value_score_least": min(one.value_score, other.value_score),
        "times_apart": float(_apart(_periods(one.rest), _periods(other.rest))),
        "exchanged_least": min(_clipped(side.supported) for side in exchanged),
        "exchanged_most": max(_clipped(side.supported) for side in exchanged),
        "exchanged_doubt": sum(side.doubt for side in exchanged) / 2,
    }


def say_the_same(one: DocumentAnswer, other: DocumentAnswer) -> bool:
    """Whether two bare answers are the same words, or quantities and times that agree as precisely as written."""
    mine, theirs = read(one.value), read(other.value)
    if _keys(one.value) and _keys(one.value) == _keys(other.value):
        return True
    return bool(mine) and bool(theirs) and _covers(mine, theirs) and _covers(theirs, mine)


def _covers(some: Iterable[Mention], others: Iterable[Mention]) -> bool:
    return all(any(_compared(a, b) is Agreement.AGREE for a in some) for b in others)


def _compared(a: Mention, b: Mention) -> Agreement:
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return agrees(a, b)
    if isinstance(a, Period) and isinstance(b, Period):
        return same_period(a, b)
    return Agreement.INCOMPARABLE


def _nearness(a: Mention, b: Mention) -> float:
    """The smaller of two comparable quantities as a share of the larger: a part is far from its whole."""
    if not (isinstance(a, Quantity) and isinstance(b, Quantity)) or agrees(a, b) is Agreement.INCOMPARABLE:
        return 0.0
    small, large = sorted((abs(a.value), abs(b.value)))
    return float(small / large) if large else 1.0


def _periods(text: str) -> list[Period]:
    return [mention for mention in read(text) if isinstance(mention, Period)]


def _apart(some: Sequence[Period], others: Sequence[Period]) -> bool:
    return bool(some) and bool(others) and all(same_period(a, b) is Agreement.DISAGREE for a in some for b in others)


@lru_cache(maxsize=1024)
def _keys(text: str) -> frozenset[str]:
    """Remembered, because one answer is held against several."""
    return frozenset(word.key for word in words(text))


def _names(side: DocumentAnswer) -> frozenset[str]:
    return _named(f"{side.passage.text} . {side.above}")


@lru_cache(maxsize=256)
def _named(text: str) -> frozenset[str]:
    return frozenset(word.key for word in words(text) if word.is_name)


def _numbers(keys: Iterable[str]) -> set[str]:
    return {key for key in keys if key[0].isdecimal()}


def _alike(some: Set[str], others: Set[str]) -> float:
    return len(some & others) / len(some | others) if some or others else 0.0


def _share(some: Set[str], others: Set[str]) -> float:
    """Of some words the share that others have."""
    return len(some & others) / len(some) if some else 1.0


def _clipped(logit: float) -> float:
    return min(max(logit, -_SUREST), _SUREST) / _SUREST


AnswerPair = tuple[DocumentAnswer, DocumentAnswer]


@dataclass(frozen=True, slots=True)
class ConflictModel:
    """Two logistic models over the signals of a pair of answers, fitted by `scripts/fit_conflicts.py`."""

    same_matter: Mapping[str, float]
    """That the two documents speak of one matter at all."""
    disagree: Mapping[str, float]
    """That they cannot both be right, if they do."""
    mention_from: float
    """The probability of both from which a conflict is mentioned."""

    @classmethod
    def shipped(cls) -> Self:
        fitted = json.loads(files("docmind.quality").joinpath("conflicts.json").read_text(encoding="utf-8"))
        return cls(fitted["same_matter"], fitted["disagree"], fitted["mention_from"])

    def probability(self, seen: Mapping[str, float]) -> float:
        """Of a conflict."""
        return self.on_one_matter(seen) * _logistic(self.disagree, seen)

    def on_one_matter(self, seen: Mapping[str, float]) -> float:
        return _logistic(self.same_matter, seen)


class ConflictJudge:
    """Holds answers of different documents against each other. Thread-safe."""

    def __init__(self, reader: Reader, model: ConflictModel | None = None) -> None:
        self._reader = reader
        self._model = model or ConflictModel.shipped()

    def conflicting(self, question: str, pairs: Sequence[AnswerPair]) -> list[tuple[AnswerPair, float]]:
        """Those that may not both be right, with the probability that they cannot, the most certain first."""
        model = self._model
        # What is not on one matter is in no conflict, and need not be read again for it.
        on_it = [pair for pair in pairs if model.on_one_matter(matter(question, *pair)) >= model.mention_from]
        likely = [model.probability(seen) for seen in self.signals(question, on_it)]
        ranked = sorted(zip(on_it, likely, strict=True), key=lambda one: -one[1])
        return [(pair, probability) for pair, probability in ranked if probability >= model.mention_from]

    def signals(self, question: str, pairs: Sequence[AnswerPair]) -> list[dict[str, float]]:
        """What the model sees of each pair; two short readings a pair."""
        both = [side for one, other in pairs for side in ((one, other), (other, one))]
        changed = [mine.with_value(theirs.value) for mine, theirs in both]
        shown = [f"{heading_of(theirs.passage)}: {theirs.text}" for _, theirs in both]
        asked = [(text, excerpt) for (text, _), excerpt in zip(changed, shown, strict=True)]
        judged = self._reader.judge(asked, quick=True)
        read = [_exchanged(one, at) for one, (_, at) in zip(judged, changed, strict=True)]
        return [matter(question, *pair) | difference(*pair, read[2 * at : 2 * at + 2]) for at, pair in enumerate(pairs)]


def _logistic(weights: Mapping[str, float], seen: Mapping[str, float]) -> float:
    weighed = weights["intercept"] + sum(weight * seen[name] for name, weight in weights.items() if name in seen)
    return 1.0 / (1.0 + math.exp(-weighed))


def _exchanged(judged: JudgedClaim, value: Span) -> Exchanged:
    outside = [doubt for start, end, doubt in judged.doubts if end <= value.start or start >= value.end]
    return Exchanged(judged.verdict.logit, fmean(outside) if outside else 0.0)
