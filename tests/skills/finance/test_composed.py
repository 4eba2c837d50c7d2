"""Questions made of questions: their notation, and the calculations they stand for."""

import pytest

from docmind.domain.documents import Passage
from docmind.quality.latex import validate_formula
from docmind.quality.quantities import Computed
from docmind.skills.finance import analyse
from docmind.skills.finance.composed import Composed, Operator, read_composed, write


def test_what_is_written_is_read_again_however_deep() -> None:
    inner = write(Operator.LESS, ("What was revenue in 2023?", "What was revenue in 2022?"))
    outer = write(Operator.OVER, (inner, "1,000"))
    assert read_composed(outer) == Composed(Operator.OVER, (inner, "1,000"))
    assert read_composed(inner) == Composed(Operator.LESS, ("What was revenue in 2023?", "What was revenue in 2022?"))


@pytest.mark.parametrize(
    "text", ["What was revenue in 2023?", "[a] less", "[a] less [b", "[a] less [b] plus [c]", "[a]", "[" * 40]
)
def test_what_is_no_calculation_on_questions_is_none(text: str) -> None:
    assert read_composed(text) is None


@pytest.mark.parametrize(
    ("question", "formula"),
    [
        ("[What was net sales in 2023?] less [what was net sales in 2022?]", "12,500 − 10,000 = EUR 2,500 thousand"),
        ("[What was net sales in 2023?] divided by 1000", "12,500 / 1,000 = EUR 12.5000 thousand"),
        (
            "How did the net margin change from 2022 to 2023?",
            "(1,250 / 12,500) − (900 / 10,000) = 1.00 percentage points",
        ),
        (
            "What share of the increase in net sales from 2022 to 2023 came from gross profit?",
            "1,200 / 2,500 = 48.00%",
        ),
        (
            "What was the average annual growth of net sales from 2021 to 2023?",
            "(((10,000 − 8,000) / 8,000) + ((12,500 − 10,000) / 10,000)) / 2 = 25.00%",
        ),
    ],
)
def test_a_calculation_within_a_calculation_is_exact(report: list[Passage], question: str, formula: str) -> None:
    (result,) = analyse(question, report).results
    assert isinstance(result, Computed)
    assert result.formula == formula
    assert validate_formula(result.latex) == []


def test_a_part_without_a_number_refuses_the_whole(report: list[Passage]) -> None:
    answer = analyse("[What was net sales in 2023?] less [what was the pension in 2023?]", report)
    assert not answer.results
    assert answer.refusal
