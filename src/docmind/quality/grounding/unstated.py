"""Figures of a claim that its evidence does not have: made up, mistaken for another one, or worked out.

Which of these it is, nobody can read off the figure. Where another figure of the evidence fits far better in its place,
the reader knows what belongs there; where it follows by one step from those that decide, it may well be worked out.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Self

from docmind.models.reader import JudgedClaim, Verdict
from docmind.quality.excerpts import Excerpt
from docmind.quality.grounding.content_words import Word, words
from docmind.quality.grounding.derivable import one_step
from docmind.quality.grounding.support import fitted, logistic

_NUMERAL = re.compile(r"\d(?:[\d.,]{0,30}\d)?")
_DECIDING = 3
"""Sentences that decide most, whose figures could stand in its place."""
_BETTER = 1.0
"""Log odds by which another figure has to fit better to be what belongs there."""
_MOST_OTHERS = 6
_LEAST = 1e-4


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
    value = _value(figure.text)
    if value is None:
        # What is no plain number, a date or a time, is nothing that code could work out.
        return True
    said = [one.group() for one in _NUMERAL.finditer(claim) if one.start() != figure.span.start]
    stated = [one for text in _deciding(excerpt, judged)[:1] for one in _NUMERAL.findall(text)]
    return one_step(value, [number for one in (*stated, *said) if (number := _value(one)) is not None])


def _deciding(excerpt: Excerpt, judged: JudgedClaim) -> list[str]:
    ranked = sorted(excerpt.pieces, key=lambda piece: -judged.marks.within(piece.start, piece.end))
    return [excerpt.text[piece.start : piece.end] for piece in ranked[:_DECIDING]]


def _value(numeral: str) -> Decimal | None:
    try:
        return Decimal(numeral.replace(",", ""))
    except InvalidOperation:
        return None


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(kept / (1 - kept))
