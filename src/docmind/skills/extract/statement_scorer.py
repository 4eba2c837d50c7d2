"""Which statements answer a question, what the bare answer is, and how likely it is right, told by the reader.

Fitted logistic models weigh what it says.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Protocol, Self

from docmind.domain.documents import Passage, Span
from docmind.models.reader import Reader, ReadPassage
from docmind.quality.excerpts import headed, heading_of
from docmind.skills.extract.statements import Statement
from docmind.skills.question import intent

DECIDED = 0.9
"""How likely a passage must say yes or no to be taken to, whatever is asked."""
_SUREST = 8.0
"""The logit beyond which nothing is more certain."""


@dataclass(frozen=True, slots=True)
class AnswerModel:
    """Logistic models of a passage answering and of an answer being right, fitted by `scripts/fit_answer.py`."""

    passage: Mapping[str, float]
    right: Mapping[str, float]
    refuse_below: float
    relevance: float = 0.0
    """What a passage's relevance weighs beside the reader's score, both as logits, in choosing what to quote."""

    @classmethod
    def shipped(cls) -> Self:
        fitted = json.loads(files("docmind.skills.extract").joinpath("answer.json").read_text(encoding="utf-8"))
        return cls(fitted["passage"], fitted["right"], fitted["refuse_below"], fitted["relevance"])

    def answers(self, score: float) -> float:
        return logistic(self.passage, {"score": score})

    def is_right(self, signals: Mapping[str, float]) -> float:
        return logistic(self.right, signals)


@dataclass(frozen=True, slots=True)
class BareAnswer:
    """What a passage answers a question with."""

    span: Span
    """In the passage's text; empty where the answer stands in its headings."""
    span_score: float
    """How far that stretch beats the others of the passage."""
    score: float
    """The logit that the passage answers at all."""
    yes: float
    """That it says yes, and that it says no, where the question asks for one of them."""
    no: float


def bare_answer(passage: Passage, read: ReadPassage) -> BareAnswer:
    begin = headed(passage).pieces[0].start
    start, end = (max(0, at - begin) for at in read.answer)
    return BareAnswer(
        Span(start, end), read.answer_score, read.score, read.verdict.supported, read.verdict.contradicted
    )


def read_signals(
    found: Mapping[Passage, ReadPassage],
    best: Passage,
    relevance: float,
    alone: ReadPassage | None,
    *,
    asks_yes_no: bool,
) -> dict[str, float]:
    """What speaks for an answer being right, by name; a passage that says the same speaks not against it.

    `alone` is how the statement to quote first reads by itself.
    """
    bare = {passage: _bare_text(passage, read) for passage, read in found.items()}
    others = [
        read.score for passage, read in found.items() if passage is not best and not _same(bare[passage], bare[best])
    ]
    told = found[best]
    is_sure = max(told.verdict.supported, told.verdict.contradicted) >= DECIDED
    return {
        "score": clipped(told.score),
        "next": clipped(max(others, default=-_SUREST)),
        "mark": clipped(logit(float(max(told.marks.probabilities, default=0.0)))),
        "answer": clipped(logit(told.answer_score)),
        "relevance": clipped(logit(relevance)),
        "yes_no": float(asks_yes_no or is_sure),
        "undecided": float(asks_yes_no and not is_sure),
        "alone": clipped(alone.score if alone else -_SUREST),
        "length": math.log1p(len(bare[best])),
        "table": float(best.kind == "table"),
    }


def _bare_text(passage: Passage, read: ReadPassage) -> str:
    return bare_answer(passage, read).span.of(passage.text).strip().casefold()


def _same(one: str, other: str) -> bool:
    """Whether one bare answer is the other or a part of it."""
    return bool(one) and bool(other) and (one in other or other in one)


def logistic(weights: Mapping[str, float], signals: Mapping[str, float]) -> float:
    weighed = weights["intercept"] + sum(weights[name] * signals[name] for name in weights if name != "intercept")
    return 1.0 / (1.0 + math.exp(-weighed))


def logit(probability: float) -> float:
    kept = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(kept / (1 - kept))


def clipped(value: float) -> float:
    return min(max(value, -_SUREST), _SUREST)


MOST_READ = 8
"""Passages read for one question, the most relevant first: each takes one or two tenths of a second on two cores."""
SURE = 0.65
"""How likely yes or no must be to be said, on average by the passage and by its best statement alone: of those said to
tuning questions nine in ten are right then. The statement stands below either way."""
_REMEMBERED = 256
_SETS_REMEMBERED = 64
"""Questions with the statements of what was found for them: several steps of a run ask the same."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the passages say to a question."""

    scores: Mapping[Statement, float]
    """How likely each statement answers."""
    confidence: float
    """That an answer made of the best of them is right."""
    yes: float
    """That the answer is yes, and that it is no, where the question asks for one of them."""
    no: float
    answer: str
    """The bare answer, as it stands in the best passage."""
    answer_score: float
    signals: Mapping[str, float]
    """What the confidence was made of, by name."""
    passages: Mapping[Passage, float] = field(default_factory=dict)
    """How likely each passage that was read answers."""
    bare: Mapping[Passage, BareAnswer] = field(default_factory=dict)
    """What each of them answers with."""


