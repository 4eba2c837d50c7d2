"""The catalogue: every formula is of what it knows, and names lead to items and measures."""

import pytest

from docmind.skills.finance.catalogue import (
    Catalogue,
    Joined,
    NoFormula,
    Sign,
    Term,
    item_called,
    measure_called,
    measure_in,
    metrics_in,
    parse,
    parts_of,
    terms_of,
)
from docmind.skills.finance.phrases import terms
from docmind.skills.finance.question import take_format


def test_every_term_of_every_formula_is_in_the_catalogue() -> None:
    for measure in Catalogue.shipped().measures.values():
        for term in terms_of(measure.formula):
            assert item_called(term.name) or measure_called(term.name), f"{measure.name}: {term.name}"


def test_names_of_one_item_lead_to_it() -> None:
    assert metrics_in(terms("payments for acquisition of property, plant and equipment")).keys() == {
        "capital expenditure"
    }
    assert item_called("Total net sales") == item_called("revenue")
    found = measure_in("What was the return on average common stockholders' investment?")
    assert found is not None
    assert found.name == "return on average equity"


def test_a_measure_takes_the_items_of_the_measures_it_is_made_of() -> None:
    measure = measure_called("FCF margin")
    assert measure is not None
    assert parts_of(measure) == ["operating cash flow", "capital expenditure", "revenue"]


def test_a_formula_is_read_with_its_brackets_and_averages() -> None:
    formula = parse("(cash + long-term debt?) / average(total assets)")
    cash, debt = Term("cash"), Term("long-term debt", optional=True)
    assert formula == Joined(Sign.OVER, Joined(Sign.PLUS, cash, debt), Term("total assets", averaged=True))


@pytest.mark.parametrize("text", ["", "a + ", "(a + b", "a b) / c"])
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(NoFormula):
        parse(text)


@pytest.mark.parametrize(
    ("asked", "plain", "scale", "places"),
    [
        ("What was capex? Answer in USD millions.", "What was capex?", 6, None),
        ("Give the quick ratio, to two decimals.", "Give the quick ratio.", None, 2),
        ("What was revenue in 2023?", "What was revenue in 2023?", None, None),
    ],
)
def test_how_to_write_the_number_is_no_part_of_what_is_asked(
    asked: str, plain: str, scale: int | None, places: int | None
) -> None:
    text, form = take_format(asked)
    assert (text, form.places) == (plain, places)
    assert form.scale == (10**scale if scale else None)


def test_what_is_left_of_a_shortened_word_is_no_name() -> None:
    assert not metrics_in(terms("I'd like to know what they’d made and we'd not"))
    assert list(metrics_in(terms("D&A for 2022"))) == ["depreciation and amortization"]
