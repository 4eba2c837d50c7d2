"""The product roadmap: what comes when, what it costs, what it depends on."""

from datetime import date

from examples.paper import Block, Heading, Paper, Points, Table, Text
from examples.strategy import facts


def paper() -> Paper:
    return Paper(
        file_name="product-roadmap-2026-2029.docx",
        organisation=facts.COMPANY,
        title="Product roadmap 2026 to 2029",
        subtitle="Research and development, February 2026",
        author=facts.TECHNOLOGY,
        day=date(2026, 2, 24),
        facts=(
            ("Owner", f"{facts.TECHNOLOGY}, Chief Technology Officer"),
            ("Date", "24 February 2026"),
            ("Replaces", "Roadmap of March 2025"),
        ),
        blocks=(*_range(), *_vt200(), *_others(), *_budget(), *_dependencies()),
        look=facts.LOOK,
    )


def _range() -> tuple[Block, ...]:
    return (
        Heading("1. The range"),
        Text(
            "The VT-165, launched in 2024, made up 71 percent of units sold in 2025. The VT-120 is sold out of stock "
            "until the end of 2027 and then withdrawn; spare parts stay available for fifteen years after the last "
            "delivery. The roadmap adds one machine, the VT-200, one thermal store, the Kiln Store 12, and two "
            "releases of the control software Tern OS."
        ),
        Table(
            caption="Products and milestones",
            header=("Product", "What it is", "Next milestone", "Series delivery"),
            rows=(
                ("VT-120", "Heat pump up to 120 degrees", "Last order day 30 September 2027", "since 2018"),
                ("VT-165", "Heat pump up to 165 degrees", "Second generation controls, November 2026", "since 2024"),
                ("VT-200", "Heat pump up to 200 degrees, water as refrigerant", "Prototype, Q4 2026", "Q2 2028"),
                ("Kiln Store 12", "Thermal store of 12 MWh", "Pilot in Cork, March 2027", "Q1 2028"),
                ("Tern OS 4", "Control software with load forecast", "Release candidate, August 2026", "Q4 2026"),
                ("Tern OS 5", "Control of several sites and stores", "Concept, Q3 2027", "Q3 2029"),
            ),
            align="llll",
            widths=(1.4, 3, 2.8, 1.4),
        ),
    )


def _vt200() -> tuple[Block, ...]:
    return (
        Heading("2. VT-200"),
        Text(
            "The VT-200 reaches 200 degrees with water as refrigerant and therefore contains no fluorinated "
            f"substances. The prototype is due in {facts.VT200_PROTOTYPE}. Field trials run through 2027 at three "
            "sites: a paper mill near Sundsvall, a chemical plant near Antwerp and a brewery in Limerick. Series "
            f"delivery starts in {facts.VT200_SERIES} if each trial completes 4,000 hours with an availability of at "
            "least 97 percent."
        ),
        Text(
            f"The test rig, {facts.TEST_RIG}, must be in place before the prototype. The target price is EUR 690 per "
            "kilowatt, the target coefficient of performance 2.1 at a lift of 90 degrees. The VT-200 will be built "
            "in Limerick; moving it to another plant is not planned within this roadmap."
        ),
    )


def _others() -> tuple[Block, ...]:
    return (
        Heading("3. Kiln Store 12"),
        Text(
            "The store holds 12 MWh in ceramic bricks at up to 900 degrees and gives steam for eight hours. It lets "
            "customers buy power at night and get by with a smaller grid connection. The pilot at a malting plant in "
            "Cork decides on the brick supplier. Sales expects 15 stores in 2028 and 40 in 2029."
        ),
        Heading("4. Tern OS"),
        Text(
            "Release 4 forecasts the heat demand of the next 36 hours and shifts load by price. It is free of charge "
            "for machines delivered since 2022 and costs EUR 9,500 for older ones. Security updates for release 3 "
            "end on 31 December 2028."
        ),
    )


def _budget() -> tuple[Block, ...]:
    return (
        Heading("5. Budget"),
        Table(
            caption="Research and development budget, EUR million",
            header=("Programme", "2026", "2027", "2028", "2029", "Total"),
            rows=(
                ("VT-200", "5.2", "6.1", "4.3", "2.0", "17.6"),
                ("VT-165 care and cost reduction", "2.4", "2.2", "2.9", "3.4", "10.9"),
                ("Kiln Store", "1.6", "2.3", "3.0", "3.6", "10.5"),
                ("Tern OS", "1.9", "1.8", "2.7", "4.1", "10.5"),
                ("Basic research", "0.7", "0.8", "1.1", "1.3", "3.9"),
                ("Total", "11.8", "13.2", "14.0", "14.4", "53.4"),
            ),
            align="lrrrrr",
            widths=(3, 1, 1, 1, 1, 1),
            totals=frozenset({"Total"}),
            note="Running expenses without investment in test equipment.",
        ),
    )


def _dependencies() -> tuple[Block, ...]:
    return (
        Heading("6. Dependencies and decisions"),
        Points(
            (
                f"Compressors: the VT-165 uses the screw compressor of {facts.COMPRESSOR_SUPPLIER}. The VT-200 uses a "
                "turbo compressor of our own design, so that its schedule does not depend on that contract.",
                "Refrigerant: if the restriction of fluorinated substances is decided as proposed, the VT-165 needs "
                "a new refrigerant within the transition period. A study for EUR 0.4 million is part of the 2026 "
                "budget.",
                "People: the VT-200 team grows from 23 to 31 engineers in 2026. Six of the eight posts are filled.",
                "Not pursued: machines below 300 kW, cooling, and hydrogen burners.",
            )
        ),
        Text(
            "The next review of the roadmap is on 8 September 2026. If the prototype is later than January 2027, the "
            "review decides whether one of the three field trials is given up to keep the start of series delivery."
        ),
    )