class StatementScorer(Protocol):
    """Reads statements beside a question."""

    @property
    def refuse_below(self) -> float:
        """The confidence that must be reached for the question to be answered."""
        ...

    def read(self, question: str, statements: Sequence[Statement]) -> Reading: ...

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """How far each text answers the question, as logits."""
        ...


class ReadingScorer:
    """Has the reader read the most relevant passages. Thread-safe; what was read is remembered for the next step."""

    def __init__(self, reader: Reader, model: AnswerModel | None = None) -> None:
        self._reader = reader
        self._model = model or AnswerModel.shipped()
        self._remembered = lru_cache(maxsize=_REMEMBERED)(self._read_all)
        self._read_before = lru_cache(maxsize=_SETS_REMEMBERED)(self._read)

    @property
    def refuse_below(self) -> float:
        return self._model.refuse_below

    def read(self, question: str, statements: Sequence[Statement]) -> Reading:
        return self._read_before(question, tuple(statements))

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        return [read.score for read in self._reader.read(question, texts)]

    def _read(self, question: str, statements: tuple[Statement, ...]) -> Reading:
        hits = {one.hit.passage: one.hit for one in statements}
        ranked = sorted(hits, key=lambda passage: (-hits[passage].relevance_score, passage.id))[:MOST_READ]
        if not ranked:
            return Reading({}, 0.0, 0.0, 0.0, "", 0.0, {})
        found = dict(zip(ranked, self._remembered(question, tuple(ranked)), strict=True))
        weighed = {
            passage: read.score + self._model.relevance * clipped(logit(hits[passage].relevance_score))
            for passage, read in found.items()
        }
        best = max(ranked, key=weighed.__getitem__)
        scores = self._scores(statements, found, weighed)
        told, alone = found[best], self._read_alone(question, scores)
        asks_yes_no = intent(question) == "yes_no"
        signals = read_signals(found, best, hits[best].relevance_score, alone, asks_yes_no=asks_yes_no)
        yes, no = _yes_no(told, alone, asked=asks_yes_no)
        begin = headed(best).pieces[0].start
        start, end = told.answer
        inside = start >= begin
        return Reading(
            scores,
            self._model.is_right(signals),
            yes,
            no,
            best.text[start - begin : end - begin] if inside else "",
            told.answer_score if inside else 0.0,
            signals,
            {passage: self._model.answers(read.score) for passage, read in found.items()},
            {passage: bare_answer(passage, read) for passage, read in found.items()},
        )

    def _read_all(self, question: str, passages: tuple[Passage, ...]) -> list[ReadPassage]:
        return self._reader.read(question, [headed(passage).text for passage in passages])

    def _read_alone(self, question: str, scores: Mapping[Statement, float]) -> ReadPassage | None:
        """What the best statement says by itself, under its headings: a passage may seem to answer that does not."""
        able = [one for one in scores if not one.is_title] or list(scores)
        best = max(able, key=scores.__getitem__, default=None)
        return self._reader.read(question, [_alone(best)])[0] if best and scores[best] else None

    def _scores(
        self, statements: Sequence[Statement], found: Mapping[Passage, ReadPassage], weighed: Mapping[Passage, float]
    ) -> dict[Statement, float]:
        """A statement answers as likely as its passage does beside the best one, by how much of it is marked."""
        begins = {passage: headed(passage).pieces[0].start for passage in found}
        marks: dict[Statement, float] = {}
        for one in statements:
            if one.hit.passage in found:
                begin, span = begins[one.hit.passage], one.sentence.span
                marks[one] = found[one.hit.passage].marks.within(begin + span.start, begin + span.end)
        most: dict[Passage, float] = {}
        for one, mark in marks.items():
            most[one.hit.passage] = max(most.get(one.hit.passage, 0.0), mark)
        best = max(weighed, key=weighed.__getitem__)
        likely = self._model.answers(found[best].score)
        beside = {passage: likely * math.exp(weight - weighed[best]) for passage, weight in weighed.items()}
        return {
            one: beside[one.hit.passage] * marks[one] / max(most[one.hit.passage], 1e-6) if one in marks else 0.0
            for one in statements
        }


def _alone(statement: Statement) -> str:
    """A statement with what it leans on, under its headings."""
    leaning = f"{statement.lead.text} {statement.text}" if statement.lead else statement.text
    return f"{heading_of(statement.hit.passage)}\n{leaning}".strip()


def _yes_no(told: ReadPassage, alone: ReadPassage | None, *, asked: bool) -> tuple[float, float]:
    """How likely the answer is yes, and no: what is quoted must say so by itself."""
    yes, no = told.verdict.supported, told.verdict.contradicted
    if alone is None or (not asked and max(yes, no) < DECIDED):
        return yes / 2, no / 2
    return (yes + alone.verdict.supported) / 2, (no + alone.verdict.contradicted) / 2
