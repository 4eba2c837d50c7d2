"""Every measure against numbers worked out by hand."""

import math

import pytest

from docmind.bench.metrics import (
    ScoredItem,
    class_f1,
    expected_calibration_error,
    hit,
    ndcg,
    percentile,
    recall,
    reliability,
    share_relevant,
    shared_words,
)


def test_a_perfect_ranking_has_ndcg_one() -> None:
    assert ndcg(["a", "b", "c"], {"a", "b"}, 10) == 1


def test_ndcg_discounts_by_the_logarithm_of_the_rank() -> None:
    # Found at ranks 2 and 4 of which the best ranking has 1 and 2.
    expected = (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3))
    assert ndcg(["x", "a", "y", "b"], {"a", "b"}, 10) == pytest.approx(expected)


def test_ndcg_looks_no_deeper_than_its_depth_and_asks_no_more_than_fits_in_it() -> None:
    assert ndcg(["x", "a"], {"a"}, 1) == 0
    assert ndcg(["a", "b"], {"a", "b", "c"}, 2) == 1


def test_a_question_without_relevant_documents_scores_nothing() -> None:
    assert ndcg(["a"], set(), 10) == recall(["a"], set(), 10) == hit(["a"], set(), 10) == 0


def test_recall_is_the_share_of_relevant_documents_found() -> None:
    assert recall(["a", "x", "b"], {"a", "b", "c", "d"}, 100) == 0.5
    assert recall(["a", "x", "b"], {"a", "b", "c", "d"}, 2) == 0.25


def test_a_hit_counts_once_however_many_relevant_documents_are_there() -> None:
    assert hit(["x", "a", "b"], {"a", "b"}, 5) == 1
    assert hit(["x", "a", "b"], {"a", "b"}, 1) == 0


def test_the_median_of_an_even_count_lies_between_the_middle_two() -> None:
    assert percentile([4, 1, 2, 3], 50) == 2.5


def test_the_reliability_table_groups_scores_and_leaves_out_empty_ranges() -> None:
    judged = [ScoredItem(0.62, True), ScoredItem(0.68, False), ScoredItem(0.05, False), ScoredItem(1.0, True)]
    first, middle, last = reliability(judged)
    assert (first.low, first.high, first.count, first.share_relevant) == (0.0, 0.1, 1, 0.0)
    assert (middle.low, middle.count, middle.share_relevant) == (0.6, 2, 0.5)
    assert middle.mean_score == pytest.approx(0.65)
    assert (last.low, last.high, last.count) == (0.9, 1.0, 1)


def test_the_calibration_error_weighs_each_range_by_its_count() -> None:
    judged = [ScoredItem(0.75, True), ScoredItem(0.75, True), ScoredItem(0.75, False), ScoredItem(0.25, False)]
    # Three of four scores promise .75 and keep 2/3; the fourth promises .25 and keeps nothing.
    assert expected_calibration_error(reliability(judged)) == pytest.approx((3 * (0.75 - 2 / 3) + 0.25) / 4)


def test_a_score_that_keeps_its_promise_has_no_calibration_error() -> None:
    judged = [ScoredItem(0.5, True), ScoredItem(0.5, False)]
    assert expected_calibration_error(reliability(judged)) == 0
    assert share_relevant(judged) == 0.5


def test_nothing_judged_is_no_error() -> None:
    assert expected_calibration_error(reliability([])) == share_relevant([]) == 0


def test_shared_words_count_as_often_as_both_have_them() -> None:
    shared = shared_words("The limit is 5,000 rows, and rows only.", "5,000 Rows")
    assert shared.precision == pytest.approx(2 / 7)
    assert shared.recall == 1
    assert shared.f1 == pytest.approx(4 / 9)


@pytest.mark.parametrize(("said", "wanted"), [("", "40"), ("40", ""), ("", ""), ("40", "400"), ("the", "a")])
def test_texts_without_a_word_in_common_share_nothing(said: str, wanted: str) -> None:
    assert shared_words(said, wanted).f1 == 0


def test_a_label_is_told_by_how_often_it_is_said_rightly_of_all_it_is_said_or_wanted() -> None:
    said, wanted = ["a", "a", "b", "a"], ["a", "b", "b", "c"]
    assert class_f1(said, wanted, "a") == pytest.approx(2 / 4)
    assert class_f1(said, wanted, "b") == pytest.approx(2 / 3)
    assert class_f1(said, wanted, "c") == class_f1(said, wanted, "d") == 0
