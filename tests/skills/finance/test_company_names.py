"""Which companies a question names."""

import pytest

from docmind.skills.finance.companies import asked_of_one, listed_with, named, short_name, without_names
from docmind.skills.question import names

COMPANIES = ["Apple Inc.", "McDonald's Corporation", "Boston Properties, Inc.", "General Anvils plc", "eBay Inc."]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What was Apple's revenue?", ["Apple Inc."]),
        ("what was mcdonalds revenue", ["McDonald's Corporation"]),
        ("Who earned more, McDonald’s or EBAY?", ["McDonald's Corporation", "eBay Inc."]),
        ("What did Boston own in 2015?", ["Boston Properties, Inc."]),
        ("What were general and administrative expenses at Apple?", ["Apple Inc."]),
        ("What were General Anvils' expenses?", ["General Anvils plc"]),
        ("What was the revenue?", []),
    ],
)
def test_companies_are_named_as_people_write_them(question: str, meant: list[str]) -> None:
    assert named(question, COMPANIES) == meant


def test_a_word_that_two_companies_begin_with_names_neither() -> None:
    two = ["Boston Properties, Inc.", "Boston Scientific Corporation"]
    assert named("What did Boston earn?", two) == []
    assert named("What did Boston Scientific earn?", two) == two[1:]
    assert [short_name(one, two) for one in two] == ["Boston Properties", "Boston Scientific"]


def test_the_longer_name_goes_before_the_shorter_one_that_it_begins_with() -> None:
    two = ["Apple Inc.", "Apple Hospitality REIT, Inc."]
    assert named("What did Apple Hospitality earn?", two) == two[1:]
    assert named("What did Apple earn?", two) == two[:1]


def test_a_question_is_read_without_the_names_in_it() -> None:
    assert without_names("What was Apple's revenue beside eBay?", COMPANIES) == "What was revenue beside ?"


def test_a_short_name_has_no_legal_form() -> None:
    assert short_name("McDonald's Corporation", COMPANIES) == "McDonald's"


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("Who audits Apple and eBay?", "Who audits eBay?"),
        ("Do McDonald's, Apple and eBay pay dividends?", "Do eBay pay dividends?"),
        ("How did Apple's revenue and eBay's revenue change?", "How did eBay's revenue and eBay's revenue change?"),
        ("What did Apple say, and what did eBay?", "What did eBay say, and what did eBay?"),
    ],
)
def test_a_question_on_several_companies_is_asked_of_each_alone(question: str, alone: str) -> None:
    assert asked_of_one("eBay Inc.", question, COMPANIES) == alone


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("What were the 2022 revenues of eBay and of Netflix?", ["Netflix"]),
        ("Which grew faster in 2022, Walmart or Apple?", ["Walmart"]),
        ("Compare Apple's margin with eBay's.", []),
        ("How did Apple's sales in China grow?", []),
    ],
)
def test_names_in_one_list_with_a_company_are_told_apart_from_others(question: str, others: list[str]) -> None:
    assert [one.company for one in listed_with(COMPANIES, question, names(question))] == others


def test_what_joins_names_goes_with_them() -> None:
    assert (
        without_names("What was the revenue at Apple and at eBay in 2022?", COMPANIES)
        == "What was the revenue at in 2022?"
    )
