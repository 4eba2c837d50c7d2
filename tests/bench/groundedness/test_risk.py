"""The curve of risk over coverage against numbers worked out by hand."""

import pytest

from docmind.bench.groundedness.risk import area_under, risk_at, risk_curve
from docmind.bench.metrics import ScoredItem

CURVE = risk_curve([ScoredItem(0.9, True), ScoredItem(0.5, False), ScoredItem(0.7, True), ScoredItem(0.1, False)])


def test_the_surest_are_kept_first() -> None:
    assert [(point.coverage, point.risk) for point in CURVE] == [
        (0.25, 0),
        (0.5, 0),
        (0.75, pytest.approx(1 / 3)),
        (1, 0.5),
    ]
    assert [point.threshold for point in CURVE] == [0.9, 0.7, 0.5, 0.1]


def test_the_area_is_the_risk_averaged_over_coverage() -> None:
    assert area_under(CURVE) == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)


def test_a_score_that_says_nothing_has_the_share_of_wrong_texts_as_its_area() -> None:
    assert area_under(risk_curve([ScoredItem(0.5, right) for right in (True, False, True, True)])) == 0.25


def test_the_risk_is_read_off_for_a_coverage() -> None:
    assert risk_at(CURVE, 0.6) == pytest.approx(1 / 3)


def test_one_more_wrong_text_is_expected_than_was_seen() -> None:
    assert [point.expected_risk for point in CURVE] == [pytest.approx(share) for share in (1 / 2, 1 / 3, 2 / 4, 3 / 5)]


def test_nothing_judged_is_an_empty_curve() -> None:
    assert risk_curve([]) == []
    assert area_under([]) == risk_at([], 0.5) == 0
