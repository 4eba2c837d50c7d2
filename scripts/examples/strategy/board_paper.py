"""The board paper on European expansion: the hub the other strategy papers refer to."""

from datetime import date

from examples.paper import Block, Heading, Paper, Points, Table, Text
from examples.strategy import facts


def paper() -> Paper:
    return Paper(
        file_name="board-paper-european-expansion.pdf",
        organisation=facts.COMPANY,
        title="Board paper: European expansion",
        subtitle=f"For decision at the board meeting of {facts.BOARD_MEETING}",
        author=facts.STRATEGY,
        day=date(2026, 3, 20),
        facts=(
            ("Paper", "B-2026-11"),
            ("Sponsor", f"{facts.CHIEF_EXECUTIVE}, Chief Executive"),
            ("Author", f"{facts.STRATEGY}, Head of Strategy"),
            ("Date", "20 March 2026"),
            ("Classification", "Confidential"),
        ),
        blocks=(*_case(), *_options(), *_project(), *_money(), *_recommendation()),
        look=facts.LOOK,
    )


def _case() -> tuple[Block, ...]:
    return (
        Heading("1. What the board is asked to decide"),
        Text(
            f"The board is asked to approve {facts.PROJECT}, a second assembly plant in {facts.SITE}, subject to the "
            "four conditions in section 6, and to authorise management to take the final investment decision by "
            f"{facts.INVESTMENT_DECISION}. The plant would build VT-165 heat pumps from {facts.START_OF_PRODUCTION} "
            f"and lift continental European revenue from {facts.CONTINENTAL_2025} in 2025 to "
            f"{facts.CONTINENTAL_TARGET_2029} in 2029."
        ),
        Heading("2. Why now"),
        Text(
            f"Group revenue reached {facts.REVENUE_2025} in 2025, of which continental Europe contributed "
            f"{facts.CONTINENTAL_2025}, or {facts.CONTINENTAL_SHARE_2025}. Our only plant, in Limerick, can build "
            f"{facts.LIMERICK_CAPACITY} units a year and built {facts.LIMERICK_OUTPUT_2025} in 2025, a utilisation of "
            "93 percent. The order backlog stood at EUR 94 million on 31 December 2025, of which EUR 41 million is "
            "for customers on the continent."
        ),
        Text(
            f"Continental customers wait {facts.LEAD_TIME_WEEKS} weeks for a unit. In the 2025 customer survey "
            f"{facts.LOST_TO_LEAD_TIME} of lost orders were lost because of delivery time. The market study puts the "
            f"continental market for heat pumps above 120 degrees at {facts.MARKET_2025} in 2025 and "
            f"{facts.MARKET_2030} in 2030; our share is {facts.MARKET_SHARE_2025}."
        ),
        Table(
            caption="Table 1. Continental revenue by country, 2025",
            header=("Country", "Revenue (EUR million)", "Installed units"),
            rows=(
                ("Netherlands", "16.9", "121"),
                ("Germany", "14.3", "88"),
                ("France", "9.8", "64"),
                ("Nordic countries", "6.4", "37"),
                ("Other countries", "4.6", "29"),
                ("Total", "52.0", "339"),
            ),
            align="lrr",
            widths=(3, 2, 2),
            totals=frozenset({"Total"}),
        ),
        Table(
            caption="Table 2. Demand plan and capacity, units a year",
            header=("", "2026", "2027", "2028", "2029"),
            rows=(
                ("Demand plan", "302", "338", "416", "505"),
                ("Limerick capacity", "310", "310", "310", "310"),
                ("Ostrava capacity", "0", "20", "180", "180"),
                ("Total capacity", "310", "330", "490", "490"),
            ),
            align="lrrrr",
            widths=(3, 1, 1, 1, 1),
            totals=frozenset({"Total capacity"}),
            note="Ostrava 2027: the fourth quarter only. The gap of 8 units in 2027 is bridged by Saturday work in "
            "Limerick.",
        ),
    )


def _options() -> tuple[Block, ...]:
    return (
        Heading("3. Options considered"),
        Table(
            caption="Table 3. The three options",
            header=("Option", "What it is", "Capacity gained", "Lead time, continent", "Earliest start"),
            rows=(
                ("A", "Extend the Limerick plant with a third hall", "110 units", "33 weeks", "April 2028"),
                (
                    "B",
                    f"{facts.PROJECT}: a new plant in {facts.SITE}",
                    f"{facts.OSTRAVA_PHASE_ONE} units, extendable to {facts.OSTRAVA_FULL}",
                    f"{facts.LEAD_TIME_HERON_WEEKS} weeks",
                    "October 2027",
                ),
                ("C", "Contract manufacturing by a partner in Maribor, Slovenia", "90 units", "30 weeks", "March 2027"),
            ),
            align="lllll",
            widths=(0.8, 3, 2, 1.6, 1.4),
        ),
        Text(
            "Option A would cost EUR 19 million but leaves continental customers beyond the sea crossing and cannot "
            "serve the 2029 demand plan. Option C needs the least capital, EUR 5 million for tooling, but hands our "
            "welding know-how to a partner that also works for a competitor, and its unit cost is 11 percent above "
            "that of Limerick. Option B is the only one that brings the lead time below what customers say they "
            "accept."
        ),
    )


