"""Answers are scored by the rules of the set's authors."""

import pytest

from docmind.bench.finance.scoring import GivenAnswer, Score, is_number, score

RIGHT, WRONG = Score(1.0, 1.0), Score(0.0, 0.0)


@pytest.mark.parametrize(
    ("given", "scale", "wanted", "wanted_scale"),
    [
        ("$1,496.5", "million", "1496.5", "million"),
        ("(9.8)", "million", "-9.8", "million"),
        ("$72.3 million", "", "72.3", "million"),
        ("13.2%", "", "13.2", "percent"),
        ("0.2342", "", "23.42", "percent"),
        ("592000", "", "592", "thousand"),
        ("The Board of Directors.", "", "the board of directors", ""),
    ],
)
def test_an_answer_of_the_same_worth_is_right(given: str, scale: str, wanted: str, wanted_scale: str) -> None:
    assert score(GivenAnswer((given,), scale), GivenAnswer((wanted,), wanted_scale), numeric=False) == RIGHT


@pytest.mark.parametrize(
    ("given", "scale", "wanted", "wanted_scale"),
    [("592", "", "592", "thousand"), ("592", "million", "592", "thousand"), ("12.6", "", "-12.6", "")],
)
def test_scale_and_sign_matter(given: str, scale: str, wanted: str, wanted_scale: str) -> None:
    assert score(GivenAnswer((given,), scale), GivenAnswer((wanted,), wanted_scale), numeric=True) == WRONG


def test_words_are_scored_by_those_that_both_have_and_calculations_as_a_whole() -> None:
    given, wanted = GivenAnswer(("higher prices of malt",)), GivenAnswer(("higher prices",))
    assert score(given, wanted, numeric=False) == Score(0.0, 0.67)
    assert score(given, wanted, numeric=True) == WRONG


def test_the_order_of_several_texts_does_not_matter() -> None:
    assert score(GivenAnswer(("2019", "2018")), GivenAnswer(("2018", "2019")), numeric=False) == RIGHT


def test_no_answer_scores_nothing() -> None:
    assert score(None, GivenAnswer(("5",)), numeric=False) == WRONG
    assert score(GivenAnswer(()), GivenAnswer(("5",)), numeric=False) == WRONG


def test_a_number_may_have_a_scale_behind_it_and_nothing_else() -> None:
    assert [is_number(text) for text in ("$5", "5 million", "5 apples", "", "nan")] == [True, True, False, False, False]
