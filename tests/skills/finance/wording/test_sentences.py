"""Results in words: each says what was calculated, and nothing else."""

from collections.abc import Callable, Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.quantities import (
    Computed,
    Figure,
    Operand,
    Period,
    Quantity,
    Refusal,
    average,
    cagr,
    difference,
    growth,
    ratio,
    share,
    total,
)
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.wording.sentences import Sources, calculation_of, sentence, when

NOWHERE = Sources((), {}, {})
AMOUNTS = st.integers(1, 10**9).map(Decimal)


def figure(value: Decimal, year: int, label: str = "Revenue") -> Figure:
    quantity = Quantity(value * 1000, Decimal(1000), "money", "EUR", scaled=True)
    return Figure(label, quantity, period=Period(year), scale=Decimal(1000))


CALCULATIONS: dict[Operation, Callable[[Sequence[Operand]], Computed | Refusal]] = {
    Operation.GROWTH: lambda two: growth(*two),
    Operation.DIFFERENCE: lambda two: difference(*two),
    Operation.SUM: total,
    Operation.AVERAGE: average,
}


@given(st.sampled_from(sorted(CALCULATIONS)), AMOUNTS, AMOUNTS)
def test_what_was_calculated_is_told_by_what_it_comes_to(operation: Operation, new: Decimal, old: Decimal) -> None:
    result = CALCULATIONS[operation]([figure(new, 2023), figure(old, 2022)])
    assert isinstance(result, Computed)
    found = calculation_of(result)
    # Some numbers come to the same by two ways, and are then rightly called either.
    assert found is operation or calculation_of(result) in CALCULATIONS
    if found is not operation:
        other = CALCULATIONS[found]([figure(new, 2023), figure(old, 2022)])
        assert isinstance(other, Computed)
        assert other.exact == result.exact


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (figure(Decimal(601_020), 2023), "Revenue was EUR 601,020 thousand in 2023."),
        (figure(Decimal(7), 2023, "Total assets"), "Total assets were EUR 7 thousand in 2023."),
        (growth(figure(Decimal(12), 2023), figure(Decimal(10), 2022)), "Revenue grew by 20.0% from 2022 to 2023."),
        (growth(figure(Decimal(8), 2023), figure(Decimal(10), 2022)), "Revenue changed by -20.0% from 2022 to 2023."),
        (
            cagr(figure(Decimal(121), 2024), figure(Decimal(100), 2022)),
            "Revenue grew by 10.0% a year from 2022 to 2024.",
        ),
        (
            difference(figure(Decimal(12), 2023), figure(Decimal(10), 2022)),
            "Revenue rose by EUR 2 thousand from 2022 to 2023.",
        ),
        (
            difference(figure(Decimal(12), 2023), figure(Decimal(10), 2023, "Cost of sales")),
            "Revenue exceeded Cost of sales by EUR 2 thousand in 2023.",
        ),
        (
            share(figure(Decimal(3), 2023, "Gross profit"), figure(Decimal(12), 2023)),
            "Gross profit was 25.0% of Revenue in 2023.",
        ),
        (
            ratio(figure(Decimal(3), 2023, "Net debt"), figure(Decimal(12), 2023)),
            "Net debt was 0.25 times Revenue in 2023.",
        ),
        (
            total([figure(Decimal(3), 2022), figure(Decimal(4), 2023)]),
            "Revenue from 2022 to 2023 was EUR 7 thousand in total.",
        ),
        (
            average([figure(Decimal(3), 2022), figure(Decimal(5), 2023)]),
            "Revenue from 2022 to 2023 was EUR 4 thousand on average.",
        ),
    ],
)
def test_a_result_reads_as_a_person_would_say_it(result: Operand | Refusal, told: str) -> None:
    assert not isinstance(result, Refusal)
    assert sentence(result, NOWHERE) == told


def test_a_period_is_named_as_far_as_it_is_known() -> None:
    assert when(Period(2024, quarter=2)) == "Q2 2024"
    assert when(Period(2024, half=1)) == "H1 2024"
    assert when(Period(2024, month=6, months=9)) == "9 months to June 2024"
    assert when(Period(2024, month=12, day=31)) == "2024"
    assert when(None) == ""
