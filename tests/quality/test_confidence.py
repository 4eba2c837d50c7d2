"""The confidence of an answer."""

from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Span
from docmind.domain.verdicts import AuditedClaim, Claim, ClaimKind, ClaimStatus, Grounding
from docmind.quality.audit import combined, confidence

SHARES = st.floats(0.0, 1.0)


@given(st.lists(SHARES, min_size=1, max_size=9))
def test_an_answer_is_no_surer_than_its_weakest_claim_whatever_their_order(probabilities: list[float]) -> None:
    found = combined(probabilities)
    assert 0.0 <= found <= min(probabilities)
    assert combined(sorted(probabilities)) == combined(sorted(probabilities, reverse=True)) == found


@given(st.lists(SHARES, max_size=9), SHARES)
def test_a_further_claim_never_makes_an_answer_surer(probabilities: list[float], further: float) -> None:
    assert combined([*probabilities, further]) <= combined(probabilities) + 1e-12


def test_an_answer_that_claims_nothing_cannot_be_wrong() -> None:
    assert combined([]) == 1.0


def test_a_citation_of_what_does_not_exist_halves_what_is_trusted() -> None:
    claim = Claim(Span(0, 5), "It is", ClaimKind.GENERAL)
    supported = Grounding(ClaimStatus.SUPPORTED, 0.99)
    assert confidence([AuditedClaim(claim, ClaimStatus.SUPPORTED, "", supported)]) == 0.99
    assert confidence([AuditedClaim(claim, ClaimStatus.FABRICATED, "", supported)]) == 0.5
