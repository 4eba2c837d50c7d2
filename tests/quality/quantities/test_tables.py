"""Figures come out of table rows with label, column, unit, scale, currency, period and the cell's exact characters."""

from decimal import Decimal

import pytest

from docmind.quality.quantities import Aspect, Figure, Period, Terms, read_table, read_terms, usual_terms

MILLION, THOUSAND = Decimal(10) ** 6, Decimal(1000)

STATEMENT = """\
Net sales:
Net sales: Products | Three Months Ended June 25, 2022: $63,355 | Three Months Ended June 26, 2021: $63,948
Net sales: Services | Three Months Ended June 25, 2022: 19,604 | Three Months Ended June 26, 2021: 17,486
Other income/(expense), net | Three Months Ended June 25, 2022: (10) | Three Months Ended June 26, 2021: 243
Earnings per share: Basic | Three Months Ended June 25, 2022: $1.20 | Three Months Ended June 26, 2021: $1.31
Shares used in computing earnings per share: Basic | Three Months Ended June 25, 2022: 16,162,945
Effective tax rate | Three Months Ended June 25, 2022: 15.7% | Three Months Ended June 26, 2021: —"""
CAPTION = (
    "CONDENSED CONSOLIDATED STATEMENTS OF OPERATIONS (Unaudited) (In millions, except number of shares which are "
    "reflected in thousands and per share amounts)"
)


def cell(figures: list[Figure], label: str, column: str = "") -> Figure:
    return next(figure for figure in figures if figure.label == label and figure.column.endswith(column))


def one(row: str, caption: str = "") -> Figure:
    [figure] = read_table(row, caption)
    return figure


def test_a_cell_is_scaled_by_its_caption_and_dated_by_its_header() -> None:
    figures = read_table(STATEMENT, CAPTION, offset=100, source="p1")
    products = cell(figures, "Net sales: Products", "2022")
    assert products.quantity.value == 63_355 * MILLION
    assert products.quantity.step == MILLION
    assert (products.quantity.currency, products.scale, products.source) == ("USD", MILLION, "p1")
    assert products.period == Period(2022, month=6, day=25, months=3)
    assert STATEMENT[products.span.start - 100 : products.span.end - 100] == "$63,355" == products.quantity.text


def test_a_currency_sign_at_the_top_of_a_column_stands_for_the_cells_below() -> None:
    services = cell(read_table(STATEMENT, CAPTION), "Net sales: Services", "2022")
    assert (services.quantity.value, services.quantity.currency) == (19_604 * MILLION, "USD")


def test_brackets_in_a_cell_are_negative_and_a_dash_is_no_figure() -> None:
    figures = read_table(STATEMENT, CAPTION)
    assert cell(figures, "Other income/(expense), net", "2022").quantity.value == -10 * MILLION
    assert [f.column for f in figures if f.label == "Effective tax rate"] == ["Three Months Ended June 25, 2022"]


def test_amounts_per_share_shares_and_percentages_keep_out_of_the_scale() -> None:
    figures = read_table(STATEMENT, CAPTION)
    earnings = cell(figures, "Earnings per share: Basic", "2022").quantity
    assert (earnings.value, earnings.currency, earnings.per) == (Decimal("1.20"), "USD", "share")
    shares = cell(figures, "Shares used in computing earnings per share: Basic").quantity
    assert (shares.value, shares.counted, shares.currency) == (16_162_945 * THOUSAND, "share", None)
    rate = cell(figures, "Effective tax rate").quantity
    assert (rate.value, rate.unit) == (Decimal("15.7"), "percent")


@pytest.mark.parametrize(
    ("caption", "terms"),
    [
        ("(in thousands of euros, except per share data)", Terms(THOUSAND, "EUR", per_share=True)),
        ("(In Millions, Except Per Share Amounts; Unaudited)", Terms(MILLION, per_share=True)),
        ("($ in millions)", Terms(MILLION, "USD")),
        ("were as follows (dollars in millions):", Terms(MILLION, "USD")),
        ("Revenue, EUR million", Terms(MILLION, "EUR")),
        ("Revenue (€m)", Terms(MILLION, "EUR")),
        ("(£'000)", Terms(THOUSAND, "GBP")),
        ("(net income in millions and shares in thousands)", Terms(MILLION, share_scale=THOUSAND)),
        ("Per-share data (in euros, except number of shares)", Terms(currency="EUR", share_scale=Decimal(1))),
        (
            "(in millions of euros, except employees and percentages)",
            Terms(MILLION, "EUR", exceptions=(frozenset({"employees"}), frozenset({"percentages"}))),
        ),
        ("we had $62.5 billion of notes outstanding. Our debt is as follows (in millions):", Terms(MILLION)),
        ("Revenue by region", Terms()),
    ],
)
def test_a_caption_says_its_terms(caption: str, terms: Terms) -> None:
    assert read_terms(caption) == terms


