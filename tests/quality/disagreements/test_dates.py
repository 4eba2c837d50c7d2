"""Dates of one event are compared, in the part that they play in it."""

from collections.abc import Callable

import pytest

Compare = Callable[[str, str], list[str]]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The deal was signed on March 3, 2021.", "In the end the deal was signed on 4 March 2021."),
        ("The chapel was built in 1734.", "The old chapel was built in 1743 by monks."),
        ("She led the bank from 1994 to 1997.", "She led the bank from 1995 to 1997."),
        ("Sales grew in the third quarter of 2022.", "Sales grew in the second quarter of 2022."),
    ],
)
def test_another_date_of_the_same_event_disagrees(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == ["date"]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The deal was signed in March 2021.", "The deal was signed on March 3, 2021."),
        ("The film of 1952 is kept in the registry.", "In 2013, the film was put in the registry."),
        ("The song was written in the 1950s.", "The song was written in 1951."),
        ("Sales grew in fiscal 2023.", "Sales grew in 2022."),
        ("He played in France in 1946 and in Spain in 1949.", "In 1946 he played in France and in 1949 in Spain."),
        ("The report is due by June 30.", "The report covers the months before May 31."),
    ],
)
def test_dates_that_can_both_be_right_do_not_disagree(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == []
