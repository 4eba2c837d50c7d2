"""The market study: sizes, growth, drivers and what it leaves out."""

from datetime import date

from examples.paper import Block, Heading, Paper, Points, Table, Text
from examples.strategy import facts


def paper() -> Paper:
    return Paper(
        file_name="market-study-process-heat.pdf",
        organisation=facts.COMPANY,
        title="Market study: industrial process heat in Europe",
        subtitle="Edition of January 2026",
        author=facts.STRATEGY,
        day=date(2026, 1, 22),
        facts=(
            ("Author", f"Strategy department, {facts.STRATEGY}"),
            ("Date", "22 January 2026"),
            ("Market", "Heat pumps that deliver more than 120 degrees, continental Europe"),
            ("Values", "EUR, prices of 2025, equipment and first-year service"),
        ),
        blocks=(*_size(), *_countries(), *_industries(), *_drivers(), *_meaning(), *_limits()),
        look=facts.LOOK,
    )


def _size() -> tuple[Block, ...]:
    return (
        Heading("1. Size and growth"),
        Text(
            f"The continental market was worth {facts.MARKET_2025} in 2025. We expect {facts.MARKET_2030} in 2030, a "
            f"growth of {facts.MARKET_GROWTH} a year. The forecast rests on 1,140 industrial sites with a known "
            "boiler age, on the carbon price path of the base case, and on the building permits of the last three "
            "years."
        ),
        Table(
            caption="Table 1. Market size by year, EUR million",
            header=("Case", "2025", "2026", "2027", "2028", "2029", "2030"),
            rows=(
                ("Low case", "2,100", "2,310", "2,541", "2,795", "3,075", "3,382"),
                ("Base case", "2,100", "2,457", "2,875", "3,363", "3,935", "4,604"),
                ("High case", "2,100", "2,583", "3,177", "3,908", "4,807", "5,912"),
            ),
            align="lrrrrrr",
            widths=(2, 1, 1, 1, 1, 1, 1),
            note="Growth a year: 10 percent (low), 17 percent (base), 23 percent (high).",
        ),
    )


def _countries() -> tuple[Block, ...]:
    return (
        Heading("2. Countries"),
        Text(
            "Germany is the largest market and the slowest to grow, because many sites hold gas contracts until "
            "2028. Poland and Czechia are small but grow fastest: their boilers are the oldest, and investment aid "
            "covers up to 45 percent of the cost of a replacement. In the Nordic countries electricity is cheap, "
            "competition is strong and paper mills dominate."
        ),
        Table(
            caption="Table 2. Market by country, 2025",
            header=("Country", "Market (EUR million)", "Growth a year to 2030 (percent)", "Average boiler age (years)"),
            rows=(
                ("Germany", "520", "13", "19"),
                ("France", "340", "16", "21"),
                ("Italy", "290", "15", "22"),
                ("Nordic countries", "265", "14", "17"),
                ("Netherlands", "230", "18", "18"),
                ("Poland", "180", "27", "29"),
                ("Czechia", "95", "26", "28"),
                ("Other countries", "180", "19", "24"),
                ("Total", "2,100", "17", "21"),
            ),
            align="lrrr",
            widths=(2.4, 2, 2.4, 2),
            totals=frozenset({"Total"}),
        ),
    )


def _industries() -> tuple[Block, ...]:
    return (
        Heading("3. Industries and temperatures"),
        Text(
            "Food and drink is the largest industry, followed by pulp and paper. Dairies buy early because "
            "pasteurising and drying run all year round, which shortens the payback to three or four years. Textile "
            "finishing needs steam above 165 degrees in half of its processes and stays out of reach for today's "
            "products."
        ),
        Table(
            caption="Table 3. Market by industry, 2025",
            header=("Industry", "Share (percent)", "Typical temperature", "Typical unit size"),
            rows=(
                ("Food and drink", "34", "120 to 150 degrees", "0.8 MW"),
                ("Pulp and paper", "22", "140 to 200 degrees", "3.5 MW"),
                ("Chemicals", "19", "130 to 200 degrees", "2.2 MW"),
                ("Dairy", "15", "120 to 165 degrees", "1.2 MW"),
                ("Textiles", "10", "150 to 200 degrees", "0.9 MW"),
                ("Total", "100", "", ""),
            ),
            align="lrll",
            widths=(2.4, 1.5, 2, 1.8),
            totals=frozenset({"Total"}),
        ),
        Text(
            "By temperature, 62 percent of the market lies between 120 and 165 degrees and can be served with the "
            "VT-165. Another 27 percent lies between 165 and 200 degrees. The remaining 11 percent needs more than "
            "200 degrees, for which no heat pump is in sight before 2032."
        ),
    )


def _drivers() -> tuple[Block, ...]:
    return (
        Heading("4. Drivers and brakes"),
        Heading("4.1 Energy prices", 2),
        Text(
            "What decides a purchase is the ratio of the price of electricity to the price of gas, taxes included. "
            "At a ratio of 2.4 a heat pump with a coefficient of performance of 2.6 pays back within five years; "
            "above 3.0 hardly any site buys without aid. In 2025 the ratio was 1.7 in Sweden, 2.1 in France, 2.3 in "
            "the Netherlands, 2.6 in Czechia, 2.8 in Poland and 2.9 in Germany."
        ),
        Heading("4.2 Regulation", 2),
        Text(
            "Three rules matter. From 2027 the carbon price applies to smaller boilers as well. From 1 January 2029 "
            "new fossil-fired boilers above 1 MW need an exemption in four of the eight markets. And the proposed "
            "restriction of fluorinated substances would end the sale of units with today's refrigerant, with a "
            "transition of five years from its entry into force; a decision is expected in the second half of 2027."
        ),
        Heading("4.3 Grid connections", 2),
        Text(
            "Waiting for a stronger grid connection takes 9 months in France and 34 months in the Netherlands. In "
            "the Netherlands about a fifth of projects stand still for this reason. Thermal stores, which draw power "
            "at night, reduce the connection needed by 30 to 40 percent."
        ),
        Heading("5. What buyers ask for"),
        Points(
            (
                "A binding delivery date and a lead time that fits the summer shutdown of the plant.",
                "Service in their own language within a working day.",
                "A guaranteed coefficient of performance, with measurement.",
                "Financing: one buyer in four asks for heat as a service.",
            )
        ),
    )


def _meaning() -> tuple[Block, ...]:
    return (
        Heading("6. What it means for Varmoor"),
        Text(
            "With today's range we can serve 62 percent of the market, EUR 1,302 million in 2025. A machine that "
            "reaches 200 degrees would add 27 percent, EUR 567 million. We are present in five of the eight country "
            "groups of table 2; Italy, Poland and Czechia together make up EUR 565 million in which we have not yet "
            "made an offer."
        ),
        Text(
            "We recommend to enter Czechia and Poland first, in that order. Both buy food and dairy equipment, the "
            "sizes and temperatures of the VT-165, and both accept English contracts. Italy should wait until a "
            "service partner is found: Italian buyers named service as their first criterion in 14 of 19 interviews. "
            "In Germany growth will come late; a sales team there should not be enlarged before the gas contracts "
            "run out."
        ),
        Table(
            caption="Table 4. Order of market entry",
            header=("Country", "Entry", "Precondition", "Orders expected by 2029 (EUR million)"),
            rows=(
                ("Czechia", "2027", "Assembly and service in the region", "31"),
                ("Poland", "2027", "Sales office in Katowice with six people", "38"),
                ("Italy", "2028", "Service partner with at least 40 technicians", "22"),
            ),
            align="lllr",
            widths=(1.4, 0.9, 3.4, 2.4),
        ),
    )


def _limits() -> tuple[Block, ...]:
    return (
        Heading("7. Limits of this study"),
        Text(
            "The study covers continental Europe without Russia, Belarus and Turkey. It does not cover Ireland, "
            "Great Britain, North America or Asia, nor heat pumps for buildings and district heating. Prices of "
            "components were not studied. Market values before 2023 are estimates from customs data and should not "
            "be used for growth rates."
        ),
    )
