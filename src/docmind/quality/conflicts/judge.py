"""How likely two answers to one question cannot both be right: a logistic model over what the reader and code see."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from statistics import fmean
from typing import Self

from docmind.domain.documents import Span
from docmind.models.reader import JudgedClaim, Reader
from docmind.quality.conflicts.answer import DocumentAnswer
from docmind.quality.conflicts.signals import Exchanged, difference, matter
from docmind.quality.excerpts import heading_of

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
        judged = self._reader.judge([(text, excerpt) for (text, _), excerpt in zip(changed, shown, strict=True)])
        read = [_exchanged(one, at) for one, (_, at) in zip(judged, changed, strict=True)]
        return [matter(question, *pair) | difference(*pair, read[2 * at : 2 * at + 2]) for at, pair in enumerate(pairs)]


def _logistic(weights: Mapping[str, float], seen: Mapping[str, float]) -> float:
    weighed = weights["intercept"] + sum(weight * seen[name] for name, weight in weights.items() if name in seen)
    return 1.0 / (1.0 + math.exp(-weighed))


def _exchanged(judged: JudgedClaim, value: Span) -> Exchanged:
    outside = [doubt for start, end, doubt in judged.doubts if end <= value.start or start >= value.end]
    return Exchanged(judged.verdict.logit, fmean(outside) if outside else 0.0)
