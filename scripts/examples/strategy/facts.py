"""Every fact that more than one strategy paper states, once, so that the papers agree wherever they are meant to.

The one fact on which they are meant to disagree, the capital budget of Project Heron, stands at the end.
"""

from examples.paper import Look

COMPANY = "Varmoor Thermal plc"
LOOK = Look(accent="0f4c5c")
PROJECT = "Project Heron"
SITE = "Ostrava, Czechia"

# People
CHIEF_EXECUTIVE = "Niamh Corrigan"
FINANCE = "Tobias Achterberg"
OPERATIONS = "Marit Solheim"
TECHNOLOGY = "Idris Okonjo"
PEOPLE = "Petra Vanek"
STRATEGY = "Aoife Brannigan"
PROJECT_DIRECTOR = "Jan Kolarik"
SALES = "Lea Fontanel"
COMMITTEE_CHAIR = "Ruth Abernathy"
RISK = "Colm Devereux"
PROCUREMENT = "Sanne Wouters"

# Dates
COMMITTEE_MEETING = "18 March 2026"
BOARD_MEETING = "26 March 2026"
CONSULTATION_END = "15 May 2026"
INVESTMENT_DECISION = "30 June 2026"
GROUND_BREAKING = "14 September 2026"
GRID_CONNECTION = "30 April 2027"
HANDOVER = "31 May 2027"
START_OF_PRODUCTION = "1 October 2027"
COMPRESSOR_CONTRACT_END = "31 December 2027"

# The business in 2025 and the plan
REVENUE_2025 = "EUR 186 million"
CONTINENTAL_2025 = "EUR 52 million"
CONTINENTAL_SHARE_2025 = "28 percent"
CONTINENTAL_TARGET_2029 = "EUR 165 million"
LIMERICK_CAPACITY = 310
LIMERICK_OUTPUT_2025 = 288
OSTRAVA_PHASE_ONE = 180
OSTRAVA_FULL = 420
LEAD_TIME_WEEKS = 38
LEAD_TIME_HERON_WEEKS = 24
ACCEPTED_LEAD_TIME_WEEKS = 26
RATE_OF_RETURN = "14.2 percent"
HURDLE_RATE = "11 percent"
PAYBACK = "6.5 years"
INCENTIVE = "EUR 6.3 million"
TERM_LOAN = "EUR 25 million"
FRAMEWORK_ORDERS = "EUR 30 million"
COMPRESSOR_SUPPLIER = "Ferrante Compressori"
COMPRESSOR_NOTICE = "nine months"
TEST_RIG = "EUR 3.6 million"
GRID_POWER = "6.5 MVA"

# People plan
HEADCOUNT_2025 = 742
HIRES = {2026: 24, 2027: 118, 2028: 62}
OSTRAVA_HEADCOUNT_2028 = sum(HIRES.values())
WELDERS = 16
SECONDEES = 9

# Market, products and customers
MARKET_2025 = "EUR 2.1 billion"
MARKET_2030 = "EUR 4.6 billion"
MARKET_GROWTH = "17 percent"
MARKET_SHARE_2025 = "2.5 percent"
VT200_PROTOTYPE = "the fourth quarter of 2026"
VT200_SERIES = "the second quarter of 2028"
LOST_TO_LEAD_TIME = "44 percent"
SERVICE_RESPONSE_HOURS = 13
SERVICE_EXPECTED_HOURS = 8

# The planted contradiction: two papers, one project, one period, two amounts, and not a word about why.
CAPITAL_BUDGET_BOARD_PAPER = "EUR 42.0 million"
CAPITAL_BUDGET_COMMITTEE_MINUTES = "EUR 47.5 million"
