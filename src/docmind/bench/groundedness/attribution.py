"""WiCE's two questions: does the cited page support the claim, and which of its sentences do?"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from docmind.bench.groundedness.checker import CheckedClaim, Checker, overlap
from docmind.bench.groundedness.folds import Case, Guess
from docmind.bench.groundedness.sets import CitingClaim, SupportLabel
from docmind.bench.metrics import ScoredItem
from docmind.bench.workbench import Workbench
from docmind.domain.documents import Span


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    claim: CitingClaim
    support: float
    chosen: frozenset[int]
    """The numbers of the sentences that were named as evidence."""

    @property
    def is_supported(self) -> bool:
        """By the labels: in full. A claim that is supported in part counts with those that are not."""
        return self.claim.label is SupportLabel.SUPPORTED


def check_citations(
    bench: Workbench, title: str, checker: Checker, claims: Sequence[CitingClaim]
) -> list[CheckedCitation]:
    checked = []
    with bench.steps(title, len(claims)) as done:
        for number, claim in enumerate(claims):
            found = checker.check((claim.page,), claim.text, "")
            checked.append(CheckedCitation(claim, checker.overall(found), _chosen(found, claim.sentences)))
            done(number + 1)
    return checked


def support_cases(checked: Sequence[CheckedCitation]) -> list[Case]:
    """Positive is a claim that is supported in full; a case is an article of Wikipedia.

    This is how the F1 of the published rows is read here: WiCE's three labels taken as two, "supported" against
    "partially supported" and "not supported", and the F1 of the first.
    """
    by_article = sorted(checked, key=lambda item: item.claim.article)
    cases = []
    for _, group in groupby(by_article, key=lambda item: item.claim.article):
        guesses = tuple(Guess(item.support, 1, int(item.is_supported)) for item in group)
        cases.append(Case(guesses, sum(guess.right for guess in guesses)))
    return cases


def judged_citations(checked: Sequence[CheckedCitation]) -> list[ScoredItem]:
    return [ScoredItem(item.support, item.is_supported) for item in checked]


@dataclass(frozen=True, slots=True)
class SentenceScores:
    precision: float
    recall: float


def sentence_scores(chosen: Collection[int], alternatives: Sequence[Collection[int]]) -> SentenceScores:
    """Against the set of sentences that the choice comes nearest to by F1, since each set is enough alone."""
    scores = (_against(set(chosen), set(gold)) for gold in alternatives)
    return max(scores, key=lambda score: score.precision * score.recall / ((score.precision + score.recall) or 1))


def mean_sentence_scores(checked: Sequence[CheckedCitation]) -> tuple[SentenceScores, int]:
    """Averaged over the claims that some sentence supports at least in part, and how many those are."""
    scores = [sentence_scores(item.chosen, item.claim.supporting) for item in checked if item.claim.supporting]
    if not scores:
        return SentenceScores(0.0, 0.0), 0
    mean = SentenceScores(fmean(score.precision for score in scores), fmean(score.recall for score in scores))
    return mean, len(scores)


def _chosen(found: Sequence[CheckedClaim], sentences: Sequence[Span]) -> frozenset[int]:
    evidence = [span for claim in found for span in claim.evidence]
    return frozenset(
        number for number, sentence in enumerate(sentences) if any(overlap(sentence, span) for span in evidence)
    )


def _against(chosen: set[int], gold: set[int]) -> SentenceScores:
    """To choose nothing is to find nothing: both are 0 then."""
    common = len(chosen & gold)
    return SentenceScores(common / len(chosen) if chosen else 0.0, common / len(gold) if gold else 0.0)
