"""Ellandor Instruments N.V.: the larger company, in thousands of euros, with one total that was set wrongly in 2023."""

from decimal import Decimal

from examples.finance.company import Company, Story, Unit
from examples.finance.ledger import Balance, Drivers
from examples.paper import Look

_OPENING_2020 = Balance(
    goodwill=84_300, intangibles=31_640, plant=142_480, right_of_use=22_370, deferred_tax_assets=9_810,
    inventories=88_230, receivables=79_410, other_assets=14_560, cash=61_720,
    share_capital=48_000, share_premium=112_000, retained=108_290,
    borrowings=107_000, borrowings_current=12_000, leases=23_010, leases_current=5_120,
    pensions=26_280, deferred_tax_liabilities=11_230,
    payables=46_740, contract_liabilities=21_810, tax_payable=5_880, other_liabilities=24_280,
)  # fmt: skip

_DRIVERS = {
    2021: Drivers(
        segment_revenue=(268_410, 172_350, 94_820), segment_profit=(41_870, 18_440, 14_960),
        region_revenue=(271_940, 148_360, 92_710, 22_570), segment_investment=(12_680, 6_940, 3_170, 1_520),
        cost_of_sales=301_530, research=48_720, selling=82_460, administration=41_280, other_income=2_310,
        finance_income=310, finance_costs=4_270, tax=15_040,
        depreciation=19_840, amortisation=6_310, right_of_use_depreciation=5_470, share_based_payments=1_640,
        development=7_420, new_leases=6_120, lease_payments=5_380, leases_current=5_190,
        borrowed=0, repaid=12_000, borrowings_current=12_000, dividend_paid=18_240,
        deferred_tax_assets=9_620, inventories=94_310, receivables=85_620, other_assets=15_120,
        pensions=25_940, deferred_tax_liabilities=11_460,
        payables=50_240, contract_liabilities=23_610, tax_payable=6_120, other_liabilities=25_430,
        employees=2_688, personnel_expense=168_940, dividend_cents=42,
    ),
    2022: Drivers(
        segment_revenue=(291_760, 184_290, 103_470), segment_profit=(43_920, 17_680, 16_530),
        region_revenue=(288_150, 165_240, 101_880, 24_250), segment_investment=(16_240, 8_930, 4_180, 2_100),
        cost_of_sales=330_870, research=52_640, selling=88_390, administration=43_750, other_income=1_870,
        finance_income=420, finance_costs=4_610, tax=15_630,
        depreciation=20_760, amortisation=6_740, right_of_use_depreciation=5_690, share_based_payments=1_820,
        development=8_160, new_leases=4_980, lease_payments=5_540, leases_current=5_310,
        borrowed=15_000, repaid=12_000, borrowings_current=14_000, dividend_paid=20_160,
        deferred_tax_assets=9_410, inventories=108_640, receivables=93_480, other_assets=16_340,
        pensions=24_870, deferred_tax_liabilities=11_830,
        payables=55_170, contract_liabilities=26_240, tax_payable=5_740, other_liabilities=26_890,
        employees=2_815, personnel_expense=181_360, dividend_cents=44,
    ),
    2023: Drivers(
        segment_revenue=(307_940, 176_830, 116_250), segment_profit=(46_310, 14_270, 20_940),
        region_revenue=(296_480, 176_910, 101_350, 26_280), segment_investment=(22_640, 9_480, 6_350, 2_900),
        cost_of_sales=338_960, research=57_110, selling=93_270, administration=46_090, other_income=2_640,
        finance_income=1_180, finance_costs=5_930, tax=16_250,
        depreciation=21_930, amortisation=8_920, right_of_use_depreciation=5_880, share_based_payments=1_990,
        development=8_840, acquired_goodwill=17_850, acquired_intangibles=9_650,
        new_leases=7_340, lease_payments=5_760, leases_current=5_680,
        borrowed=40_000, repaid=14_000, borrowings_current=26_000, dividend_paid=21_120,
        deferred_tax_assets=9_730, inventories=103_270, receivables=95_160, other_assets=15_870,
        pensions=24_310, deferred_tax_liabilities=13_920,
        payables=53_860, contract_liabilities=29_870, tax_payable=5_980, other_liabilities=27_310,
        employees=2_871, personnel_expense=192_750, dividend_cents=46,
    ),
    2024: Drivers(
        segment_revenue=(334_180, 189_460, 131_590), segment_profit=(55_480, 18_950, 25_110),
        region_revenue=(314_720, 199_380, 112_640, 28_490), segment_investment=(14_720, 7_910, 5_140, 2_090),
        cost_of_sales=364_310, research=61_830, selling=98_640, administration=48_270, other_income=3_150,
        finance_income=1_540, finance_costs=5_480, tax=20_660,
        depreciation=22_870, amortisation=9_150, right_of_use_depreciation=6_120, share_based_payments=2_240,
        development=9_370, new_leases=5_610, lease_payments=5_970, leases_current=5_740,
        borrowed=0, repaid=26_000, borrowings_current=18_000, dividend_paid=22_080,
        deferred_tax_assets=9_280, inventories=107_950, receivables=104_730, other_assets=17_210,
        pensions=23_760, deferred_tax_liabilities=13_510,
        payables=58_920, contract_liabilities=33_450, tax_payable=7_860, other_liabilities=29_640,
        employees=2_946, personnel_expense=204_880, dividend_cents=56,
    ),
}  # fmt: skip

