"""The promise that at most so many of the texts kept are wrong: made on some sources, put to the test on others."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from docmind.bench.groundedness.folds import halves
from docmind.bench.groundedness.risk import risk_curve
from docmind.bench.metrics import ScoredItem


@dataclass(frozen=True, slots=True)
class RiskCurve:
    """How many answers are wrong among those of at least some confidence, as measured on labelled answers."""

    points: tuple[tuple[float, float], ...]
    """Confidence and the share of wrong answers from there on, the highest confidence first."""

    def threshold(self, at_most_wrong: float) -> float | None:
        """The lowest confidence from which on at most this share is wrong; none where no confidence is high enough.

        Read from the top: a stretch further down where the share happens to fall again is not relied on.
        """
        lowest: float | None = None
        for point, risk in self.points:
            if risk > at_most_wrong:
                break
            lowest = point
        return lowest


@dataclass(frozen=True, slots=True)
class Realised:
    """What became of a promise."""

    risk: float
    """Share of what was kept that is wrong."""
    coverage: float
    """Share of all that was kept."""


def promises(judged: Sequence[ScoredItem]) -> RiskCurve:
    """For each whole percent of wrong texts the lowest score from which on no more are to be expected.

    So the shares rise strictly from one point to the next, whatever the scores: where more can be kept without more
    being wrong, more is kept.
    """
    curve = risk_curve(judged)
    points = {}
    for percent in range(1, 101):
        allowed = [point for point in curve if point.expected_risk <= percent / 100]
        if allowed:
            points[allowed[-1].threshold] = allowed[-1].expected_risk
    return RiskCurve(tuple(points.items()))


def realised(sources: Sequence[Sequence[ScoredItem]], at_most_wrong: float) -> Realised:
    """Each half of the sources is kept by the threshold that the other half promises; the mean of all splits."""
    risks, coverages = [], []
    for both_ways in halves(len(sources)):
        kept, total = [], 0
        for fitted_on, scored in both_ways:
            threshold = promises([item for number in fitted_on for item in sources[number]]).threshold(at_most_wrong)
            items = [item for number in scored for item in sources[number]]
            kept += [item for item in items if threshold is not None and item.score >= threshold]
            total += len(items)
        risks.append(sum(not item.relevant for item in kept) / (len(kept) or 1))
        coverages.append(len(kept) / (total or 1))
    return Realised(fmean(risks), fmean(coverages))
