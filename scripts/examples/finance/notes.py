"""The notes of an annual report: what the lines of the statements consist of."""

from examples.finance.company import Company, growth, percent
from examples.finance.statements import tax_at_statutory_rate
from examples.paper import Block, Heading, Table, Text


def notes(company: Company, year: int) -> tuple[Block, ...]:
    return (
        Heading("Notes to the consolidated financial statements"),
        *_basis(company, year),
        Heading("Note 2. Segments", 2),
        _segments(company, year),
        Heading("Note 3. " + company.label("Revenue") + " by region", 2),
        _regions(company, year),
        *_people(company, year),
        *_tax(company, year),
        *_investment(company, year),
        *_borrowings(company, year),
        *_dividend(company, year),
        Heading("Note 9. Events after the reporting date", 2),
        Text(company.stories[year].events),
    )


def _basis(company: Company, year: int) -> tuple[Block, ...]:
    return (
        Heading("Note 1. Basis of preparation", 2),
        Text(
            f"The consolidated financial statements cover the fiscal year ended 31 December {year}. All amounts are "
            f"in {company.unit.name}, except per share data and where stated otherwise. Amounts in brackets are "
            f"negative. The statements were audited by {company.auditor}, who issued an unqualified opinion."
        ),
    )


def _segments(company: Company, year: int) -> Table:
    show = company.unit.show
    rows: list[tuple[str, ...]] = []
    for title, now, before in (
        (company.label("Revenue"), *_pair(company, year, "segment_revenue")),
        (company.label("Operating profit"), *_pair(company, year, "segment_profit")),
    ):
        rows.append((title,))
        rows += [(name, show(a), show(b)) for name, a, b in zip(company.segments, now, before, strict=True)]
        if title == company.label("Operating profit"):
            a, b = (
                y.operating_profit - sum(y.drivers.segment_profit)
                for y in (company.years[year], company.years[year - 1])
            )
            rows.append(("Corporate and unallocated", show(a), show(b)))
            rows.append(("Total operating profit", show(sum(now) + a), show(sum(before) + b)))
        else:
            rows.append(("Total revenue", show(sum(now)), show(sum(before))))
    return Table(
        caption=f"Segment information (in {company.unit.name})",
        header=("", str(year), str(year - 1)),
        rows=rows,
        align="lrr",
        widths=(4, 1.5, 1.5),
        totals=frozenset({"Total revenue", "Total operating profit"}),
    )


def _regions(company: Company, year: int) -> Table:
    show = company.unit.show
    now, before = _pair(company, year, "region_revenue")
    return Table(
        caption=f"{company.label('Revenue')} by region of the customer (in {company.unit.name})",
        header=("Region", str(year), str(year - 1), "Change"),
        rows=(
            *(
                (name, show(a), show(b), f"{growth(a, b):+}%")
                for name, a, b in zip(company.regions, now, before, strict=True)
            ),
            ("Total", show(sum(now)), show(sum(before)), f"{growth(sum(now), sum(before)):+}%"),
        ),
        align="lrrr",
        widths=(3, 1.5, 1.5, 1.2),
        totals=frozenset({"Total"}),
    )


def _people(company: Company, year: int) -> tuple[Block, ...]:
    now, before = company.years[year].drivers, company.years[year - 1].drivers
    show = company.unit.show
    return (
        Heading("Note 4. Personnel and research", 2),
        Text(
            f"Personnel expense was {show(now.personnel_expense)} (previous year: {show(before.personnel_expense)}). "
            f"At year end the group had {now.employees:,} employees (previous year: {before.employees:,}). Research "
            f"and development expenses were {percent(now.research, company.years[year].revenue)} percent of "
            f"{company.label('revenue')}; in addition, development costs of {show(now.development)} were capitalised "
            f"(previous year: {show(before.development)})."
        ),
    )


def _tax(company: Company, year: int) -> tuple[Block, ...]:
    show = company.unit.show
    years = [company.years[y] for y in (year, year - 1)]
    expected = [tax_at_statutory_rate(company, y) for y in years]
    return (
        Heading("Note 5. Income tax", 2),
        Table(
            caption=f"Reconciliation of income tax (in {company.unit.name})",
            header=("", str(year), str(year - 1)),
            rows=(
                (company.label("Profit before tax"), *(show(y.profit_before_tax) for y in years)),
                (f"Tax at the statutory rate of {company.tax_rate}%", *(show(amount) for amount in expected)),
                (
                    "Incentives, foreign rates and other effects",
                    *(show(y.drivers.tax - amount) for y, amount in zip(years, expected, strict=True)),
                ),
                ("Income tax expense", *(show(y.drivers.tax) for y in years)),
                ("Effective tax rate", *(f"{percent(y.drivers.tax, y.profit_before_tax)}%" for y in years)),
            ),
            align="lrr",
            widths=(4, 1.5, 1.5),
            totals=frozenset({"Income tax expense"}),
            ruled=False,
        ),
    )


def _investment(company: Company, year: int) -> tuple[Block, ...]:
    show = company.unit.show
    parts = company.years[year].drivers.segment_investment
    printed = company.stories[year].printed_investment_total or sum(parts)
    return (
        Heading("Note 6. Capital expenditure by segment", 2),
        Table(
            caption=f"Purchase of property, plant and equipment in {year} (in {company.unit.name})",
            header=("Segment", str(year)),
            rows=(
                *((name, show(part)) for name, part in zip((*company.segments, "Corporate"), parts, strict=True)),
                ("Total capital expenditure", show(printed)),
            ),
            align="lr",
            widths=(4, 1.5),
            totals=frozenset({"Total capital expenditure"}),
        ),
    )


def _borrowings(company: Company, year: int) -> tuple[Block, ...]:
    show = company.unit.show
    closing = company.years[year].closing
    return (
        Heading("Note 7. Borrowings", 2),
        Text(
            f"Bank borrowings amount to {show(closing.borrowings)}, of which {show(closing.borrowings_current)} is "
            f"due within one year and {show(closing.borrowings - closing.borrowings_current)} later. The loan "
            "agreements limit net debt to 3.0 times EBITDA; the limit was kept at all reporting dates. EBITDA is "
            f"{company.label('operating profit')} before depreciation and amortisation, which amounted to "
            f"{show(company.years[year].depreciation_and_amortisation)}."
        ),
    )


def _dividend(company: Company, year: int) -> tuple[Block, ...]:
    drivers = company.years[year].drivers
    amount = drivers.dividend_cents * company.shares_thousand * company.unit.per_million // 100_000
    return (
        Heading("Note 8. Dividend", 2),
        Text(
            f"A dividend of EUR {drivers.dividend_cents / 100:.2f} per share, in total {company.unit.show(amount)}, "
            f"is proposed for {year}. During {year} a dividend of {company.unit.show(drivers.dividend_paid)} was paid "
            "for the year before."
        ),
    )


def _pair(company: Company, year: int, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return getattr(company.years[year].drivers, name), getattr(company.years[year - 1].drivers, name)
