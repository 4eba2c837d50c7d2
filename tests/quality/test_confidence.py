"""The confidence of an answer, and the threshold for a share of wrong answers."""

from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Span
from docmind.domain.verdicts import AuditedClaim, Claim, ClaimKind, ClaimStatus, Grounding
from docmind.quality.confidence import RiskCurve, combined, confidence

SHARES = st.floats(0.0, 1.0)


@st.composite
def curves(draw: st.DrawFn) -> RiskCurve:
    confidences = sorted(draw(st.lists(SHARES, max_size=12, unique=True)), reverse=True)
    return RiskCurve(tuple((point, draw(SHARES)) for point in confidences))


@given(curves(), SHARES, SHARES)
def test_who_accepts_more_wrong_answers_is_never_asked_for_a_higher_confidence(
    curve: RiskCurve, one: float, other: float
) -> None:
    strict, lenient = (curve.threshold(share) for share in sorted((one, other)))
    if strict is not None:
        assert lenient is not None
        assert lenient <= strict


@given(curves(), SHARES)
def test_from_the_threshold_up_the_share_of_wrong_answers_is_kept(curve: RiskCurve, share: float) -> None:
    threshold = curve.threshold(share)
    if threshold is None:
        assert not curve.points or curve.points[0][1] > share
    else:
        assert all(risk <= share for point, risk in curve.points if point >= threshold)


def test_there_is_no_threshold_where_even_the_surest_answers_are_wrong_too_often() -> None:
    assert RiskCurve(((0.9, 0.2), (0.5, 0.1))).threshold(0.15) is None
    assert RiskCurve(()).threshold(1.0) is None


def test_a_stretch_further_down_that_happens_to_be_right_is_not_relied_on() -> None:
    assert RiskCurve(((0.9, 0.05), (0.7, 0.2), (0.5, 0.1))).threshold(0.1) == 0.9


def test_the_curve_that_ships_is_ordered() -> None:
    points = RiskCurve.shipped().points
    assert list(points) == sorted(points, reverse=True)
    assert all(0.0 <= share <= 1.0 for point in points for share in point)


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
