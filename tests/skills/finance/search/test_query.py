"""Who and what a question is about."""

import pytest

from docmind.domain.documents import Metadata
from docmind.quality.quantities import Period
from docmind.skills.finance.search.query import process
from docmind.skills.finance.search.reports import about, dated, kinds_asked, reports_of
from docmind.skills.finance.search.searches import for_reading

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
    assert process(question, TICKERS, REPORTS)["names"] == names


def test_a_ticker_names_its_company_unless_that_is_named_besides() -> None:
    assert process("What was ANV's revenue?", TICKERS, REPORTS)["companies"] == ["Anvil plc"]
    assert process("what was anv's revenue in december 2022?", TICKERS, REPORTS)["companies"] == ["Anvil plc"]
    assert process("Does Anvil sell ANV?", TICKERS, REPORTS)["question"] == "Does Anvil sell ANV?"


def test_a_10_k_is_an_annual_report_and_kinds_that_are_not_there_narrow_nothing() -> None:
    assert kinds_asked("In its 2023 annual report", REPORTS) == ["10-k", "annual report"]
    assert kinds_asked("In its 8-K", REPORTS) == []


def test_a_question_is_about_the_reports_of_its_companies_and_years() -> None:
    def meant(company: str, *periods: Period) -> list[tuple[str, int, int | None]]:
        found = about([company], periods, REPORTS)
        return [(one["company"], one["fiscal_year"], one["quarter"]) for one in found]

    assert meant("Anvil plc", Period(2023, quarter=2)) == [("Anvil plc", 2023, 2)]
    assert meant("Anvil plc", Period(2022)) == [("Anvil plc", 2022, None)]
    # The next report tells the year before.
    assert meant("Bellows AG", Period(2022)) == [("Bellows AG", 2023, None)]
    assert meant("Anvil plc") == []
    assert meant("Anvil plc", Period(2015)) == []


def test_a_day_is_told_by_the_report_that_closes_on_it() -> None:
    reports = reports_of([quarterly(2023, 1, "2022-12-31"), quarterly(2023, 2, "2023-04-02")])
    [found] = about(["Cask Inc."], [Period(2022, month=12, day=31)], reports)
    assert found["closing"] == "2022-12-31"
    # A quarter of whole weeks ends in the first days of the next month.
    [found] = about(["Cask Inc."], [Period(2023, month=3, day=31)], reports)
    assert found["closing"] == "2023-04-02"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("revenue in Q1 FY24?", "revenue in the three months ended September 30, 2023?"),
        ("revenue for fiscal Q1 2023", "revenue in the three months ended September 30, 2022"),
        ("revenue in the first nine months of FY23", "revenue in the nine months ended March 31, 2023"),
        # What does not say that it is fiscal is the quarter that a report calls itself.
        ("revenue in Q3 2023?", "revenue in the three months ended September 30, 2023?"),
        ("revenue in fiscal 2023", "revenue in fiscal 2023"),
        # The report is where to look, and 2025 what for.
        ("rents due in 2025, in the Q3 2023 10-Q", "rents due in 2025, "),
    ],
)
def test_a_fiscal_quarter_is_told_by_the_month_that_the_companys_year_ends_in(asked: str, told: str) -> None:
    reports = reports_of([quarterly(2023, 3, "2023-09-30")])
    assert dated(asked, reports)[0] == told


def quarterly(year: int, quarter: int, closing: str) -> Metadata:
    """A report of a company whose years end in June, named after the calendar."""
    return Metadata(
        company="Cask Inc.", fiscal_year=year, quarter=quarter, document_type="10-q", date=closing, year_end=6
    )


def test_sentences_are_looked_for_in_the_report_of_the_company_and_the_year() -> None:
    (search,) = for_reading(process("Why did Anvil close its mill in 2022?", TICKERS, REPORTS))
    assert (search.filters.company, search.filters.fiscal_year) == (("Anvil plc",), (2022,))
    (anywhere,) = for_reading(process("Why did Anvil close its mill?", TICKERS, REPORTS))
    assert (anywhere.filters.company, anywhere.filters.fiscal_year) == (("Anvil plc",), ())
