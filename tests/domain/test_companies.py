"""One company under several names."""

import pytest

from docmind.domain.companies import companies_of, name_key
from docmind.domain.documents import Metadata


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("McDonald's Corporation", "McDONALD’S CORP"),
        ("eBay Inc.", "EBAY"),
        ("The Anvil Works Company", "Anvil Works plc"),
        ("salesforce.com, inc.", "Salesforce, Inc."),
    ],
)
def test_spellings_and_legal_forms_do_not_tell_companies_apart(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_names_with_other_words_are_of_others() -> None:
    assert name_key("Boston Properties, Inc.") != name_key("Boston Scientific Corporation")


def test_documents_of_one_company_are_one_company_by_its_usual_name() -> None:
    documents = [
        Metadata(company="EBAY", fiscal_year=2023),
        Metadata(company="eBay Inc.", ticker="EBAY", fiscal_year=2022),
        Metadata(company="eBay Inc.", fiscal_year=2021),
        Metadata(company="Anvil plc"),
        Metadata(title="A letter"),
    ]
    ebay, anvil = companies_of(documents)
    assert (ebay.name, ebay.ticker, set(ebay.spellings)) == ("eBay Inc.", "EBAY", {"eBay Inc.", "EBAY"})
    assert (anvil.name, anvil.ticker) == ("Anvil plc", None)


def test_a_ticker_joins_names_that_have_no_word_in_common() -> None:
    documents = [Metadata(company="Anvil plc", ticker="ANV"), Metadata(company="Hammer plc", ticker="ANV")]
    assert len(companies_of(documents)) == 1