@pytest.mark.parametrize(
    ("row", "caption", "value", "unit", "counted"),
    [
        ("Employees at year end | 2024: 2,946", "(in thousands of euros, except as stated)", "2946", "", "person"),
        ("Number of shares (thousands) | 2024: 48,000", "(in euros, except number of shares)", "48000000", "", "share"),
        ("Share price at year end | 2024: 20.95", "(in euros, except number of shares)", "20.95", "money", None),
        ("Capacity (MW) | 2024: 350", "(in thousands of euros)", "350000000", "watt", None),
        ("Revenue | % Change: 9.0", "(in millions)", "9.0", "percent", None),
        ("Percent of Net Sales: Fulfillment | 2024: 15.8", "(in millions)", "15.8", "percent", None),
        ("Tax at the rate of 25.8% | 2024: 20,999", "(in thousands of euros)", "20999000", "money", None),
        ("Cash dividends declared ($0.37 per share) | Total: (1,499)", "($ in millions)", "-1499000000", "money", None),
        ("Fair value | Grant: $115.99", "($ in millions, except per share data)", "115.99", "money", None),
        ("Share-based compensation | 2023: 182", "($ in millions, except share data)", "182000000", "money", None),
        ("Shares outstanding | 2023: 251,000,000", "($ in millions, except share data)", "251000000", "", "share"),
        ("Revenue | Total: $12.9B", "(in millions)", "12900000000", "money", None),
        ("Income from operations | 2023: 29.7", "expressed as a percentage of revenue.", "29.7", "percent", None),
        (
            "Basic weighted average shares | 2023: 2,470",
            "(In millions, except per share data)",
            "2470000000",
            "",
            "share",
        ),
        ("Common stock, par value $1, 50 shares authorized | 2023: 95", "($ in millions)", "95000000", "money", None),
        ("Lease term | 2023: 8 years", "(In millions, except lease term and discount rate)", "96", "month", None),
    ],
)
def test_the_label_and_the_header_say_what_a_figure_is(
    row: str, caption: str, value: str, unit: str, counted: str | None
) -> None:
    quantity = one(row, caption).quantity
    assert (quantity.value, quantity.unit, quantity.counted) == (Decimal(value), unit, counted)


def test_rows_under_a_heading_row_carry_it_up_to_their_total() -> None:
    rows = "Plants | 2024: 10\nOperating profit\nPlants | 2024: 4\nTotal operating profit | 2024: 4\nTax | 2024: 1"
    labels = [figure.label for figure in read_table(rows)]
    assert labels == ["Plants", "Operating profit: Plants", "Total operating profit", "Tax"]


def test_a_row_without_a_label_still_gives_its_figures() -> None:
    first, second = read_table("2024: 6,780 | 2023: 7,678")
    assert (first.label, first.column, first.quantity.value) == ("", "2024", Decimal(6780))
    assert second.column == "2023"


def test_a_period_comes_from_the_label_or_the_caption_where_the_header_has_none() -> None:
    assert one("Balance as of July 1, 2023 | Total: 5").period == Period(2023, month=7, day=1)
    assert one("Notes due 2030 | Total: 5").period is None
    assert one("Plants | Total: 5", "Capital expenditure in 2024 (in millions)").period == Period(2024)


def test_a_column_of_changes_is_marked_as_such() -> None:
    assert one("Europe | Change: +6.2%").aspect is Aspect.CHANGE


def test_page_numbers_and_years_in_cells_are_no_figures() -> None:
    assert read_table("Item 1. | Financial Statements | 14\nRisk Factors | Page: 40\nNotes | Maturity: 2030") == []
    assert read_table("a) | Income Statements | 3", "Item 1.") == []


def test_what_most_captions_say_holds_where_one_says_nothing() -> None:
    usual = usual_terms(["(in millions)", "(In millions, except per share data)", "Exhibits", "(in thousands)"])
    assert usual == Terms(MILLION)
    [figure] = read_table("Goodwill | 2023: $27,591", "Current assets:", defaults=usual)
    assert figure.quantity.value == 27_591 * MILLION


@pytest.mark.parametrize(
    ("caption", "label", "counted"),
    [
        ("Volume sold, hectolitres, by brand", "Tarn Gold", "hectolitres"),
        ("Waste in tonnes", "Plastics", "tonnes"),
        ("Five years (£000 unless stated)", "Beer brewed, hl", "hl"),
        ("Five years (£000 unless stated)", "Spent grain to farms, t", "t"),
        ("Five years (£000 unless stated)", "Staff, average full-time equivalents", None),
        ("Five years (£000 unless stated)", "Staff, heads on payroll", None),
    ],
)
def test_what_is_measured_or_counted_is_no_money_though_the_document_is_in_thousands_of_pounds(
    caption: str, label: str, counted: str | None
) -> None:
    usual = usual_terms(["Five years (£000 unless stated)"])
    (figure,) = read_table(f"{label} | FY23: 4,650", caption, defaults=usual)
    quantity = figure.quantity
    assert (quantity.value, quantity.counted) == (Decimal(4650), counted)
    assert (quantity.unit, quantity.currency) == ("", None)


def test_pence_a_share_are_hundredths_and_in_no_scale() -> None:
    (figure,) = read_table("Dividend, pence a share | FY23: 9.0", "Five years (£000 unless stated)")
    assert (figure.quantity.value, figure.quantity.currency, figure.quantity.per) == (Decimal("0.09"), "GBP", "share")


def test_a_header_that_takes_percentages_out_of_its_scale_is_not_in_per_cent() -> None:
    (figure,) = read_table("Services | 2019 (In thousands, except percentages): 243")
    assert (figure.quantity.value, figure.quantity.unit) == (Decimal(243_000), "")
