"""Two quantities are compared as what they mean, to the precision of the less precise."""

import pytest

from docmind.quality.quantities import Agreement, Quantity, agrees, read_quantities

AGREE, DISAGREE, INCOMPARABLE = Agreement.AGREE, Agreement.DISAGREE, Agreement.INCOMPARABLE


def one(text: str) -> Quantity:
    [quantity] = read_quantities(text)
    return quantity


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("1,234.5 thousand", "$1.23M", AGREE),
        ("EUR 655.2 million", "EUR 655,230 thousand", AGREE),
        ("EUR 655.3 million", "EUR 655,230 thousand", DISAGREE),
        ("EUR 0.7 billion", "EUR 655,230 thousand", AGREE),
        ("9.0%", "9.02%", AGREE),
        ("9.0%", "9.1%", DISAGREE),
        ("5%", "5.4%", AGREE),
        ("twelve", "12", AGREE),
        ("two thirds of", "67%", AGREE),
        ("5%", "5 percentage points", INCOMPARABLE),
        ("50 bps", "0.5 percentage points", AGREE),
        ("5%", "5", INCOMPARABLE),
        ("$5 million", "€5 million", INCOMPARABLE),
        ("$5 million", "5 million", AGREE),
        ("2,946 employees", "2,946", AGREE),
        ("2,946 employees", "2,946 customers", INCOMPARABLE),
        ("2,946 employees", "$2,946", INCOMPARABLE),
        ("24 months", "2 years", AGREE),
        ("1,500 kg", "1.5 t", AGREE),
        ("10 miles", "16.1 km", AGREE),
        ("20 °C", "20 kg", INCOMPARABLE),
        ("EUR 5 per share", "EUR 5 per unit", INCOMPARABLE),
        ("the third", "3", INCOMPARABLE),
        ("-5%", "5%", DISAGREE),
        ("about 600 million", "615 million", AGREE),
        ("about 600 million", "700 million", DISAGREE),
        ("at least 12", "13", AGREE),
        ("at least 12", "11", DISAGREE),
        ("up to 12", "11", AGREE),
        ("over 600 million", "601.0 million", AGREE),
        ("at least 12", "at least 13", DISAGREE),
        ("at least 5", "at most 7", INCOMPARABLE),
        ("at least 7", "at most 5", DISAGREE),
        ("6 to 8 percent", "7 percent", AGREE),
        ("6 to 8 percent", "9 percent", DISAGREE),
        ("6 to 8 percent", "6–8%", AGREE),
        ("6 to 8 percent", "7–9%", DISAGREE),
        ("6 to 8 percent", "at least 7%", AGREE),
    ],
)
def test_quantities_agree_as_their_meaning_and_precision_allow(left: str, right: str, expected: Agreement) -> None:
    assert agrees(one(left), one(right)) is expected
    assert agrees(one(right), one(left)) is expected


def test_sizes_are_compared_where_a_table_writes_costs_in_brackets() -> None:
    cost, said = one("$(364,310)"), one("$364,310")
    assert agrees(cost, said) is DISAGREE
    assert agrees(cost.size, said.size) is AGREE
