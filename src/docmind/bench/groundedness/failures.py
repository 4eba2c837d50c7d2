"""Where a system fails: how much it finds of each kind of hallucination, and its worst mistakes in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from docmind.bench.groundedness.checking import CheckedSource, overlap, weakest
from docmind.bench.groundedness.folds import Fitted
from docmind.bench.groundedness.sets import Hallucination, HallucinationKind

TRUE_ELSEWHERE = "true_elsewhere"
EXAMPLES = 4
_QUOTED = 140


@dataclass(frozen=True, slots=True)
class Found:
    """What share of the hallucinations of a sort was found, and how many there are."""

    share: float
    count: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """Words whose support was judged too high or too low."""

    support: float
    words: str
    what: str

    def __str__(self) -> str:
        return f"{self.what}, support {self.support:.2f}: {shorten(self.words, _QUOTED)!r}"


def found_by_kind(sources: Sequence[CheckedSource], fitted: Fitted) -> dict[str, Found]:
    """Recall for each kind, and once more for what is true although the source does not say so.

    Found is a hallucination that touches a claim whose support fails the threshold fitted for whole responses; the
    share is averaged over the splits.
    """
    shares: dict[str, list[float]] = {}
    for source, thresholds in zip(sources, fitted.thresholds.T, strict=True):
        for wrong, _, support in _hallucinations(source):
            share = float((-support >= thresholds).mean())
            for sort in (_named(wrong.kind), *([TRUE_ELSEWHERE] if wrong.true_elsewhere else [])):
                shares.setdefault(sort, []).append(share)
    sorts = (*map(_named, HallucinationKind), TRUE_ELSEWHERE)
    return {sort: Found(sum(shares[sort]) / len(shares[sort]), len(shares[sort])) for sort in sorts if sort in shares}


def worst_misses(sources: Sequence[CheckedSource], count: int = EXAMPLES) -> list[Mistake]:
    """The hallucinations that look best supported, one a source."""
    mistakes = ([Mistake(support, words, wrong.kind) for wrong, words, support in _hallucinations(s)] for s in sources)
    worst = [max(each, key=lambda mistake: mistake.support) for each in mistakes if each]
    return sorted(worst, key=lambda mistake: -mistake.support)[:count]


def worst_alarms(sources: Sequence[CheckedSource], count: int = EXAMPLES) -> list[Mistake]:
    """The claims that look least supported in responses where nobody marked anything, one a source."""
    mistakes = ([Mistake(support, words, "nothing marked") for words, support in _clean_claims(s)] for s in sources)
    worst = [min(each, key=lambda mistake: mistake.support) for each in mistakes if each]
    return sorted(worst, key=lambda mistake: mistake.support)[:count]


def _hallucinations(source: CheckedSource) -> Iterator[tuple[Hallucination, str, float]]:
    """Each with its words and the support of the weakest claim that it touches."""
    for checked in source:
        for wrong in checked.response.hallucinations:
            touched = [claim for claim in checked.claims if overlap(claim.span, wrong.span)]
            yield wrong, wrong.span.of(checked.response.text), weakest(touched)


def _clean_claims(source: CheckedSource) -> Iterator[tuple[str, float]]:
    for checked in source:
        if not checked.response.hallucinations:
            for claim in checked.claims:
                yield claim.span.of(checked.response.text), claim.support


def _named(kind: HallucinationKind) -> str:
    return kind.name.lower()
