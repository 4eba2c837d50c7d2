"""Amounts in text become quantities with value, precision, unit and exact characters."""

from decimal import Decimal

import pytest

from docmind.quality.quantities import Agreement, Bound, Context, Quantity, agrees, read, read_quantities


def one(text: str, context: Context | None = None) -> Quantity:
    [quantity] = read_quantities(text, context) if context else read_quantities(text)
    return quantity


@pytest.mark.parametrize(
    ("text", "value", "step"),
    [
        ("1234.5", "1234.5", "0.1"),
        ("1,234.5", "1234.5", "0.1"),
        ("1,234,567", "1234567", "1"),
        ("1 234,5", "1234.5", "0.1"),
        ("1\u202f234\u202f567", "1234567", "1"),
        ("1\u00a0234,56", "1234.56", "0.01"),
        ("1'234", "1234", "1"),
        ("1’234.50", "1234.50", "0.01"),
        ("1.234.567", "1234567", "1"),
        ("1.234,5", "1234.5", "0.1"),
        ("1.234", "1.234", "0.001"),
        (".5", "0.5", "0.1"),
        ("1,234.5 thousand", "1234500", "100"),
        ("50k", "50000", "1000"),
        ("1.23M", "1230000", "10000"),
        ("1.2bn", "1200000000", "100000000"),
        ("3 trillion", "3000000000000", "1000000000000"),
        ("−5", "-5", "1"),
        ("-5.25", "-5.25", "0.01"),
        ("minus 5", "-5", "1"),
        ("twelve", "12", "1"),
        ("twenty-five", "25", "1"),
        ("one hundred and twenty", "120", "1"),
        ("two hundred thousand", "200000", "1000"),
        ("five million", "5000000", "1000000"),
        ("a dozen", "12", "1"),
        ("half a million", "500000", "100000"),
        ("a million", "1000000", "1000000"),
    ],
)
def test_a_number_is_read_with_its_value_and_the_worth_of_its_last_digit(text: str, value: str, step: str) -> None:
    quantity = one(text)
    assert (quantity.value, quantity.step, quantity.text) == (Decimal(value), Decimal(step), text)


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("$5", "5", "USD"),
        ("€42.10", "42.10", "EUR"),
        ("£3.5m", "3500000", "GBP"),
        ("¥1,000", "1000", "JPY"),
        ("US$5bn", "5000000000", "USD"),
        ("A$7", "7", "AUD"),
        ("USD 5", "5", "USD"),
        ("EUR 42.0 million", "42000000", "EUR"),
        ("5 dollars", "5", "USD"),
        ("42.0 million euros", "42000000", "EUR"),
        ("5 €", "5", "EUR"),
        ("1.5 million CHF", "1500000", "CHF"),
        ("$(0.29)", "-0.29", "USD"),
        ("$(11.5)B", "-11500000000", "USD"),
        ("-$5", "-5", "USD"),
        ("$-5", "-5", "USD"),
        ("€1 234 567", "1234567", "EUR"),
        ("€ 3,7", "3.7", "EUR"),
    ],
)
def test_money_is_read_however_the_currency_is_written(text: str, value: str, currency: str) -> None:
    quantity = one(text)
    assert (quantity.value, quantity.unit, quantity.currency) == (Decimal(value), "money", currency)
    assert quantity.text == text


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("5%", "5", "percent"),
        ("3.7 percent", "3.7", "percent"),
        ("3,7 percent", "3.7", "percent"),
        ("5 per cent", "5", "percent"),
        ("5 percentage points", "5", "point"),
        ("1.5 pp", "1.5", "point"),
        ("5% points", "5", "point"),
        ("50 bps", "0.5", "point"),
        ("50 basis points", "0.5", "point"),
        ("3.0 times", "3.0", "times"),
        ("2.5x", "2.5", "times"),
        ("two thirds of", "66.666666667", "percent"),
        ("a quarter of", "25", "percent"),
        ("5 kg", "5000", "gram"),
        ("12 t", "12000000", "gram"),
        ("5 km", "5000", "metre"),
        ("5m", "5", "metre"),
        ("20 °C", "20", "celsius"),
        ("2000 MW", "2000000000", "watt"),
        ("25 kWh", "25000", "watt hour"),
        ("36 hours", "129600", "second"),
        ("10-year", "120", "month"),
        ("18 months", "18", "month"),
    ],
)
def test_units_have_their_own_dimension_and_a_base(text: str, value: str, unit: str) -> None:
    quantity = one(text)
    assert (quantity.value, quantity.unit) == (Decimal(value), unit)


@pytest.mark.parametrize(
    ("text", "value", "counted"),
    [
        ("2,946 employees", "2946", "person"),
        ("2,946 full-time employees", "2946", "person"),
        ("2012 employees", "2012", "person"),
        ("1.2m customers", "1200000", "customer"),
        ("30 new stores", "30", "store"),
        ("16.2 billion shares", "16200000000", "share"),
    ],
)
def test_what_is_counted_is_kept(text: str, value: str, counted: str) -> None:
    quantity = one(text)
    assert (quantity.value, quantity.counted, quantity.unit) == (Decimal(value), counted, "")


