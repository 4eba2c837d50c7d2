"""Metadata is read where it is clearly stated, and nowhere else."""

import pytest

from docmind.corpus.load import load
from docmind.corpus.metadata import read_metadata
from docmind.domain.documents import Block, BlockKind, Metadata, Span

COVER = """# FORM 10-Q

QUARTERLY REPORT PURSUANT TO SECTION 13 OF THE SECURITIES EXCHANGE ACT OF 1934

For the quarterly period ended June 29, 2024

LUMEN HARBOUR, INC.

(Exact name of registrant as specified in its charter)

Title of each class Trading Symbol(s) Name of each exchange on which registered

Common Stock, $0.01 par value LMHB The Nasdaq Stock Market LLC

Lumen Harbour, Inc. runs harbours.
"""


def of(text: str, name: str = "document.md") -> Metadata:
    return load(text.encode(), name).metadata


def by_name(name: str) -> Metadata:
    return read_metadata(name, "", (), Metadata())


def test_the_cover_of_a_filing_tells_company_ticker_type_and_date() -> None:
    found = of(COVER, "2024 Q3 LMHB.md")
    assert found == Metadata(
        title="Lumen Harbour, Inc. Form 10-Q Q3 2024",
        company="Lumen Harbour, Inc.",
        ticker="LMHB",
        fiscal_year=2024,
        quarter=3,
        document_type="10-q",
        date="2024-06-29",
    )


def test_a_filing_tells_the_month_that_the_fiscal_year_ends_in() -> None:
    quarter = f"{COVER}\n\nCONSOLIDATED BALANCE SHEETS\n\nJune 29, 2024 and September 30, 2023\n"
    assert of(quarter).year_end == 9
    assert of(COVER).year_end is None
    annual = "# FORM 10-K\n\nANNUAL REPORT\n\nFor the fiscal year ended February 3, 2024\n\nLUMEN HARBOUR, INC.\n"
    # A year of whole weeks ends in the first days of the next month.
    assert of(f"{annual}\n(Exact name of registrant as specified in its charter)\n").year_end == 1


def test_a_calendar_date_alone_does_not_tell_a_fiscal_quarter() -> None:
    found = of(COVER, "filing.md")
    assert (found.fiscal_year, found.quarter, found.ticker) == (None, None, "LMHB")


@pytest.mark.parametrize(
    ("name", "year", "quarter"),
    [
        ("2022 Q3 AAPL.pdf", 2022, 3),
        ("Q2-2024 results.pdf", 2024, 2),
        ("acme_FY2023.pdf", 2023, None),
        ("FY23-budget.xlsx", 2023, None),
        ("annual-report-2023.pdf", 2023, None),
        ("meeting 2023-05-01.md", None, None),
        ("room 2042.md", None, None),
    ],
)
def test_fiscal_periods_are_read_from_file_names(name: str, year: int | None, quarter: int | None) -> None:
    found = by_name(name)
    assert (found.fiscal_year, found.quarter) == (year, quarter)


def test_an_annual_report_states_company_and_year_in_its_title() -> None:
    found = of("# Acme Corporation Annual Report 2023\n\nFor the fiscal year ended September 30, 2023\n\nWe grew.")
    assert (found.company, found.fiscal_year, found.document_type) == ("Acme Corporation", 2023, "annual report")
    assert found.date == "2023-09-30"


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Board Paper: Harbour Lease", "board paper"),
        ("Travel Expense Policy", "policy"),
        ("Creating a scaling policy", None),
        ("Growth Strategy 2025", "strategy"),
        ("Minutes of the Annual Meeting", "minutes"),
        ("Press Release", "press release"),
        ("Handling Missing Values", None),
    ],
)
def test_a_type_is_taken_only_from_a_title_that_states_it(title: str, kind: str | None) -> None:
    assert of(f"# {title}\n\nSome words.").document_type == kind


def test_a_company_is_told_from_the_name_of_the_work() -> None:
    assert of("# Annual Report of Acme Corporation\n\nText.").company == "Acme Corporation"
    assert of("# Bank of Thule Corporation\n\nText.").company == "Bank of Thule Corporation"


def test_a_title_page_with_two_companies_names_none() -> None:
    assert of("# Acme Corporation and Globex Inc.\n\nAn agreement.").company is None


def test_the_title_falls_back_to_a_readable_file_name() -> None:
    assert of("Just words.", "site_visit-notes.txt").title == "Site visit notes"
    for stated in ("Microsoft Word - draft7.docx", "untitled", "(anonymous)", "unknown"):
        assert read_metadata("a_b.pdf", "", (), Metadata(title=stated)).title == "A b"
    assert read_metadata("a_b.pdf", "", (), Metadata(title="Letters of an unknown")).title == "Letters of an unknown"


def test_the_heading_of_a_late_section_is_no_title() -> None:
    text = (
        "Loan agreement\n\n"
        + "The lender lends the items to the borrower. " * 40
        + "\n\nSCHEDULE OF ITEMS\n\nA model.\n"
    )
    assert of(text, "loan_agreement.txt").title == "Loan agreement"


def test_a_date_that_does_not_exist_is_no_date() -> None:
    assert of("# Note\n\nFebruary 30, 2024\n\nText.").date is None
    assert of("# Note\n\nDate: March 1, 2024\n\nText.").date == "2024-03-01"


@pytest.mark.parametrize("written", ["December 31, 2023", "31 December 2023", "31st December 2023", "2023-12-31"])
def test_a_period_s_end_is_read_however_it_is_written(written: str) -> None:
    text = f"Annual report\n\nFiscal year ended {written}\n\nTicker: ELLN (Amsterdam)"
    known = read_metadata("report.pdf", text, (), Metadata())
    assert (known.date, known.fiscal_year, known.ticker) == ("2023-12-31", 2023, "ELLN")


ANNUAL_COVER = "ANNUAL REPORT PURSUANT TO SECTION 13 OF THE SECURITIES EXCHANGE ACT OF 1934\n\n{name}\n\nDelaware\n"


@pytest.mark.parametrize(
    ("line", "company"),
    [
        ("aBay Inc. (Exact name of registrant as specified in its charter)", "aBay Inc."),
        (
            "ANVIL PROPERTIES, INC. ANVIL PROPERTIES LIMITED PARTNERSHIP\n\n"
            "(Exact name of Registrants as specified in its charter)",
            "Anvil Properties, Inc.",
        ),
        (
            "Laboratory Corporation of America Holdings\n(Exact name of registrant as specified in its charter)",
            "Laboratory Corporation of America Holdings",
        ),
        ("McANVIL’S CORPORATION\n(Exact name of registrant as specified in its charter)", "McAnvil’s Corporation"),
    ],
)
def test_the_registrant_is_told_from_what_stands_around_it(line: str, company: str) -> None:
    text = ANNUAL_COVER.format(name=line) + "McAnvil’s Corporation owns restaurants."
    assert read_metadata("filing.pdf", text, [], Metadata()).company == company


def test_a_name_with_a_small_first_letter_is_read_whole() -> None:
    text = "aBay Inc. Reports Second Quarter Results"
    blocks = [Block(BlockKind.HEADING, Span(0, len(text)), level=1)]
    assert read_metadata("release.pdf", text, blocks, Metadata()).company == "aBay Inc."


def test_a_release_is_of_the_company_whose_symbol_it_gives() -> None:
    text = "Strong second quarter\n\nBOSTON, Mass. - August 30, 2023 - Anvilforce (NYSE: ANV), a maker of anvils, said."
    assert read_metadata("release.pdf", text, [], Metadata()).company == "Anvilforce"
