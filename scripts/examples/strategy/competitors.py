"""The competitor analysis: shares, prices, delivery times and what rivals are expected to do."""

from datetime import date

from examples.paper import Block, Heading, Paper, Points, Table, Text
from examples.strategy import facts


def paper() -> Paper:
    return Paper(
        file_name="competitor-analysis-2026.pdf",
        organisation=facts.COMPANY,
        title="Competitor analysis: high-temperature heat pumps",
        subtitle="Strategy department, February 2026",
        author=facts.STRATEGY,
        day=date(2026, 2, 9),
        facts=(
            ("Author", f"{facts.STRATEGY}, Head of Strategy"),
            ("Date", "9 February 2026"),
            ("Scope", "Suppliers of heat pumps above 120 degrees in continental Europe"),
            (
                "Sources",
                "Tender results 2023 to 2025, trade fairs, company registers, interviews with 17 plant managers",
            ),
        ),
        blocks=(*_field(), *_profiles(), *_conclusions()),
        look=facts.LOOK,
    )


def _field() -> tuple[Block, ...]:
    return (
        Heading("1. The field"),
        Text(
            f"Four suppliers hold 52 percent of a market of {facts.MARKET_2025}. {facts.COMPANY} is fifth with "
            f"{facts.MARKET_SHARE_2025}. The rest is spread over some forty small makers, most of them serving one "
            "country or one branch of industry."
        ),
        Table(
            caption="Table 1. Market shares in continental Europe, 2025, by value",
            header=("Supplier", "Country", "Share (percent)", "Change on 2023 (points)"),
            rows=(
                ("Kaltwerk Systeme", "Germany", "19.0", "+2.5"),
                ("Nakagiri Thermal", "Japan", "14.0", "+3.0"),
                ("Hydrotherm Lindqvist", "Sweden", "11.0", "-1.0"),
                ("Atelier Calorique", "France", "8.0", "-0.5"),
                ("Varmoor Thermal", "Ireland", "2.5", "+0.4"),
                ("Others", "", "45.5", "-4.4"),
                ("Total", "", "100.0", "0.0"),
            ),
            align="llrr",
            widths=(3, 1.6, 1.6, 2),
            totals=frozenset({"Total"}),
        ),
        Table(
            caption="Table 2. Offer compared: a unit of 1 MW delivered to Germany",
            header=("Supplier", "Highest temperature", "Price (EUR per kW)", "Delivery (weeks)", "Service (hours)"),
            rows=(
                ("Kaltwerk Systeme", "150 degrees", "655", "21", "6"),
                ("Nakagiri Thermal", "160 degrees", "540", "34", "20"),
                ("Hydrotherm Lindqvist", "140 degrees", "590", "25", "9"),
                ("Atelier Calorique", "130 degrees", "570", "28", "11"),
                (
                    "Varmoor Thermal",
                    "165 degrees",
                    "610",
                    str(facts.LEAD_TIME_WEEKS),
                    str(facts.SERVICE_RESPONSE_HOURS),
                ),
            ),
            align="llrrr",
            widths=(2.4, 2, 1.8, 1.6, 1.5),
            note="Service: average time until a technician is on site. Prices without installation, fourth quarter "
            "of 2025.",
        ),
    )


def _profiles() -> tuple[Block, ...]:
    return (
        Heading("2. Profiles"),
        Heading("2.1 Kaltwerk Systeme", 2),
        Text(
            "Family-owned, 1,900 employees, plant in Chemnitz. Kaltwerk delivers fastest, in 21 weeks, and sells a "
            "ten-year full service contract that nobody else offers. It is dearest per kilowatt. Its KW-190, "
            "announced for 190 degrees, was shown at the Hanover trade fair; first deliveries are promised for the "
            "third quarter of 2027. Two of our plant-manager interviews suggest that the prototype has not yet run "
            "for more than 400 hours."
        ),
        Heading("2.2 Nakagiri Thermal", 2),
        Text(
            "The cheapest supplier at EUR 540 per kilowatt. Units are shipped from Osaka, and service depends on "
            "three agents. Nakagiri has leased a hall of 9,000 square metres in Zaragoza, Spain, and is hiring "
            "assembly staff: we expect European assembly from 2028, which would cut its delivery time to about 24 "
            "weeks. This is the development that would hurt us most."
        ),
        Heading("2.3 Hydrotherm Lindqvist", 2),
        Text(
            "Strong in paper mills, weak elsewhere. The company lost its chief engineer and two product managers in "
            "2025 and withdrew from four German tenders. It uses the same compressor supplier as we do, "
            f"{facts.COMPRESSOR_SUPPLIER}, and has the larger volume there."
        ),
        Heading("2.4 Atelier Calorique", 2),
        Text(
            "A state-backed champion in France with 61 percent of its sales at home. Its units stop at 130 degrees, "
            "which excludes most sterilisation and drying. It is a possible partner for service in southern Europe "
            "rather than a threat."
        ),
    )


def _conclusions() -> tuple[Block, ...]:
    return (
        Heading("3. What follows for us"),
        Points(
            (
                "Temperature is our lead: no other series product reaches 165 degrees. The lead lasts until the "
                "KW-190 is delivered in numbers.",
                f"Delivery is our weakness: {facts.LEAD_TIME_WEEKS} weeks is the longest of the five.",
                "Price is not the problem: we are 45 euros per kilowatt below Kaltwerk and win on running cost.",
                f"Service is the second weakness: {facts.SERVICE_RESPONSE_HOURS} hours against 6 at Kaltwerk.",
            )
        ),
        Heading("4. Recommendation"),
        Text(
            "We recommend to close the gap in delivery before Nakagiri assembles in Europe, to defend the lead in "
            "temperature with the VT-200, and to offer a five-year full service contract from January 2027. We "
            "advise against a price cut: tender results show that a discount of 5 percent would have won only three "
            "of the 41 tenders lost in 2025."
        ),
    )
