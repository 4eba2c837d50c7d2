"""Thresholds that never saw what they are scored on: fitted on one half of the sources, scored on the other."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

SPLITS = 5
SEED = 7
RESAMPLES = 2_000
_RIGHT, _PREDICTED, _POSITIVE = range(3)

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Numbers of what is fitted on, and of what is scored."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Something that is called positive as a whole or not at all: a response, or the words of a claim."""

    score: float
    """The higher, the sooner it is called positive."""
    size: int
    """How much is called positive with it: one response, or so many characters."""
    right: int
    """How much of that is positive."""


@dataclass(frozen=True, slots=True)
class Case:
    """The guesses about one source, which are fitted on together or scored together."""

    guesses: tuple[Guess, ...]
    positive: int
    """How much is positive in all; some of it may lie outside every guess."""


@dataclass(frozen=True, slots=True)
class Scores:
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float

    def named(self) -> dict[str, float]:
        """As numbers to put beside a row's value."""
        return {"95% from": self.low, "95% to": self.high}


@dataclass(frozen=True, slots=True)
class Fitted:
    """What came of fitting and scoring, for every split and case."""

    thresholds: NDArray[np.float64]
    """Splits by cases: the threshold by which a case was scored, fitted on the half that it is not in."""
    counts: NDArray[np.float64]
    """Splits by cases by three: what was rightly called positive, what was called positive, what is positive."""

    def scores(self) -> Scores:
        """Of each split from the counts of all its cases, each scored once; then the mean of the splits."""
        return Scores(*_scores(self.counts.sum(axis=1)).mean(axis=0).tolist())

    def f1_interval(self, *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
        """Where F1 would lie in 95 of 100 sets like this one, by drawing its cases anew; thresholds stay as fitted."""
        return _interval(self._resampled(resamples, seed))

    def f1_gain_interval(self, over: "Fitted", *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
        """The same for how much higher F1 is than that of another system, which is scored on the same cases drawn."""
        return _interval(self._resampled(resamples, seed) - over._resampled(resamples, seed))

    def _resampled(self, resamples: int, seed: int) -> NDArray[np.float64]:
        """F1 of each set of cases drawn anew; the same seed draws the same cases."""
        cases = self.counts.shape[1]
        drawn = np.random.default_rng(seed).multinomial(cases, np.full(cases, 1 / cases), size=resamples)
        f1: NDArray[np.float64] = _scores(np.einsum("rc,sck->rsk", drawn, self.counts))[..., 2].mean(axis=1)
        return f1


def cross_fit(cases: Sequence[Case], *, splits: int = SPLITS, seed: int = SEED) -> Fitted:
    """Cuts the cases into halves `splits` times at random; each half is scored by the threshold best for the other."""
    thresholds = np.empty((splits, len(cases)))
    counts = np.empty((splits, len(cases), 3))
    for split, both_ways in enumerate(halves(len(cases), splits=splits, seed=seed)):
        for fitted_on, scored in both_ways:
            threshold = best_threshold([cases[number] for number in fitted_on])
            thresholds[split, scored] = threshold
            for number in scored:
                counts[split, number] = _count(cases[number], threshold)
    return Fitted(thresholds, counts)


def halves(count: int, *, splits: int = SPLITS, seed: int = SEED) -> Iterator[tuple[Split, Split]]:
    """So many things cut into halves at random, time and again: what to fit on and what to score, both ways round."""
    random = np.random.default_rng(seed)
    for _ in range(splits):
        first, second = np.array_split(random.permutation(count), 2)
        yield (first, second), (second, first)


def best_threshold(cases: Sequence[Case]) -> float:
    """The least score to call positive for the highest F1, half way to the next score below."""
    guesses = sorted((guess for case in cases for guess in case.guesses), key=lambda guess: -guess.score)
    positive = sum(case.positive for case in cases)
    levels = [(score, list(group)) for score, group in groupby(guesses, key=lambda guess: guess.score)]
    below = [*(score for score, _ in levels[1:]), -math.inf]
    best, threshold = 0.0, math.inf
    right = predicted = 0
    for (score, group), following in zip(levels, below, strict=False):
        right += sum(guess.right for guess in group)
        predicted += sum(guess.size for guess in group)
        f1 = 2 * right / ((predicted + positive) or 1)
        if f1 > best:
            best, threshold = f1, (score + following) / 2
    return threshold


def _interval(values: NDArray[np.float64]) -> Interval:
    return Interval(*np.percentile(values, (2.5, 97.5)).tolist())


def _count(case: Case, threshold: float) -> tuple[int, int, int]:
    called = [guess for guess in case.guesses if guess.score >= threshold]
    return sum(guess.right for guess in called), sum(guess.size for guess in called), case.positive


def _scores(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Precision, recall and F1 along the last axis; 0 where there is nothing to divide by."""
    right, predicted, positive = counts[..., _RIGHT], counts[..., _PREDICTED], counts[..., _POSITIVE]
    shares = ((right, predicted), (right, positive), (2 * right, predicted + positive))
    return np.stack([np.divide(part, whole, out=np.zeros_like(part), where=whole > 0) for part, whole in shares], -1)
