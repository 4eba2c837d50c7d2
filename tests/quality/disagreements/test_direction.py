"""Opposites about one thing disagree; opposites seen from the other side do not."""

from collections.abc import Callable

import pytest

Compare = Callable[[str, str], list[str]]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Revenue rose in 2023.", "Revenue fell in 2023."),
        ("Sales grew in Asia.", "Sales fell in Asia while costs grew."),
        ("The offer was accepted by the board.", "The offer was rejected by the board."),
        ("The price includes tax and freight.", "The price excludes tax and freight."),
        ("The fund bought shares of the bank.", "The fund sold shares of the bank."),
        ("The rate is above the limit of the law.", "The rate is below the limit of the law."),
        ("The gate opens at dawn on weekdays.", "The gate closes at dawn on weekdays."),
    ],
)
def test_opposites_about_the_same_thing_disagree(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == ["direction"]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Revenue did not fall in 2023.", "Revenue rose in 2023."),
        ("Iron is heavier than wood.", "Wood is lighter than iron."),
        ("A lens is thicker at the edge than in the middle.", "A lens is thinner in the middle than at the edge."),
        ("The plant closed before the strike began.", "The strike began after the plant closed."),
        ("The drug increases risk of bleeding.", "The drug decreased risk of pain and increased risk of bleeding."),
        ("Revenue increased in 2023.", "Revenue grew in 2023."),
    ],
)
def test_the_same_thing_said_with_opposites_does_not_disagree(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == []
