"""Where a system fails: how much it finds of each kind of hallucination, and its worst mistakes in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from docmind.bench.groundedness.checker import CheckedClaim, CheckedSource, overlap, weakest
from docmind.bench.groundedness.folds import Fitted
from docmind.bench.groundedness.sets import Hallucination, HallucinationKind

TRUE_ELSEWHERE = "true_elsewhere"
EXAMPLES = 8
UNREAD = "taken to assert nothing"
_QUOTED = 120


@dataclass(frozen=True, slots=True)
class DetectionRate:
    """What share of the hallucinations of a sort was found, and how many there are."""

    share: float
    count: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A claim whose support was judged too high or too low."""

    support: float
    label: str
    """What people say of it."""
    words: str
    why: str
    """What misled the system."""

    def __str__(self) -> str:
        told = f"{self.label}, support {self.support:.2f}: {shorten(self.words, _QUOTED)!r}"
        return f"{told}; {shorten(self.why, _QUOTED)}" if self.why else told


def found_by_kind(sources: Sequence[CheckedSource], fitted: Fitted) -> dict[str, DetectionRate]:
    """Recall for each kind, and once more for what is true although the source does not say so.

    Found is a hallucination that touches a claim whose support fails the threshold fitted for claims; the share is
    averaged over the splits.
    """
    shares: dict[str, list[float]] = {}
    for source, thresholds in zip(sources, fitted.thresholds.T, strict=True):
        for wrong, _, touched in _hallucinations(source):
            share = float((-weakest(touched) >= thresholds).mean())
            for sort in (_named(wrong.kind), *([TRUE_ELSEWHERE] if wrong.true_elsewhere else [])):
                shares.setdefault(sort, []).append(share)
    sorts = (*map(_named, HallucinationKind), TRUE_ELSEWHERE)
    return {
        sort: DetectionRate(sum(shares[sort]) / len(shares[sort]), len(shares[sort]))
        for sort in sorts
        if sort in shares
    }


def worst_misses(sources: Sequence[CheckedSource], count: int = EXAMPLES) -> list[Mistake]:
    """The hallucinations that look best supported, one a source."""
    worst = [max(each, key=_support) for each in map(_misses, sources) if each]
    return sorted(worst, key=_support, reverse=True)[:count]


def worst_alarms(sources: Sequence[CheckedSource], count: int = EXAMPLES) -> list[Mistake]:
    """The claims that look least supported in responses where nobody marked anything, one a source."""
    worst = [min(each, key=_support) for each in map(_alarms, sources) if each]
    return sorted(worst, key=_support)[:count]


def _misses(source: CheckedSource) -> list[Mistake]:
    return [
        Mistake(weakest(touched), wrong.kind, words, min(touched, key=_support).why if touched else UNREAD)
        for wrong, words, touched in _hallucinations(source)
    ]


def _alarms(source: CheckedSource) -> list[Mistake]:
    return [
        Mistake(claim.support, "nothing marked", claim.span.of(checked.response.text), claim.why)
        for checked in source
        if not checked.response.hallucinations
        for claim in checked.claims
    ]


def _hallucinations(source: CheckedSource) -> Iterator[tuple[Hallucination, str, list[CheckedClaim]]]:
    """Each with its words and the claims that it touches."""
    for checked in source:
        for wrong in checked.response.hallucinations:
            touched = [claim for claim in checked.claims if overlap(claim.span, wrong.span)]
            yield wrong, wrong.span.of(checked.response.text), touched


def _support(judged: Mistake | CheckedClaim) -> float:
    return judged.support


def _named(kind: HallucinationKind) -> str:
    return kind.name.lower()
