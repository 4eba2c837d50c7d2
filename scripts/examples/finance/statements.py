"""The primary statements and the overviews drawn from them, as tables."""

from collections.abc import Callable

from examples.finance.company import Company, percent, rounded
from examples.finance.ledger import Balance, Year
from examples.paper import Table

Line = tuple[str, Callable[[Year], int]]


def income_statement(company: Company, year: int) -> Table:
    lines: list[Line] = [
        (company.label("Revenue"), lambda y: y.revenue),
        ("Cost of sales", lambda y: -y.drivers.cost_of_sales),
        ("Gross profit", lambda y: y.gross_profit),
        ("Research and development expenses", lambda y: -y.drivers.research),
        ("Selling expenses", lambda y: -y.drivers.selling),
        ("General and administrative expenses", lambda y: -y.drivers.administration),
        ("Other operating income", lambda y: y.drivers.other_income),
        (company.label("Operating profit"), lambda y: y.operating_profit),
        ("Finance income", lambda y: y.drivers.finance_income),
        ("Finance costs", lambda y: -y.drivers.finance_costs),
        (company.label("Profit before tax"), lambda y: y.profit_before_tax),
        ("Income tax expense", lambda y: -y.drivers.tax),
        (company.label("Profit for the year"), lambda y: y.profit),
    ]
    shown = _two_years(company, year, lines)
    now, before = company.years[year], company.years[year - 1]
    for label, shares in (
        ("Basic earnings per share (EUR)", company.shares_thousand),
        ("Diluted earnings per share (EUR)", company.diluted_shares_thousand),
    ):
        shown.append((label, *(str(company.per_share(y.profit, shares)) for y in (now, before))))
    totals = {"Gross profit", *map(company.label, ("Operating profit", "Profit before tax", "Profit for the year"))}
    return _statement(company, year, "Consolidated income statement", shown, frozenset(totals))


def balance_sheet(company: Company, year: int) -> Table:
    lines: list[tuple[str, Callable[[Balance], int]] | str] = [
        "Assets",
        ("Goodwill", lambda b: b.goodwill),
        ("Other intangible assets", lambda b: b.intangibles),
        ("Property, plant and equipment", lambda b: b.plant),
        ("Right-of-use assets", lambda b: b.right_of_use),
        ("Deferred tax assets", lambda b: b.deferred_tax_assets),
        ("Total non-current assets", lambda b: b.non_current_assets),
        ("Inventories", lambda b: b.inventories),
        ("Trade receivables", lambda b: b.receivables),
        ("Other current assets", lambda b: b.other_assets),
        ("Cash and cash equivalents", lambda b: b.cash),
        ("Total current assets", lambda b: b.current_assets),
        ("Total assets", lambda b: b.total_assets),
        "Equity and liabilities",
        ("Share capital", lambda b: b.share_capital),
        ("Share premium", lambda b: b.share_premium),
        ("Retained earnings", lambda b: b.retained),
        ("Total equity", lambda b: b.equity),
        ("Borrowings, non-current", lambda b: b.borrowings - b.borrowings_current),
        ("Lease liabilities, non-current", lambda b: b.leases - b.leases_current),
        ("Pension provisions", lambda b: b.pensions),
        ("Deferred tax liabilities", lambda b: b.deferred_tax_liabilities),
        ("Total non-current liabilities", lambda b: b.non_current_liabilities),
        ("Borrowings, current", lambda b: b.borrowings_current),
        ("Lease liabilities, current", lambda b: b.leases_current),
        ("Trade payables", lambda b: b.payables),
        ("Contract liabilities", lambda b: b.contract_liabilities),
        ("Income tax payable", lambda b: b.tax_payable),
        ("Other current liabilities", lambda b: b.other_liabilities),
        ("Total current liabilities", lambda b: b.current_liabilities),
        ("Total equity and liabilities", lambda b: b.total_equity_and_liabilities),
    ]
    sheets = [company.years[y].closing for y in (year, year - 1)]
    rows = [
        (line,) if isinstance(line, str) else (line[0], *(company.unit.show(line[1](sheet)) for sheet in sheets))
        for line in lines
    ]
    totals = frozenset(row[0] for row in rows if row[0].startswith("Total"))
    return _statement(company, year, "Consolidated balance sheet at 31 December", rows, totals)


def cash_flow_statement(company: Company, year: int) -> Table:
    lines: list[Line] = [
        (company.label("Profit for the year"), lambda y: y.profit),
        ("Depreciation and amortisation", lambda y: y.depreciation_and_amortisation),
        ("Share-based payments", lambda y: y.drivers.share_based_payments),
        ("Deferred taxes and change in provisions", lambda y: y.deferred_tax_and_provisions),
        ("Change in inventories", lambda y: y.change_in_inventories),
        ("Change in receivables and other assets", lambda y: y.change_in_receivables),
        ("Change in payables and other liabilities", lambda y: y.change_in_payables),
        ("Cash flow from operating activities", lambda y: y.operating_cash_flow),
        ("Purchase of property, plant and equipment", lambda y: -y.investment),
        ("Capitalised development costs", lambda y: -y.drivers.development),
        ("Acquisition of subsidiaries, net of cash", lambda y: -y.acquisition),
        ("Cash flow from investing activities", lambda y: y.investing_cash_flow),
        ("Proceeds from borrowings", lambda y: y.drivers.borrowed),
        ("Repayment of borrowings", lambda y: -y.drivers.repaid),
        ("Repayment of lease liabilities", lambda y: -y.drivers.lease_payments),
        ("Dividends paid", lambda y: -y.drivers.dividend_paid),
        ("Cash flow from financing activities", lambda y: y.financing_cash_flow),
        ("Net change in cash", lambda y: y.closing.cash - y.opening.cash),
        ("Cash at the beginning of the year", lambda y: y.opening.cash),
        ("Cash at the end of the year", lambda y: y.closing.cash),
    ]
    rows = _two_years(company, year, lines)
    totals = frozenset(row[0] for row in rows if row[0].startswith(("Cash flow from", "Net change", "Cash at the end")))
    return _statement(company, year, "Consolidated cash flow statement", rows, totals)


