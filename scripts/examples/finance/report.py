"""An annual report: cover, management's discussion, statements, notes."""

from datetime import date

from examples.finance.company import Company, growth, percent
from examples.finance.notes import notes
from examples.finance.statements import (
    balance_sheet,
    cash_flow_statement,
    income_statement,
    key_figures,
    long_term_overview,
    per_share_data,
)
from examples.paper import Block, Heading, NewPage, Paper, Text


def annual_report(company: Company, year: int) -> Paper:
    return Paper(
        file_name=f"{company.slug}-annual-report-{year}.pdf",
        organisation=company.name,
        title=f"Annual report {year}",
        subtitle=f"Fiscal year ended 31 December {year}",
        author=company.name,
        day=date(year + 1, 3, 14),
        facts=(
            ("Ticker", f"{company.ticker} ({company.listing})"),
            ("Registered office", company.seat),
            ("Amounts", f"in {company.unit.name}, except per share data"),
            ("Published", f"14 March {year + 1}"),
        ),
        blocks=(
            *_discussion(company, year),
            NewPage(),
            Heading("Consolidated financial statements"),
            income_statement(company, year),
            NewPage(),
            balance_sheet(company, year),
            NewPage(),
            cash_flow_statement(company, year),
            NewPage(),
            *notes(company, year),
            *_overview(company, year),
        ),
        look=company.look,
    )


def _discussion(company: Company, year: int) -> tuple[Block, ...]:
    story = company.stories[year]
    return (
        Heading(f"{company.name} in {year}"),
        Text(
            f"{company.name}, {company.seat}, {company.business}. Its shares are listed in {company.listing} "
            f"({company.ticker})."
        ),
        key_figures(company, year),
        Heading("Management's discussion and analysis"),
        Text(_results_in_words(company, year)),
        *(Text(paragraph) for paragraph in story.discussion),
        Text(_cash_in_words(company, year)),
        Heading("Outlook"),
        Text(story.outlook),
        Heading("The share"),
        per_share_data(company, year),
    )


def _results_in_words(company: Company, year: int) -> str:
    now, before = company.years[year], company.years[year - 1]
    million = company.unit.in_millions
    return (
        f"{company.label('Revenue')} {_moved(now.revenue, before.revenue)} to EUR {million(now.revenue)} million. The "
        f"gross margin was {percent(now.gross_profit, now.revenue)} percent, after "
        f"{percent(before.gross_profit, before.revenue)} percent in {year - 1}. {company.label('Operating profit')} "
        f"{_moved(now.operating_profit, before.operating_profit)} to EUR {million(now.operating_profit)} million, an "
        f"operating margin of {percent(now.operating_profit, now.revenue)} percent."
    )


def _cash_in_words(company: Company, year: int) -> str:
    now, before = company.years[year], company.years[year - 1]
    million = company.unit.in_millions
    return (
        f"Operating activities brought in cash of EUR {million(now.operating_cash_flow)} million, after EUR "
        f"{million(before.operating_cash_flow)} million in {year - 1}. Net debt was EUR "
        f"{million(now.closing.net_debt)} million at year end, and equity covered "
        f"{percent(now.closing.equity, now.closing.total_assets)} percent of total assets."
    )


def _moved(now: int, before: int) -> str:
    change = growth(now, before)
    return f"{'rose' if change >= 0 else 'fell'} by {abs(change)} percent"


def _overview(company: Company, year: int) -> tuple[Block, ...]:
    if not company.earlier_years or year != max(company.reported_years):
        return ()
    return (Heading("Five-year overview"), long_term_overview(company))
