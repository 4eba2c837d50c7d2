"""RAGTruth's questions as cases to fit and score: is a response hallucinated, which claims, which characters are?"""

from collections.abc import Iterable, Sequence

from docmind.bench.groundedness.checker import CheckedClaim, CheckedResponse, CheckedSource, overlap
from docmind.bench.groundedness.folds import Case, Guess
from docmind.bench.metrics import ScoredItem
from docmind.domain.documents import Span


def response_case(source: CheckedSource) -> Case:
    """Positive is a response with any hallucination marked, as in the published numbers."""
    marked = [bool(checked.response.hallucinations) for checked in source]
    guesses = (Guess(-checked.support, 1, int(wrong)) for checked, wrong in zip(source, marked, strict=True))
    return Case(tuple(guesses), sum(marked))


def claim_case(source: CheckedSource) -> Case:
    """Positive is a claim with any marked character; one that was not read as a claim is no case of anything."""
    guesses = tuple(
        Guess(-claim.support, 1, int(not is_clean(claim, checked))) for checked in source for claim in checked.claims
    )
    return Case(guesses, sum(guess.right for guess in guesses))


def span_case(source: CheckedSource) -> Case:
    """Positive is a character in a marked span; those of all responses count alike, so long spans weigh more."""
    guesses, positive = [], 0
    for checked in source:
        marked = _characters(wrong.span for wrong in checked.response.hallucinations)
        positive += len(marked)
        for claim in checked.claims:
            called = _characters(claim.unsupported or (claim.span,))
            guesses.append(Guess(-claim.support, len(called), len(called & marked)))
    return Case(tuple(guesses), positive)


def judged_responses(sources: Sequence[CheckedSource]) -> list[ScoredItem]:
    """What a response's support promises, and whether it is free of hallucinations."""
    return [
        ScoredItem(checked.support, not checked.response.hallucinations) for source in sources for checked in source
    ]


def judged_claims(sources: Sequence[CheckedSource]) -> list[ScoredItem]:
    """What each claim's support promises, and whether it is free of hallucinations."""
    return [
        ScoredItem(claim.support, is_clean(claim, checked))
        for source in sources
        for checked in source
        for claim in checked.claims
    ]


def is_clean(claim: CheckedClaim, checked: CheckedResponse) -> bool:
    return not any(overlap(claim.span, wrong.span) for wrong in checked.response.hallucinations)


def _characters(spans: Iterable[Span]) -> set[int]:
    return {position for span in spans for position in range(span.start, span.end)}