def key_figures(company: Company, year: int) -> Table:
    now, before = company.years[year], company.years[year - 1]
    lines: list[Line] = [
        (company.label("Revenue"), lambda y: y.revenue),
        (company.label("Operating profit"), lambda y: y.operating_profit),
        (company.label("Profit for the year"), lambda y: y.profit),
        ("Free cash flow", lambda y: y.free_cash_flow),
        ("Net debt at year end", lambda y: y.closing.net_debt),
    ]
    rows = _two_years(company, year, lines)
    margins = (f"{percent(y.operating_profit, y.revenue)}%" for y in (now, before))
    rows.append(("Operating margin", *margins))
    rows.append(("Employees at year end", f"{now.drivers.employees:,}", f"{before.drivers.employees:,}"))
    return Table(
        caption=f"Key figures (in {company.unit.name}, except as stated)",
        header=("", str(year), str(year - 1)),
        rows=rows,
        align="lrr",
        widths=(4, 1.5, 1.5),
        note="Free cash flow: cash flow from operating activities less purchase of property, plant and equipment and "
        "capitalised development costs. Net debt: borrowings and lease liabilities less cash and cash equivalents.",
    )


def per_share_data(company: Company, year: int) -> Table:
    years = [company.years[y] for y in (year, year - 1)]
    shares = f"{company.shares_thousand:,}"
    return Table(
        caption="Per-share data (in euros, except number of shares)",
        header=("", str(year), str(year - 1)),
        rows=(
            ("Basic earnings per share", *(str(company.per_share(y.profit, company.shares_thousand)) for y in years)),
            ("Dividend per share", *(f"{y.drivers.dividend_cents / 100:.2f}" for y in years)),
            ("Equity per share", *(str(company.per_share(y.closing.equity, company.shares_thousand)) for y in years)),
            ("Share price at year end", *(company.share_prices[y] for y in (year, year - 1))),
            ("Number of shares (thousands)", shares, shares),
        ),
        align="lrr",
        widths=(4, 1.5, 1.5),
        note=f"The dividend per share for {year} is the proposal to the annual general meeting.",
    )


def long_term_overview(company: Company) -> Table:
    """The ledger's years and those before it, in millions: the one table on another scale than the accounts."""
    unit = company.unit
    results = [
        *company.earlier_years,
        *((str(n), y.revenue, y.operating_profit, y.profit, y.drivers.employees) for n, y in company.years.items()),
    ]
    sheets = [company.opening, *(y.closing for y in company.years.values())]
    return Table(
        caption="Five-year overview (in millions of euros, except employees and percentages)",
        header=("", *(name for name, *_ in results)),
        rows=(
            ("Revenue", *(unit.in_millions(revenue) for _, revenue, _, _, _ in results)),
            ("Operating profit", *(unit.in_millions(operating) for _, _, operating, _, _ in results)),
            ("Operating margin", *(f"{percent(operating, revenue)}%" for _, revenue, operating, _, _ in results)),
            ("Profit for the year", *(unit.in_millions(profit) for _, _, _, profit, _ in results)),
            ("Total equity", *(unit.in_millions(sheet.equity) for sheet in sheets)),
            ("Net debt", *(unit.in_millions(sheet.net_debt) for sheet in sheets)),
            ("Equity ratio", *(f"{percent(sheet.equity, sheet.total_assets)}%" for sheet in sheets)),
            ("Employees at year end", *(f"{employees:,}" for *_, employees in results)),
        ),
        align="l" + "r" * len(results),
        widths=(2.4, *(1.0 for _ in results)),
        note="Amounts in this overview are rounded to EUR 0.1 million; the statements are in thousands of euros.",
    )


def tax_at_statutory_rate(company: Company, year: Year) -> int:
    return int(rounded(year.profit_before_tax * company.tax_rate / 100, 0))


def _two_years(company: Company, year: int, lines: list[Line]) -> list[tuple[str, ...]]:
    years = (company.years[year], company.years[year - 1])
    return [(label, *(company.unit.show(value(y)) for y in years)) for label, value in lines]


def _statement(company: Company, year: int, name: str, rows: list[tuple[str, ...]], totals: frozenset[str]) -> Table:
    return Table(
        caption=f"{name} (in {company.unit.name}, except per share data)",
        header=("", str(year), str(year - 1)),
        rows=rows,
        align="lrr",
        widths=(4, 1.5, 1.5),
        totals=totals,
        ruled=False,
        note="The notes are an integral part of the consolidated financial statements.",
    )
