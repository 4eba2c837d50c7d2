"""Has the encoder read the likeliest statements: which of them answers, and whether the passages answer at all."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from docmind.models.encoder import Encoder
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding import Grounder
from docmind.skills.extract.candidates import candidates
from docmind.skills.extract.question import Question
from docmind.skills.extract.select import AS_GOOD, LexicalScorer
from docmind.skills.extract.signals import Signals
from docmind.skills.extract.statements import Statement
from docmind.skills.extract.windows import windows

WINDOWS = 3
"""Read at most; more than these change nothing but the time."""
DECIDED = 0.4
"""A statement so likely by its words, with none half as likely beside it, is not unseated by reading."""
RIGHT = 0.97
"""How often such a statement answers."""
HOPELESS = 0.005
"""Where the best is less likely by its words than this, no reading finds the answer."""
_SUREST = 12.0
"""The logit beyond which the encoder is not more certain."""


@dataclass(frozen=True, slots=True)
class Read:
    """What the encoder says of a statement that it read."""

    answer: float
    """By how much the best answer within the statement beats none, in logits."""
    relevance: float
    """The logit that the stretch it stands in answers the question."""


@dataclass(frozen=True, slots=True)
class ReadingModel:
    """Two logistic models, of statements and of questions, fitted by `scripts/fit_reading.py`."""

    statement: Mapping[str, float]
    question: Mapping[str, float]
    refuse_below: float

    @classmethod
    def shipped(cls) -> Self:
        fitted = json.loads(files("docmind.skills.extract").joinpath("reading.json").read_text(encoding="utf-8"))
        return cls(fitted["statement"], fitted["question"], fitted["refuse_below"])

    def answers(self, signals: Signals, read: Read | None) -> float:
        """How likely a statement answers, read or not."""
        return _probability(self.statement, statement_signals(signals, read))

    def is_answered(self, by_words: float, relevance: float) -> float:
        """How likely the passages answer: by their best statement and by the most relevant stretch that was read."""
        return _probability(self.question, question_signals(by_words, relevance))


class ReadingScorer:
    """Scores by words first, and reads where they do not decide. Thread-safe."""

    def __init__(
        self, grounder: Grounder, vectors: WordVectors, encoder: Encoder, model: ReadingModel | None = None
    ) -> None:
        self._words = LexicalScorer(grounder, vectors)
        self._encoder = encoder
        self._model = model or ReadingModel.shipped()

    @property
    def refuse_below(self) -> float:
        return self._model.refuse_below

    def __call__(self, question: Question, statements: Sequence[Statement]) -> list[float]:
        """The best is as likely to answer as the question is to be answered, the others in proportion."""
        signals = dict(zip(statements, self._words.signals(question, statements), strict=True))
        by_words = {one: self._words.probability(signals[one]) for one in statements}
        ranked = sorted(candidates(question, statements), key=lambda one: -by_words[one])
        likely = [by_words[one] for one in ranked]
        if not likely or likely[0] < HOPELESS:
            return list(by_words.values())
        if is_decided(likely):
            return [RIGHT * min(1.0, probability / likely[0]) for probability in by_words.values()]
        read = read_around(self._encoder, question, ranked, statements)
        fused = {one: self._model.answers(signals[one], read.get(one)) for one in statements}
        best = max(fused[one] for one in ranked)
        answered = self._model.is_answered(likely[0], max(one.relevance for one in read.values()))
        return [answered * min(1.0, probability / best) for probability in fused.values()]


def is_decided(ranked: Sequence[float]) -> bool:
    """Whether words tell alone which statement answers: probabilities of those that could, best first."""
    return ranked[0] >= DECIDED and all(one < AS_GOOD * ranked[0] for one in ranked[1:2])


def read_around(
    encoder: Encoder, question: Question, ranked: Sequence[Statement], statements: Sequence[Statement]
) -> dict[Statement, Read]:
    """What the encoder says of the likeliest statements and of those that stand beside them."""
    stretches = windows(ranked, statements, WINDOWS)
    read: dict[Statement, Read] = {}
    for stretch, answer in zip(stretches, encoder.read(question.text, [one.text for one in stretches]), strict=True):
        for statement in stretch.statements:
            span = statement.sentence.span
            within = answer.within(span.start - stretch.start, span.end - stretch.start)
            # A statement between two likely ones is read twice, and as good as where it is understood better.
            known = read.get(statement, Read(-_SUREST, answer.relevance))
            read[statement] = Read(max(known.answer, _clipped(within)), max(known.relevance, answer.relevance))
    return read


def statement_signals(signals: Signals, read: Read | None) -> dict[str, float]:
    """What speaks for a statement, by name; one that was not read has no word from the encoder."""
    said = (1.0, read.answer, read.relevance) if read else (0.0, 0.0, 0.0)
    return {**signals.named(), **dict(zip(("read", "read_answer", "read_relevance"), said, strict=True))}


def question_signals(by_words: float, relevance: float) -> dict[str, float]:
    """What speaks for a question being answered, by name."""
    return {"by_words": math.log(by_words / (1 - by_words)), "read_relevance": relevance}


def _probability(weights: Mapping[str, float], signals: Mapping[str, float]) -> float:
    weighed = weights["intercept"] + sum(weights[name] * value for name, value in signals.items())
    return 1.0 / (1.0 + math.exp(-weighed))


def _clipped(logit: float) -> float:
    return min(max(logit, -_SUREST), _SUREST)