def test_a_rate_keeps_what_it_is_a_rate_of() -> None:
    assert [q.per for q in read_quantities("EUR 0.56 per share and 54 EUR/MWh")] == ["share", "MWh"]


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("5–7%", "5", "7", "percent"),
        ("5-7%", "5", "7", "percent"),
        ("3.80% - 4.95%", "3.80", "4.95", "percent"),
        ("between 5 and 7", "5", "7", ""),
        ("6 to 8 percent", "6", "8", "percent"),
        ("EUR 5 to 7 million", "5000000", "7000000", "money"),
        ("$5–7 million", "5000000", "7000000", "money"),
        ("10-15 employees", "10", "15", ""),
    ],
)
def test_a_range_is_one_quantity_with_two_ends(text: str, low: str, high: str, unit: str) -> None:
    quantity = one(text)
    assert (quantity.value, quantity.upper, quantity.unit) == (Decimal(low), Decimal(high), unit)


def test_from_one_number_to_another_is_a_change_and_not_a_range() -> None:
    found = read_quantities("It rose from 5 to 7 percent, and by 5 million to 105 million.")
    assert [q.upper for q in found] == [None] * 4


@pytest.mark.parametrize(
    ("text", "approximate", "bound"),
    [
        ("about 5", True, Bound.EXACT),
        ("approx. 5", True, Bound.EXACT),
        ("nearly 3.5%", True, Bound.EXACT),
        ("~40", True, Bound.EXACT),
        ("over 600 million", False, Bound.AT_LEAST),
        ("at least 12", False, Bound.AT_LEAST),
        ("more than 12", False, Bound.AT_LEAST),
        ("no less than 12", False, Bound.AT_LEAST),
        ("12 or more", False, Bound.AT_LEAST),
        ("up to 5", False, Bound.AT_MOST),
        ("no more than 7", False, Bound.AT_MOST),
        ("fewer than 7", False, Bound.AT_MOST),
        ("exactly 7", False, Bound.EXACT),
    ],
)
def test_words_before_a_number_make_it_a_limit_or_an_estimate(text: str, approximate: bool, bound: Bound) -> None:
    quantity = one(text)
    assert (quantity.approximate, quantity.bound) == (approximate, bound)


def test_brackets_are_negative_in_accounting_and_an_aside_in_prose() -> None:
    assert one("(364,310)", Context(accounting=True)).value == -364310
    assert one("(5)", Context(accounting=True)).value == -5
    assert one("(5%)", Context(accounting=True)).value == -5
    assert one("the largest segment (25%) grew").value == 25


def test_a_stated_scale_holds_for_bare_numbers_and_not_for_those_with_their_own() -> None:
    thousands = Context(scale=Decimal(1000), currency="EUR")
    text = "Personnel expense was 204,880 for 2,946 employees, 9.4 percent of revenue; EUR 18.4 million was paid."
    expense, staff, share, paid = read_quantities(text, thousands)
    assert [expense.value, expense.step] == [204_880_000, 1000]
    assert expense.currency == "EUR"
    assert [staff.value, share.value, paid.value] == [2946, Decimal("9.4"), 18_400_000]


def test_an_ordinal_is_a_place_and_no_amount() -> None:
    third, twenty_first = read_quantities("the third and the 21st")
    assert [third.value, twenty_first.value] == [3, 21]
    assert third.unit == twenty_first.unit == "ordinal"


def test_one_is_a_number_only_where_it_counts_something() -> None:
    assert read("one of them, no one") == []
    assert one("below one times EBITDA").unit == "times"


def test_a_list_of_numbers_stays_a_list() -> None:
    assert [q.value for q in read_quantities("1,2,3 and 4, 5")] == [1, 2, 3, 4, 5]


def test_no_digit_of_a_long_number_is_lost() -> None:
    assert str(one("EUR 123,456,789,012,345,678,901.25 billion").value).startswith("123456789012345678901250000000")


def test_cents_are_hundredths_of_whatever_money_they_are() -> None:
    (cents,), (dollars,) = read_quantities("40 cents a share"), read_quantities("$0.40 a share")
    assert agrees(cents, dollars) is Agreement.AGREE


def test_gallons_and_litres_are_compared_by_what_they_hold() -> None:
    (gallons,), (litres,), (fewer,) = map(read_quantities, ("40 gallons", "151 litres", "40 litres"))
    assert agrees(gallons, litres) is Agreement.AGREE
    assert agrees(gallons, fewer) is Agreement.DISAGREE


def test_what_adds_up_to_an_amount_is_that_amount() -> None:
    (sum_of,) = read_quantities("The parts add up to EUR 5 million.")
    (limit,) = read_quantities("The bank lends up to EUR 5 million.")
    assert (sum_of.bound, limit.bound) == (Bound.EXACT, Bound.AT_MOST)
