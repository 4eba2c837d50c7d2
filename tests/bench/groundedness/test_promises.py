"""Promises of few wrong texts: as made and as kept."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from docmind.bench.groundedness.promises import Realised, RiskCurve, promises, realised
from docmind.bench.metrics import ScoredItem

SHARES = st.floats(0.0, 1.0)
RIGHT_ABOVE_HALF = [ScoredItem(number / 100, number >= 50) for number in range(100)]


def test_the_lowest_score_is_asked_for_that_still_promises_enough() -> None:
    curve = promises(RIGHT_ABOVE_HALF)
    # From .50 on, fifty are right: one wrong of fifty-one. From .45 on, six wrong of fifty-six.
    assert curve.threshold(0.02) == 0.5
    assert curve.threshold(0.11) == 0.45
    assert curve.threshold(0.01) is None


def test_a_wrong_text_at_the_top_does_not_rule_out_all_below_it() -> None:
    assert promises([ScoredItem(1.0, False), *RIGHT_ABOVE_HALF]).threshold(0.05) == 0.5


@given(st.lists(st.builds(ScoredItem, st.sampled_from([0.1, 0.4, 0.5, 0.8, 0.9]), st.booleans()), max_size=60))
def test_shares_rise_strictly_while_confidence_falls_whatever_was_judged(judged: list[ScoredItem]) -> None:
    points = promises(judged).points
    for (confidence, risk), (lower, higher) in pairwise(points):
        assert confidence > lower
        assert risk < higher


def test_a_promise_is_tested_on_sources_it_was_not_made_on() -> None:
    sources = [RIGHT_ABOVE_HALF] * 8
    assert realised(sources, 0.02) == Realised(0, 0.5)
    kept = realised(sources, 0.1)
    assert 0 < kept.risk <= 0.1
    assert kept.coverage > 0.5
    # Two sources that need different thresholds: what the one promises, the other breaks.
    misleading = [ScoredItem(0.5 + number / 1000, False) for number in range(100)]
    assert realised([RIGHT_ABOVE_HALF, misleading], 0.1).risk == 1


def test_where_nothing_can_be_promised_nothing_is_kept() -> None:
    assert realised([[ScoredItem(0.9, False)], [ScoredItem(0.8, False)]], 0.2) == Realised(0, 0)
    assert realised([], 0.2) == Realised(0, 0)


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
