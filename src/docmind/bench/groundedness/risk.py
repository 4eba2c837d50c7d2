"""What is gained by keeping silent: how often the texts one is surest of are wrong, the more of them are kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from docmind.bench.metrics import ScoredItem


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """A point of the curve: what keeping everything scored at least `threshold` means."""

    threshold: float
    kept: int
    wrong: int
    """Of those kept."""
    total: int

    @property
    def coverage(self) -> float:
        """Share of all that is kept."""
        return self.kept / self.total

    @property
    def risk(self) -> float:
        """Share of what is kept that is wrong."""
        return self.wrong / self.kept

    @property
    def expected_risk(self) -> float:
        """The same with one more that is wrong: a few texts, all of them right, promise little of the next."""
        return (self.wrong + 1) / (self.kept + 1)


def risk_curve(judged: Sequence[ScoredItem]) -> list[RiskPoint]:
    """From the surest on, a point for every score that occurs: equal scores are kept together or not at all."""
    curve, kept, wrong = [], 0, 0
    for score, group in groupby(sorted(judged, key=lambda item: -item.score), key=lambda item: item.score):
        items = list(group)
        kept += len(items)
        wrong += sum(not item.relevant for item in items)
        curve.append(RiskPoint(score, kept, wrong, len(judged)))
    return curve


def area_under(curve: Sequence[RiskPoint]) -> float:
    """The risk averaged over all coverages: for scores that say nothing it is the share of wrong texts."""
    before = (0.0, *(point.coverage for point in curve))
    return sum((point.coverage - covered) * point.risk for point, covered in zip(curve, before, strict=False))


def risk_at(curve: Sequence[RiskPoint], coverage: float) -> float:
    """The risk of keeping at least this share."""
    return next((point.risk for point in curve if point.coverage >= coverage), 0.0)
