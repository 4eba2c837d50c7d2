"""Usage adds up, and a budget names the limit that would be passed."""

from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.budget import Budget, Price, Usage

USAGES = st.builds(
    Usage,
    model_calls=st.integers(0, 50),
    input_tokens=st.integers(0, 10_000),
    output_tokens=st.integers(0, 10_000),
    seconds=st.integers(0, 600).map(float),
    cost=st.none() | st.integers(0, 100).map(float),
)


@given(USAGES, USAGES, USAGES)
def test_usages_add_up_in_any_order(first: Usage, second: Usage, third: Usage) -> None:
    assert (first + second) + third == first + (second + third) == (third + first) + second
    assert first + Usage() == first


def test_a_sum_with_an_unknown_price_is_unknown() -> None:
    assert (Usage(cost=0.5) + Usage(cost=0.25)).cost == 0.75
    assert (Usage(cost=0.5) + Usage(model_calls=1, cost=None)).cost is None


def test_a_price_is_a_million_tokens() -> None:
    assert Price(2.0, 8.0).of(Usage(input_tokens=500_000, output_tokens=250_000)) == 3.0


@given(USAGES)
def test_without_limits_nothing_is_too_much(usage: Usage) -> None:
    assert Budget().excess(usage) is None


def test_each_limit_is_named_when_it_would_be_passed() -> None:
    budget = Budget(calls=3, tokens=100, seconds=10, cost=0.5)
    assert budget.excess(Usage(3, 60, 40, 9.9, 0.5)) is None
    assert budget.excess(Usage(model_calls=4)) == "3 model calls"
    assert budget.excess(Usage(input_tokens=60, output_tokens=41)) == "100 tokens"
    assert budget.excess(Usage(seconds=10)) == "10 seconds of model time"
    assert budget.excess(Usage(cost=0.6)) == "a cost of 0.5"


def test_a_limit_on_cost_is_not_kept_by_hoping_that_unknown_is_little() -> None:
    assert "price is not known" in (Budget(cost=1.0).excess(Usage(model_calls=1, cost=None)) or "")


@given(USAGES, USAGES, st.integers(0, 50), st.integers(0, 20_000))
def test_more_is_never_allowed_where_less_was_not(usage: Usage, more: Usage, calls: int, tokens: int) -> None:
    budget = Budget(calls=calls, tokens=tokens)
    if budget.excess(usage):
        assert budget.excess(usage + more)
