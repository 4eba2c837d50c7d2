"""How often answers of each confidence were right, counted in the bands that people are told."""

import pytest

from docmind.domain.confidence import Band, by_confidence


def test_answers_are_counted_by_what_they_were_called() -> None:
    judged = [(0.95, True), (0.9, False), (0.82, True), (0.1, False)]
    surest, likely, unsure = by_confidence(judged)
    assert (surest.called, surest.answers, surest.right) == ("very likely right", 2, 1)
    assert surest.confidence == pytest.approx(0.925)
    assert (surest.share, likely.called, unsure.called) == (0.5, "likely right", "unsure")
    assert (likely.right, unsure.right) == (1, 0)


def test_nothing_judged_is_no_band() -> None:
    assert by_confidence([]) == []


def test_a_handful_of_answers_says_little_and_many_say_more() -> None:
    few, many = (Band("likely right", 10 * size, 8 * size, 0.8).interval for size in (1, 100))
    # Wilson's interval for 8 of 10, as textbooks give it.
    assert few == pytest.approx((0.4901, 0.9433), abs=1e-4)
    assert many[1] - many[0] < (few[1] - few[0]) / 5
    low, high = Band("likely right", 3, 3, 0.8).interval
    assert low < 0.5
    assert high == 1.0