def _project() -> tuple[Block, ...]:
    return (
        Heading(f"4. {facts.PROJECT} in outline"),
        Text(
            f"The site is a serviced plot of 6.2 hectares in the Hrabova industrial zone of {facts.SITE}, with rail "
            f"access and a {facts.GRID_POWER} grid connection that the distribution operator has promised by "
            f"{facts.GRID_CONNECTION}. {facts.PROJECT_DIRECTOR} is project director and reports to "
            f"{facts.OPERATIONS}, Chief Operating Officer."
        ),
        Table(
            caption="Table 4. Milestones",
            header=("Milestone", "Date", "Owner"),
            rows=(
                ("Works council consultation concluded", facts.CONSULTATION_END, facts.PEOPLE),
                ("Final investment decision", facts.INVESTMENT_DECISION, facts.CHIEF_EXECUTIVE),
                ("Ground-breaking", facts.GROUND_BREAKING, facts.PROJECT_DIRECTOR),
                ("Grid connection energised", facts.GRID_CONNECTION, facts.PROJECT_DIRECTOR),
                ("Building handed over", facts.HANDOVER, facts.PROJECT_DIRECTOR),
                ("Start of production", facts.START_OF_PRODUCTION, facts.OPERATIONS),
            ),
            align="lll",
            widths=(3, 1.6, 1.6),
        ),
        Text(
            f"Phase one gives {facts.OSTRAVA_PHASE_ONE} units a year from 2028. Phase two would lift the plant to "
            f"{facts.OSTRAVA_FULL} units a year by 2030; it is not part of this approval, needs a separate paper, and "
            "must be decided by December 2028 if the 2029 demand plan holds."
        ),
        Text(
            "The land is bought, not leased. The seller, the municipal development company, keeps a right to buy the "
            "plot back at the purchase price if construction has not begun within 18 months of the land transfer. "
            "Twelve percent of the plot must stay unsealed, and rainwater from the roofs must be held on site. The "
            "plot is outside the flood zone of the Ostravice river, but the access road is not: the insurer requires "
            "a second emergency access before the first machine is installed."
        ),
    )


def _money() -> tuple[Block, ...]:
    return (
        Heading("5. Capital and return"),
        Text(
            f"The capital budget of {facts.PROJECT} for the years 2026 to 2028 is {facts.CAPITAL_BUDGET_BOARD_PAPER}, "
            "including contingency and before any investment incentive. Table 5 shows its parts."
        ),
        Table(
            caption=f"Table 5. {facts.PROJECT}: capital budget 2026 to 2028, in EUR million",
            header=("Item", "2026", "2027", "2028", "Total"),
            rows=(
                ("Land and buildings", "6.8", "8.8", "0.0", "15.6"),
                ("Machinery and test bays", "1.5", "9.4", "4.0", "14.9"),
                ("Information systems", "0.6", "1.9", "0.6", "3.1"),
                ("Commissioning and training", "0.2", "2.7", "1.3", "4.2"),
                ("Contingency", "0.9", "2.3", "1.0", "4.2"),
                ("Total", "10.0", "25.1", "6.9", "42.0"),
            ),
            align="lrrrr",
            widths=(3, 1, 1, 1, 1),
            totals=frozenset({"Total"}),
        ),
        Text(
            f"A term loan of {facts.TERM_LOAN} from Shannon Mercantile Bank, at a fixed 4.35 percent over eight "
            "years, finances the larger part; the rest comes from cash. The bank's covenant limits net debt to 2.5 "
            f"times EBITDA. The project returns {facts.RATE_OF_RETURN} a year (internal rate of return) against a "
            f"hurdle rate of {facts.HURDLE_RATE}, and pays back in {facts.PAYBACK}. A Czech investment incentive of "
            f"{facts.INCENTIVE} has been applied for and is included in these figures."
        ),
        Text(
            "If the ramp-up slips by two quarters the return falls to 12.1 percent; if unit prices fall by 5 percent "
            "it falls to 10.4 percent, below the hurdle rate. The project does not depend on phase two."
        ),
    )


def _recommendation() -> tuple[Block, ...]:
    return (
        Heading("6. Recommendation and conditions"),
        Text(
            "Management recommends option B. It is the only option that can grow with the demand plan, brings delivery "
            "below the lead time that customers accept, and keeps our welding and test know-how in the company. The "
            "approval should lapse if any of the following conditions is not met by the date of the final investment "
            "decision:"
        ),
        Points(
            (
                f"Condition 1: the investment incentive of {facts.INCENTIVE} is granted in writing.",
                f"Condition 2: at least three framework orders worth together {facts.FRAMEWORK_ORDERS} or more are "
                "signed by continental customers.",
                "Condition 3: the consultation of the works council in Limerick is concluded by "
                f"{facts.CONSULTATION_END}.",
                f"Condition 4: a second source for compressors beside {facts.COMPRESSOR_SUPPLIER} has passed "
                "technical approval.",
            )
        ),
        Text(
            f"{facts.STRATEGY} reports on the conditions to the board by 12 June 2026. Until the final investment "
            "decision, commitments for the project are limited to EUR 1.8 million."
        ),
    )
