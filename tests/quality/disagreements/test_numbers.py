"""Numbers and units of one thing are compared; numbers of different things are not."""

from collections.abc import Callable

import pytest

Compare = Callable[[str, str], list[str]]


def test_another_number_for_the_same_thing_is_told_in_a_sentence(reasons: Compare) -> None:
    assert reasons("Revenue grew 12% in 2023.", "In all, revenue grew 15% in 2023 under the new plan.") == [
        "The claim says 12%, the passage says 15%."
    ]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Revenue was $1.23M.", "Revenue was 1,234.5 thousand dollars."),
        ("The fund holds over 300 bonds of cities.", "Today the fund holds over 312 bonds of cities."),
        ("The plant employs about 1,200 people.", "The plant employs 1,184 people."),
        ("The company employs 1,200 people.", "The company has offices in 12 countries."),
        ("The company employs 1,200 people.", "The company employs people in many trades."),
        ("Revenue was $5 million in 2022.", "Revenue was $4 million in 2021."),
        ("The plant made 20 cars and 30 vans.", "The plant made 30 vans and 20 cars."),
        ("Earnings were $127 million, and earnings from operations were $130 million.",
         "Earnings from operations were $130 million."),
        ("Humans have 23 pairs of chromosomes.", "Humans have 46 chromosomes, or 23 pairs."),
        ("The loss was 5 million euros.", "The loss was -5 million euros."),
    ],
)  # fmt: skip
def test_numbers_that_can_both_be_right_do_not_disagree(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == []


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Revenue was $1.25M.", "Revenue was 1,234.5 thousand dollars."),
        ("The company employs 1,200 people.", "By the end of the year the company employs 1,500 people."),
        ("It is the second largest city of the country.", "It is the third largest city of the country."),
        ("The maximum length is 500.", "For such a name the maximum length is 256."),
        ("Plants have seven stages of growth.", "Most plants have five stages of growth."),
    ],
)
def test_numbers_of_one_thing_that_differ_disagree(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == ["number"]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The margin rose by 3 percentage points.", "The margin rose by 3%."),
        ("The company paid €5 million to the city.", "The company paid $5 million to the city."),
        ("The company paid $5 million to the city.", "The company paid $5 billion to the city."),
        ("The warranty lasts 5 months.", "The warranty lasts 5 years."),
    ],
)
def test_the_same_number_in_another_unit_disagrees_in_the_unit(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == ["unit"]


def test_a_copy_with_another_digit_disagrees_even_where_the_number_is_about_right(kinds: Compare) -> None:
    assert kinds("About 1,230 people came.", "About 1,240 people came.") == ["number"]
    assert kinds("Roughly 1,230 people came.", "About 1,240 people came.") == []
