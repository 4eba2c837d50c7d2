"""A number is held against the cell of a table row whose column or period it names."""

from collections.abc import Callable

import pytest

Compare = Callable[[str, str], list[str]]
ROW = "Net sales | 2023: 117,154 | 2022: 123,945"


def test_a_number_of_another_column_disagrees(reasons: Compare) -> None:
    assert reasons("Net sales were 123,945 in 2023.", ROW) == ["The claim says 123,945, the passage says 117,154."]


@pytest.mark.parametrize(
    "claim",
    [
        "Net sales were 117,154 in 2023.",
        "Net sales were $117.2 billion in 2023.",
        "Net sales were 117,154 in 2023 and 123,945 in 2022.",
        "Net sales fell from 123,945 to 117,154 in 2023.",
        "Net sales fell by 6,791 in 2023.",
        "Net sales fell 5.5% in 2023.",
        "Net sales were 109,000 in 2021.",
        "Research costs were 12,000 in 2023.",
        "Net sales were 117,154 and then something else.",
    ],
)
def test_what_the_row_says_or_leaves_open_does_not_disagree(kinds: Compare, claim: str) -> None:
    assert kinds(claim, ROW) == []


def test_a_column_without_a_period_is_found_by_its_name(kinds: Compare) -> None:
    row = "Southern region | Stores: 12 | Warehouses: 3"
    assert kinds("The southern region has 14 stores.", row) == ["number"]
    assert kinds("The southern region has 12 stores.", row) == []
