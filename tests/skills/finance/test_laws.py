"""Calculations from tables of any numbers agree with arithmetic done elsewhere."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.domain.documents import Passage, Span
from docmind.quality.quantities import Computed
from docmind.skills.finance import Evidence, analyse, validate

amounts = st.integers(min_value=1, max_value=10**9)


def passage(text: str) -> Passage:
    return Passage("p", "d", 0, Span(0, len(text)), text, kind="table")


@settings(max_examples=60)
@given(amounts, amounts)
def test_growth_and_change_are_exact_and_pass_their_own_checks(new: int, old: int) -> None:
    passages = [passage(f"Revenue | 2023: {new:,} | 2022: {old:,}")]
    for question, expected in (
        ("What was the percentage change in revenue from 2022 to 2023?", Fraction(100 * (new - old), old)),
        ("What was the change in revenue from 2022 to 2023?", Fraction(new - old)),
        ("What was the average revenue for 2022 and 2023?", Fraction(new + old, 2)),
    ):
        analysis = analyse(question, passages)
        (result,) = analysis.results
        assert isinstance(result, Computed)
        assert result.exact == expected
        assert validate(analysis, Evidence(passages)) == []


@settings(max_examples=60)
@given(st.text(alphabet=st.sampled_from("ab 0123456789.,|:()$€%—-\n")), st.text(max_size=80))
def test_any_table_and_any_question_give_an_answer_or_a_reason(text: str, question: str) -> None:
    analysis = analyse(question, [passage(text)])
    assert analysis.refusal or analysis.results or analysis.quotes or analysis.count is not None
