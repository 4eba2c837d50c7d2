"""What a financial question asks for, told from its words."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.skills.finance import Operation, names_of, read_question


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("What was the revenue in 2023?", Operation.LOOKUP),
        ("By what percentage did revenue grow from 2022 to 2023?", Operation.GROWTH),
        ("What was the percentage change in wages?", Operation.GROWTH),
        ("What is the change in wages from 2022 to 2023?", Operation.DIFFERENCE),
        ("How did net debt change from 2022 to 2024?", Operation.DEVELOPMENT),
        ("What are the total wages in 2022 and 2023?", Operation.SUM),
        ("What is the average revenue for 2022 and 2023?", Operation.AVERAGE),
        ("What was the weighted average exercise price in 2023?", Operation.LOOKUP),
        ("What were wages as a percentage of revenue in 2023?", Operation.SHARE),
        ("What is the ratio of debt to equity?", Operation.RATIO),
        ("What was the compound annual growth of revenue from 2020 to 2023?", Operation.CAGR),
        ("In which year was revenue the largest?", Operation.RANK),
        ("Which segment had the lowest margin in 2023?", Operation.RANK),
        ("How many years did revenue exceed $5 million?", Operation.COUNT),
        ("Which years did revenue exceed $5 million?", Operation.SELECT),
        ("Which years does the table cover?", Operation.PERIODS),
        ("What are the components of current assets?", Operation.PARTS),
        ("Why did revenue rise?", Operation.EXPLAIN),
        ("What does net debt consist of?", Operation.EXPLAIN),
        ("What were the earnings per share in 2023?", Operation.LOOKUP),
    ],
)
def test_the_operation_is_read_from_the_words(question: str, operation: Operation) -> None:
    assert read_question(question).operation is operation


def test_periods_are_read_however_people_shorten_them() -> None:
    for text in ("from 2017-2019", "for 2017,2018 and 2019", "in FY17 and F19", "in 2016/2017 and 2018/2019"):
        years = [period.year for period in read_question(f"What was revenue {text}?").periods]
        assert (years[0], years[-1]) == (2017, 2019), text


def test_metrics_are_named_by_their_usual_name_and_can_be_searched_by_all() -> None:
    question = read_question("What was Ellandor's turnover and its net profit in 2023?")
    assert question.metrics == ("revenue", "net income")
    assert "net sales" in names_of("revenue")
    assert "Ellandor" in question.companies


def test_the_two_sides_of_a_calculation_are_told_apart_from_two_periods() -> None:
    assert read_question("What is the ratio of net debt to total equity in 2023?").sides == ("net debt", "total equity")
    assert read_question("What were audit fees as a share of total fees in 2023?").sides == ("audit fees", "total fees")
    assert read_question("What is the difference in revenue between 2022 and 2023?").sides is None


def test_a_limit_is_read_with_its_scale_and_its_direction() -> None:
    limit = read_question("How many years were wages less than $200,000 thousand?").limit
    assert limit is not None
    assert limit.below
    assert limit.quantity.value == Decimal(200_000_000)


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    assert read_question(text).text == text
