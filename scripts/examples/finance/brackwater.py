"""Brackwater Sensors AG: the smaller peer, in millions of euros, with its own words for the usual lines."""

from decimal import Decimal

from examples.finance.company import Company, Story, Unit
from examples.finance.ledger import Balance, Drivers
from examples.paper import Look

_OPENING_2021 = Balance(
    goodwill=182, intangibles=74, plant=418, right_of_use=63, deferred_tax_assets=21,
    inventories=247, receivables=213, other_assets=32, cash=158,
    share_capital=125, share_premium=203, retained=405,
    borrowings=280, borrowings_current=40, leases=64, leases_current=15,
    pensions=61, deferred_tax_liabilities=27,
    payables=132, contract_liabilities=34, tax_payable=11, other_liabilities=66,
)  # fmt: skip

_DRIVERS = {
    2022: Drivers(
        segment_revenue=(964, 462), segment_profit=(123, 42),
        region_revenue=(883, 297, 246), segment_investment=(41, 17, 4),
        cost_of_sales=912, research=117, selling=168, administration=94, other_income=6,
        finance_income=1, finance_costs=13, tax=38,
        depreciation=51, amortisation=14, right_of_use_depreciation=15, share_based_payments=2,
        development=16, new_leases=12, lease_payments=15, leases_current=15,
        borrowed=0, repaid=40, borrowings_current=40, dividend_paid=30,
        deferred_tax_assets=21, inventories=269, receivables=224, other_assets=33,
        pensions=60, deferred_tax_liabilities=28,
        payables=139, contract_liabilities=36, tax_payable=12, other_liabilities=68,
        employees=812, personnel_expense=486, dividend_cents=28,
    ),
    2023: Drivers(
        segment_revenue=(1_038, 475), segment_profit=(139, 43),
        region_revenue=(926, 331, 256), segment_investment=(48, 21, 5),
        cost_of_sales=958, research=129, selling=176, administration=98, other_income=4,
        finance_income=2, finance_costs=16, tax=42,
        depreciation=53, amortisation=15, right_of_use_depreciation=16, share_based_payments=3,
        development=19, new_leases=23, lease_payments=15, leases_current=16,
        borrowed=60, repaid=40, borrowings_current=50, dividend_paid=35,
        deferred_tax_assets=22, inventories=284, receivables=238, other_assets=35,
        pensions=58, deferred_tax_liabilities=29,
        payables=146, contract_liabilities=39, tax_payable=13, other_liabilities=70,
        employees=846, personnel_expense=519, dividend_cents=32,
    ),
    2024: Drivers(
        segment_revenue=(1_062, 425), segment_profit=(132, 16),
        region_revenue=(904, 348, 235), segment_investment=(40, 14, 4),
        cost_of_sales=959, research=136, selling=179, administration=103, other_income=9,
        finance_income=3, finance_costs=15, tax=32,
        depreciation=56, amortisation=17, right_of_use_depreciation=16, share_based_payments=3,
        development=21, new_leases=11, lease_payments=16, leases_current=15,
        borrowed=0, repaid=50, borrowings_current=50, dividend_paid=40,
        deferred_tax_assets=24, inventories=297, receivables=229, other_assets=34,
        pensions=57, deferred_tax_liabilities=29,
        payables=138, contract_liabilities=41, tax_payable=9, other_liabilities=69,
        employees=829, personnel_expense=531, dividend_cents=24,
    ),
}  # fmt: skip

_STORIES = {
    2023: Story(
        discussion=(
            "Industrial Sensors grew with makers of packaging machines. Mobility Sensors sold slightly more, but two "
            "model changes at customers kept the margin low. A tenth production line in Regensburg started in May "
            "2023.",
        ),
        outlook="For 2024 we expect sales of EUR 150 million to EUR 156 million and an EBIT margin of about 10 "
        "percent.",
        events="On 19 January 2024 a customer of Mobility Sensors filed for insolvency; receivables of EUR 0.4 "
        "million are at risk.",
    ),
    2024: Story(
        discussion=(
            "Mobility Sensors lost volume because a customer became insolvent and others delayed new models; "
            "short-time work was introduced in October 2024. Industrial Sensors grew by a little, against a "
            "shrinking market. The result missed the forecast given a year ago.",
        ),
        outlook="For 2025 we expect sales of EUR 146 million to EUR 152 million and an EBIT margin of 8 to 9 "
        "percent. Savings of EUR 3 million a year have been decided.",
        events="On 27 January 2025 the supervisory board approved the sale of the Mobility Sensors site in Plauen.",
    ),
}

COMPANY = Company(
    name="Brackwater Sensors AG",
    slug="brackwater",
    ticker="BRWS",
    listing="Frankfurt",
    seat="Regensburg, Germany",
    business="makes position, force and temperature sensors for machines and vehicles",
    auditor="Lindau Revision GmbH",
    look=Look(accent="7a2e1d", cover=True),
    unit=Unit(name="millions of euros", decimals=1, per_million=10),
    shares_thousand=12_500,
    diluted_shares_thousand=12_640,
    tax_rate=Decimal("30.0"),
    segments=("Industrial Sensors", "Mobility Sensors"),
    regions=("Europe", "North America", "Asia-Pacific"),
    labels={
        "Revenue": "Sales revenue",
        "Operating profit": "Operating result (EBIT)",
        "Profit for the year": "Net income",
        "Profit before tax": "Result before taxes",
        "operating profit": "EBIT",
        "revenue": "sales revenue",
        "profit for the year": "net income",
    },
    opening=_OPENING_2021,
    drivers=_DRIVERS,
    stories=_STORIES,
    share_prices={2022: "10.90", 2023: "12.15", 2024: "8.40"},
)
