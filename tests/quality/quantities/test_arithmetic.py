"""Calculations are exact, carry their derivation, and are refused where the figures do not fit."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Span
from docmind.quality.quantities import (
    Agreement,
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
    read_quantities,
    read_table,
    share,
    stretch,
    total,
)

TABLE = """\
Revenue | 2024: 655,230 | 2023: 601,020
Operating profit | 2024: 85,330 | 2023: 68,230
Operating margin | 2024: 13.0% | 2023: 11.4%
Employees at year end | 2024: 2,946 | 2023: 2,871"""
FIGURES = read_table(TABLE, "Key figures (in thousands of euros, except as stated)", source="report")


def figure(label: str, year: str) -> Figure:
    return next(one for one in FIGURES if one.label == label and one.column == year)


REVENUE, BEFORE = figure("Revenue", "2024"), figure("Revenue", "2023")
PROFIT, STAFF = figure("Operating profit", "2024"), figure("Employees at year end", "2024")


def computed(outcome: Computed | Refusal) -> Computed:
    assert isinstance(outcome, Computed), outcome
    return outcome


def money(value: Decimal | int, currency: str = "EUR", period: Period | None = None, label: str = "x") -> Figure:
    return Figure(label, Quantity(Decimal(value), Decimal("0.01"), "money", currency), period=period)


def test_growth_shows_the_numbers_put_in() -> None:
    result = computed(growth(REVENUE, BEFORE))
    assert result.formula == "(655,230 − 601,020) / 601,020 = 9.0%"
    assert result.latex == r"\frac{655{,}230 - 601{,}020}{601{,}020} \times 100 = 9.0\,\%"
    assert result.exact == Fraction(54_210 * 100, 601_020)
    assert result.rounding == "rounded half up to 0.1"
    assert result.period == Period(2024)


def test_a_result_carries_its_operands_down_to_their_characters() -> None:
    result = computed(growth(REVENUE, BEFORE))
    assert [source.span.of(TABLE) for source in result.sources] == ["655,230", "601,020"]
    assert {source.source for source in result.sources} == {"report"}


def test_a_difference_is_in_the_scale_of_the_table_and_of_percentages_in_points() -> None:
    assert computed(difference(REVENUE, BEFORE)).formula == "655,230 − 601,020 = EUR 54,210 thousand"
    points = computed(difference(figure("Operating margin", "2024"), figure("Operating margin", "2023")))
    assert points.formula == "13.0 − 11.4 = 1.6 percentage points"
    assert points.quantity.unit == "point"


def test_a_margin_is_a_share_and_so_much_a_head_is_a_ratio() -> None:
    assert computed(share(PROFIT, REVENUE)).formula == "85,330 / 655,230 = 13.0%"
    per_head = computed(ratio(REVENUE, STAFF))
    assert per_head.formula == "655,230,000 / 2,946 = EUR 222,413.44 per person"
    assert (per_head.quantity.currency, per_head.quantity.per) == ("EUR", "person")


def test_a_result_can_be_computed_with_again_without_losing_a_digit() -> None:
    third = computed(average([REVENUE, BEFORE, money(0, label="Revenue")]))
    again = computed(total([third, third, third]))
    assert again.exact == Fraction(655_230_000 + 601_020_000)
    assert len(again.sources) == 9


def test_an_average_shows_no_more_digits_than_it_has() -> None:
    assert computed(average([REVENUE, BEFORE])).formula == "(655,230 + 601,020) / 2 = EUR 628,125 thousand"
    uneven = computed(average([money(1), money(1), money(0)]))
    assert (uneven.quantity.value, uneven.rounding) == (Decimal("0.6667"), "rounded half up to 0.0001")


def test_compound_growth_is_exact_where_its_root_is_rational() -> None:
    result = computed(cagr(money(Decimal("133.1"), period=Period(2023)), money(100, period=Period(2020))))
    assert (result.exact, result.rounding) == (Fraction(10), "not rounded")
    assert result.formula == "(133.10 / 100.00)^(1/3) − 1 = 10.0%"
    inexact = computed(cagr(money(2), money(1), years=2))
    assert str(inexact.exact.numerator / inexact.exact.denominator).startswith("41.42135623")
    assert inexact.rounding.endswith("the root to 40 digits")


def test_an_answer_is_confirmed_as_precisely_as_it_is_written() -> None:
    result = computed(growth(REVENUE, BEFORE))
    claims = read_quantities("9% and 9.0% and 9.02% and 9.03% and 9.1% and 9 percentage points")
    verdicts = [result.confirms(claim) for claim in claims]
    assert verdicts == [Agreement.AGREE] * 3 + [Agreement.DISAGREE] * 2 + [Agreement.INCOMPARABLE]


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (growth(REVENUE, None), "not found"),
        (growth(REVENUE, money(0)), "zero"),
        (growth(money(5), money(-5)), "negative"),
        (growth(REVENUE, money(5, "USD")), "different currencies, EUR and USD"),
        (growth(REVENUE, STAFF), "an amount in EUR and a number of persons"),
        (growth(figure("Operating margin", "2024"), figure("Operating margin", "2023")), "percentage points"),
        (share(figure("Operating margin", "2024"), figure("Operating margin", "2023")), "percentage points"),
        (growth(REVENUE, REVENUE), "same period"),
        (share(PROFIT, BEFORE), "different periods"),
        (ratio(PROFIT, money(0)), "x is zero"),
        (growth(money(5, period=Period(2022, quarter=1)), money(5, period=Period(2021))), "different length"),
        (growth(money(5, period=Period(2022, fiscal=True)), money(5, period=Period(2021))), "fiscal"),
        (total([]), "not found"),
        (total([REVENUE, STAFF]), "do not measure the same"),
        (cagr(money(5), money(4)), "number of years"),
        (cagr(money(-5), money(4), years=2), "above zero"),
        (difference(Figure("x", read_quantities("5–7%")[0]), PROFIT), "range or a limit"),
        (difference(Figure("x", read_quantities("at least 5")[0]), PROFIT), "range or a limit"),
        (difference(Figure("x", read_quantities("the third")[0]), PROFIT), "place in an order"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_reason(outcome: Computed | Refusal, reason: str) -> None:
    assert isinstance(outcome, Refusal)
    assert reason in outcome.reason


AMOUNTS = st.decimals(-(10**9), 10**9, places=2, allow_nan=False)
POSITIVE = st.decimals(Decimal("0.01"), 10**9, places=2, allow_nan=False)


def nearest(value: Fraction, places: int) -> Decimal:
    """Half away from zero, worked out on whole numbers."""
    shifted = abs(value) * 10**places
    whole = shifted.numerator // shifted.denominator
    whole += (shifted - whole) * 2 >= 1
    return Decimal(-whole if value < 0 else whole).scaleb(-places)


@given(new=AMOUNTS, old=POSITIVE, places=st.integers(0, 6))
def test_growth_is_the_fraction_that_it_should_be(new: Decimal, old: Decimal, places: int) -> None:
    result = computed(growth(money(new), money(old), places=places))
    expected = (Fraction(new) - Fraction(old)) / Fraction(old) * 100
    assert result.exact == expected
    assert result.quantity.value == nearest(expected, places)
    assert result.confirms(result.quantity) is Agreement.AGREE


@given(values=st.lists(AMOUNTS, min_size=1, max_size=8))
def test_sums_and_means_are_the_fractions_that_they_should_be(values: list[Decimal]) -> None:
    parts: list[Operand | None] = [money(value) for value in values]
    assert computed(total(parts)).exact == sum(map(Fraction, values))
    assert computed(average(parts)).exact == sum(map(Fraction, values)) / len(values)
    assert Fraction(computed(total(parts)).quantity.value) == sum(map(Fraction, values))


@given(a=AMOUNTS, b=POSITIVE)
def test_differences_ratios_and_shares_are_the_fractions_that_they_should_be(a: Decimal, b: Decimal) -> None:
    assert computed(difference(money(a), money(b))).exact == Fraction(a) - Fraction(b)
    assert computed(ratio(money(a), money(b))).exact == Fraction(a) / Fraction(b)
    assert computed(share(money(a), money(b))).exact == Fraction(a) / Fraction(b) * 100


@given(root=st.fractions(Fraction(1, 50), 50, max_denominator=50), years=st.integers(1, 6))
def test_a_rational_compound_growth_is_found_exactly(root: Fraction, years: int) -> None:
    first, last = money(root.denominator**years), money(root.numerator**years)
    assert computed(cagr(last, first, years=years)).exact == (root - 1) * 100


@given(first=POSITIVE, last=POSITIVE, years=st.integers(2, 6))
def test_an_irrational_compound_growth_is_right_to_its_digits(first: Decimal, last: Decimal, years: int) -> None:
    result = computed(cagr(money(last), money(first), years=years))
    factor = result.exact / 100 + 1
    error = factor**years / (Fraction(last) / Fraction(first)) - 1
    assert abs(error) < Fraction(years, 10**38)


def test_a_span_of_nothing_is_not_taken_for_a_source() -> None:
    assert computed(growth(REVENUE, BEFORE)).quantity.span == Span(0, 0)


def test_a_formula_that_shows_rounded_results_says_about() -> None:
    third = computed(ratio(money(1), money(3)))
    summed = computed(total([third, third, third]))
    assert summed.formula.startswith("0.33 + 0.33 + 0.33 ≈ 1")
    assert r"\approx" in summed.latex


def test_a_stretch_is_made_of_others_that_are_not_all_as_long_as_each_other() -> None:
    table = "Revenue | 2023: 400 | Six months ended June 30, 2024: 210 | Six months ended June 30, 2023: 190"
    year, after, before = read_table(table, "Key figures (in thousands of euros)", source="report")
    made = stretch([year, after, before])
    assert isinstance(made, Computed)
    assert made.formula == "400 + 210 − 190 = EUR 420 thousand"
    refused = stretch([after, before])
    assert isinstance(refused, Refusal)
    assert refused.reason == "Stretches of one length make up no other."
