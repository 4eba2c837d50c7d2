"""Who and what a question is about."""

import pytest

from docmind.domain.documents import Metadata
from docmind.skills.finance.seeking import for_reading, process
from docmind.skills.finance.seeking.reports import about, kinds_asked, reports_of

REPORTS = reports_of(
    [
        Metadata(company="Anvil plc", fiscal_year=2022, date="2022-12-31", document_type="10-k"),
        Metadata(company="Anvil plc", fiscal_year=2023, date="2023-12-31", document_type="10-k"),
        Metadata(company="Anvil plc", fiscal_year=2023, quarter=2, date="2023-06-30", document_type="10-q"),
        Metadata(company="Bellows AG", fiscal_year=2023, document_type="annual report"),
    ]
)
TICKERS = {"Anvil plc": "ANV", "Bellows AG": None}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How much did Anvil spend in FY2022? Answer in USD. Round to one decimal.", []),
        ("If FCF is cash flow less capex, what was it at Anvil?", []),
        ("What was Anvil's revenue in Japan?", ["Japan"]),
        ("What was Microsoft's revenue in 2023?", ["Microsoft"]),
    ],
)
def test_only_what_must_be_a_name_is_taken_for_one(question: str, names: list[str]) -> None:
    assert process(question, TICKERS, REPORTS)["strangers"] == names


def test_a_ticker_names_its_company_unless_that_is_named_besides() -> None:
    assert process("What was ANV's revenue?", TICKERS, REPORTS)["companies"] == ["Anvil plc"]
    assert process("Does Anvil sell ANV?", TICKERS, REPORTS)["question"] == "Does Anvil sell ANV?"


def test_a_10_k_is_an_annual_report_and_kinds_that_are_not_there_narrow_nothing() -> None:
    assert kinds_asked("In its 2023 annual report", REPORTS) == ["10-k", "annual report"]
    assert kinds_asked("In its 8-K", REPORTS) == []


def test_a_question_is_about_the_reports_of_its_companies_and_years() -> None:
    def meant(companies: list[str], years: list[int], quarters: list[int]) -> list[tuple[str, int, int | None]]:
        found = about(companies, years, quarters, REPORTS)
        return [(one["company"], one["fiscal_year"], one["quarter"]) for one in found]

    assert meant(["Anvil plc"], [2023], [2]) == [("Anvil plc", 2023, 2)]
    assert meant(["Anvil plc"], [2022], []) == [("Anvil plc", 2022, None)]
    # The next report tells the year before.
    assert meant(["Bellows AG"], [2022], []) == [("Bellows AG", 2023, None)]
    assert meant(["Anvil plc"], [], []) == []
    assert meant(["Anvil plc"], [2015], []) == []


def test_sentences_are_looked_for_in_the_report_of_the_company_and_the_year() -> None:
    (search,) = for_reading(process("Why did Anvil close its mill in 2022?", TICKERS, REPORTS))
    assert (search.filters.company, search.filters.fiscal_year) == (("Anvil plc",), (2022,))
    (anywhere,) = for_reading(process("Why did Anvil close its mill?", TICKERS, REPORTS))
    assert (anywhere.filters.company, anywhere.filters.fiscal_year) == (("Anvil plc",), ())