_STORIES = {
    2022: Story(
        discussion=(
            "Process Measurement benefited from the replacement of flow meters in water utilities. Laboratory "
            "Instruments sold more but earned less, because electronic components had to be bought on the spot "
            "market at high prices. Inventories rose on purpose: we bought twelve months of critical parts.",
            "The plant in Zwolle was extended by a clean room, which opened in November 2022. The closure of the "
            "small workshop in Graz cost EUR 1.1 million and is included in administrative expenses.",
        ),
        outlook="For 2023 we expect revenue growth of 3 to 5 percent and an operating margin between 11 and 12 "
        "percent. Capital expenditure will rise to about EUR 40 million because of the new calibration centre in "
        "Houston.",
        events="On 6 February 2023 the company signed an agreement to buy all shares of Pallax Software B.V., Delft.",
    ),
    2023: Story(
        discussion=(
            "Laboratory Instruments declined, as pharmaceutical customers in Asia-Pacific reduced their stocks and "
            "postponed orders. Services and Calibration grew fastest and earned more than Laboratory Instruments for "
            "the first time. Component prices eased from the second quarter, which lifted the gross margin.",
            "Pallax Software B.V., acquired on 3 April 2023 for EUR 27.5 million in cash, contributed EUR 6.2 "
            "million to revenue. The calibration centre in Houston opened in September 2023. Part of the investment "
            "was financed with a new loan of EUR 40 million that is repaid in instalments until 2029.",
        ),
        outlook="For 2024 we expect revenue growth of 5 to 7 percent and an operating margin above 12 percent. "
        "Capital expenditure will fall to about EUR 30 million.",
        events="There were no events after 31 December 2023 that would have to be reported.",
        printed_investment_total=41_730,
    ),
    2024: Story(
        discussion=(
            "All three segments grew. Process Measurement delivered a large order for hydrogen metering to a "
            "pipeline operator, worth EUR 18.4 million. Laboratory Instruments recovered in the second half of the "
            "year. Price increases of 2.5 percent on average took effect in March.",
            "Working capital grew less than revenue. Borrowings of EUR 26 million were repaid from the cash flow of "
            "the year, and no new loans were taken. The supervisory board appointed Hanneke Vos as chief financial "
            "officer with effect from 1 May 2024.",
        ),
        outlook="For 2025 we expect revenue growth of 6 to 8 percent and an operating margin between 13 and 14 "
        "percent. The target range for net debt is below one times EBITDA.",
        events="On 12 February 2025 a fire in a supplier's warehouse in Eindhoven destroyed components worth EUR 0.9 "
        "million; the loss is insured except for a retention of EUR 0.1 million.",
    ),
}

COMPANY = Company(
    name="Ellandor Instruments N.V.",
    slug="ellandor",
    ticker="ELLN",
    listing="Amsterdam",
    seat="Zwolle, the Netherlands",
    business="develops, makes and services instruments that measure flow, pressure and the composition of liquids "
    "and gases",
    auditor="Van Rossum & Keizer Accountants",
    look=Look(accent="1d3f72", serif=True, cover=True),
    unit=Unit(name="thousands of euros", decimals=0, per_million=1_000),
    shares_thousand=48_000,
    diluted_shares_thousand=48_620,
    tax_rate=Decimal("25.8"),
    segments=("Process Measurement", "Laboratory Instruments", "Services and Calibration"),
    regions=("Europe", "North America", "Asia-Pacific", "Rest of the world"),
    labels={},
    opening=_OPENING_2020,
    drivers=_DRIVERS,
    stories=_STORIES,
    share_prices={2021: "17.85", 2022: "14.20", 2023: "15.64", 2024: "20.95"},
    earlier_years=(("2020", 501_260, 52_480, 36_150, 2_604),),
)
