"""What is timed, and what counts as decided; the times themselves are the machine's."""

import pytest

from docmind.bench.groundedness.sets import Response, Source
from docmind.bench.groundedness.speed import answers_to, is_decided, long_answers
from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import AuditedClaim, Claim, ClaimKind, ClaimStatus, Grounding

CLAIM = Claim(Span(0, 11), "Tea is hot.", ClaimKind.GENERAL)


def source(name: str, passages: int) -> Source:
    own = tuple(Passage(f"{name}{number}", name, number, Span(0, 1), name) for number in range(passages))
    return Source(name, own, (Response(f"About {name}.", ()),) * 2, f"What of {name}?")


def test_every_response_is_given_its_own_passages_and_those_of_the_sources_after_it() -> None:
    answers = list(answers_to([source("a", 3), source("b", 3), source("c", 3)]))
    assert len(answers) == 6
    assert [passage.id for passage in answers[2].passages] == ["b0", "b1", "b2", "c0", "c1", "c2", "a0", "a1"]
    assert (answers[2].text, answers[2].asked) == ("About b.", "What of b?")


def test_a_long_answer_is_made_of_the_first_eight_claims_about_one_source() -> None:
    claims = "".join(f"Tea number {number} is served hot. " for number in range(5))
    tea = Source("t", (Passage("t0", "t", 0, Span(0, 1), "t"),), (Response(claims, ()),) * 2, "Which tea?")
    [answer] = long_answers([tea])
    assert answer.text.count("is served hot.") == 8
    assert answer.text.endswith("Tea number 2 is served hot.")
    assert list(long_answers([Source("n", (), (Response("Why?", ()),))])) == []


@pytest.mark.parametrize(
    ("probability", "status", "decided"),
    [
        (0.99, ClaimStatus.SUPPORTED, True),
        (0.05, ClaimStatus.UNSUPPORTED, True),
        (0.5, ClaimStatus.UNCITED, False),
        (0.8, ClaimStatus.SUPPORTED, False),
        (0.2, ClaimStatus.CONTRADICTED, True),
        (0.5, ClaimStatus.FABRICATED, True),
        (0.5, ClaimStatus.MISATTRIBUTED, True),
    ],
)
def test_a_claim_is_decided_by_near_certainty_or_a_veto(probability: float, status: ClaimStatus, decided: bool) -> None:
    assert is_decided(AuditedClaim(CLAIM, status, "", Grounding(status, probability))) is decided


@pytest.mark.parametrize(("status", "decided"), [(ClaimStatus.CONTRADICTED, True), (ClaimStatus.UNSUPPORTED, False)])
def test_an_uncited_claim_is_decided_where_its_evidence_contradicts_it(status: ClaimStatus, decided: bool) -> None:
    assert is_decided(AuditedClaim(CLAIM, ClaimStatus.UNCITED, "", Grounding(status, 0.2))) is decided
