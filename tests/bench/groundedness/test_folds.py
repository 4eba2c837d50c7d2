"""Thresholds, splits and intervals against numbers worked out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.bench.groundedness.folds import Case, Guess, best_threshold, cross_fit


def case(*guesses: tuple[float, bool]) -> Case:
    """A source with a response for each score, positive or not."""
    return Case(tuple(Guess(score, 1, int(right)) for score, right in guesses), sum(right for _, right in guesses))


def test_the_threshold_lies_half_way_below_the_last_score_worth_calling_positive() -> None:
    assert best_threshold([case((0.9, True), (0.4, False)), case((0.8, True))]) == pytest.approx(0.6)


def test_equal_scores_are_called_positive_together_or_not_at_all() -> None:
    # Apart, the two scores of .5 would allow an F1 of 1.
    assert best_threshold([case((0.5, True), (0.5, False), (0.1, False))]) == pytest.approx(0.3)


def test_where_everything_is_best_called_positive_no_score_is_too_low() -> None:
    assert best_threshold([case((0.2, False), (0.1, True))]) == -math.inf


def test_where_nothing_is_positive_no_score_is_high_enough() -> None:
    assert best_threshold([case((0.2, False), (0.1, False))]) == math.inf
    assert best_threshold([]) == math.inf


def test_sizes_weigh_and_what_no_guess_reaches_costs_recall() -> None:
    cases = [Case((Guess(0.9, 10, 8),), 8), Case((Guess(0.9, 10, 8),), 12)]
    scores = cross_fit(cases).scores()
    assert scores.precision == pytest.approx(16 / 20)
    assert scores.recall == pytest.approx(16 / 20)
    assert scores.f1 == pytest.approx(2 * 16 / (20 + 20))


def test_a_case_is_scored_by_a_threshold_fitted_without_it() -> None:
    # Two cases that ask for opposite thresholds: each is scored by the other's, and both lose.
    low, high = case((0.1, True), (0.0, False)), case((0.9, False), (0.95, True))
    fitted = cross_fit([low, high])
    assert fitted.thresholds[:, 0] == pytest.approx(best_threshold([high]))
    assert fitted.thresholds[:, 1] == pytest.approx(best_threshold([low]))


def test_changing_what_is_scored_changes_no_threshold_it_is_scored_by() -> None:
    cases = [case((number / 10, number > 4), (0.05, False)) for number in range(10)]
    before = cross_fit(cases).thresholds[:, 3]
    after = cross_fit([*cases[:3], case((1.0, False), (0.0, True)), *cases[4:]]).thresholds[:, 3]
    assert np.array_equal(before, after)


def test_a_constant_score_calls_everything_positive() -> None:
    scores = cross_fit([case((0.0, True), (0.0, False), (0.0, False)) for _ in range(6)]).scores()
    assert scores.precision == pytest.approx(1 / 3)
    assert scores.recall == 1
    assert scores.f1 == pytest.approx(0.5)


def test_the_interval_is_a_point_where_all_sources_are_alike_and_wide_where_they_differ() -> None:
    alike = cross_fit([case((0.9, True), (0.9, False))] * 8).f1_interval()
    assert alike.low == pytest.approx(alike.high)
    differing = cross_fit([case((0.9, number % 2 == 0), (0.1, number % 3 == 0)) for number in range(12)])
    interval = differing.f1_interval()
    assert interval.low < differing.scores().f1 < interval.high
    assert interval == differing.f1_interval()


def test_a_system_gains_nothing_over_itself_and_surely_over_one_that_is_always_wrong() -> None:
    right = cross_fit([case((0.9, True), (0.1, False)) for _ in range(8)])
    wrong = cross_fit([case((0.1, True), (0.9, False)) for _ in range(8)])
    itself = right.f1_gain_interval(right)
    assert (itself.low, itself.high) == (0, 0)
    gain = right.f1_gain_interval(wrong)
    assert 0 < gain.low <= right.scores().f1 - wrong.scores().f1 <= gain.high


@given(st.lists(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()), max_size=4), max_size=8))
def test_scores_are_shares_whatever_the_cases(drawn: list[list[tuple[float, bool]]]) -> None:
    scores = cross_fit([case(*guesses) for guesses in drawn]).scores()
    for share in (scores.precision, scores.recall, scores.f1):
        assert 0 <= share <= 1
