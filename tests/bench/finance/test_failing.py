"""How questions fail."""

import pytest

from docmind.bench.finance.failing import Failing, refused_because, rows_of


@pytest.mark.parametrize(
    ("refusal", "way"),
    [
        ("The figures of Revenue do not cover both periods.", Failing.NO_PERIOD),
        ("The figures are of different periods.", Failing.UNFIT),
        ("The passages do not hold the figure that is asked for.", Failing.NO_FIGURE),
    ],
)
def test_a_refusal_is_sorted_by_its_reason(refusal: str, way: Failing) -> None:
    assert refused_because(refusal) is way


def test_shares_are_of_all_questions_and_ways_that_do_not_happen_have_no_row() -> None:
    (row,) = rows_of("tatqa", "docmind", [Failing.CERTAIN, Failing.CERTAIN], 8)
    assert (row.metric, row.value, row.n) == ("failed@certain", 0.25, 8)
