"""The little programs that ConvFinQA gives its answers as."""

from fractions import Fraction

import pytest

from docmind.bench.finance.programs import outcome
from docmind.domain.errors import BenchError


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("ans = 60.94", Fraction("60.94")),
        ("ans = 13.4%", Fraction("0.134")),
        ("x0 = 12 - 10; ans = x0 / 10", Fraction(1, 5)),
        ("x0 = 3 + -4; x1 = x0 * 2; ans = x1 * x0", Fraction(2)),
        ("ans = 36197 > 345059", Fraction(0)),
    ],
)
def test_a_program_comes_to_the_value_of_its_last_step(program: str, value: Fraction) -> None:
    assert outcome(program) == value


def test_a_step_that_nobody_understands_is_named() -> None:
    with pytest.raises(BenchError, match="The step 'ans = max 3' "):
        outcome("ans = max 3")
