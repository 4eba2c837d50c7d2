"""Figures that follow from stated ones by one step cannot be called invented; others can."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.grounding.figures import follows

STATED = [Decimal(120), Decimal(150), Decimal("37.5")]


def stated(*figures: str) -> list[Decimal]:
    return [Decimal(figure) for figure in figures]


@pytest.mark.parametrize(
    ("claimed", "step"),
    [
        ("270", "sum"),
        ("30", "difference"),
        ("-30", "difference, as a loss"),
        ("18000", "product"),
        ("1.25", "ratio"),
        ("80", "share in percent"),
        ("25", "change in percent"),
        ("56.25", "percentage of the other"),
        ("31.3", "share in percent, rounded"),
    ],
)
def test_what_one_step_makes_of_two_stated_figures_follows(claimed: str, step: str) -> None:
    assert follows(Decimal(claimed), STATED), step


@pytest.mark.parametrize("claimed", ["77", "271.9", "1000", "0.5", "133", "29.7"])
def test_what_no_step_makes_does_not_follow(claimed: str) -> None:
    assert not follows(Decimal(claimed), STATED)


@pytest.mark.parametrize(
    ("claimed", "expected"), [("24", True), ("-3", True), ("0", True), ("25", False), ("3.5", False)]
)
def test_a_small_whole_number_may_be_a_count(claimed: str, expected: bool) -> None:
    assert follows(Decimal(claimed), []) is expected


@pytest.mark.parametrize(("claimed", "expected"), [("301", True), ("298.3", True), ("303", False), ("297", False)])
def test_a_result_may_be_rounded_by_little(claimed: str, expected: bool) -> None:
    assert follows(Decimal(claimed), stated("100", "200")) is expected


def test_one_figure_makes_no_other_however_often_it_is_stated() -> None:
    assert not follows(Decimal(240), stated("120", "120", "-120"))


def test_a_stated_zero_is_left_out() -> None:
    assert not follows(Decimal(77), stated("0", "0.0"))
    assert not follows(Decimal(77), stated("0", "50"))


def test_of_very_many_figures_nearly_everything_follows() -> None:
    many = [Decimal(1000 + 7 * place) for place in range(49)]
    assert follows(Decimal("987654.321"), many)
    assert not follows(Decimal("987654.321"), [Decimal(1)] * 49)


FIGURES = st.decimals(-10_000_000, 10_000_000, allow_nan=False, allow_infinity=False, places=2)


@given(FIGURES, st.lists(FIGURES, max_size=8))
def test_neither_sign_nor_order_changes_the_verdict(claimed: Decimal, figures: list[Decimal]) -> None:
    found = follows(claimed, figures)
    assert follows(-claimed, figures[::-1]) is found
    assert follows(claimed, [-figure for figure in figures]) is found


@given(FIGURES, FIGURES)
def test_every_sum_and_difference_follows(one: Decimal, other: Decimal) -> None:
    if one and other and abs(one) != abs(other):
        assert follows(abs(one) + abs(other), [one, other])
        assert follows(abs(one) - abs(other), [one, other])
