"""The results of the customer survey: what customers accept, expect and complain about."""

from datetime import date

from examples.paper import Block, Heading, Paper, Points, Table, Text
from examples.strategy import facts


def paper() -> Paper:
    return Paper(
        file_name="customer-survey-2025.docx",
        organisation=facts.COMPANY,
        title="Customer survey 2025: results",
        subtitle="Prepared by Larkfield Research for Varmoor Thermal, December 2025",
        author="Larkfield Research",
        day=date(2025, 12, 12),
        facts=(
            ("Fieldwork", "6 October to 14 November 2025"),
            ("Invited", "611 customers and recent bidders in nine countries"),
            ("Answers", "214 (35 percent)"),
            ("Commissioned by", f"{facts.SALES}, Vice President Sales Continental Europe"),
            ("Date", "12 December 2025"),
        ),
        blocks=(*_summary(), *_results(), *_advice()),
        look=facts.LOOK,
    )


def _summary() -> tuple[Block, ...]:
    return (
        Heading("Summary"),
        Text(
            "Customers value the equipment and are impatient with everything around it. The net promoter score is 41 "
            "overall, up from 38 in the survey of 2023. In Ireland and Great Britain it is 52; in continental Europe "
            "it is 29. Reliability scores highest of all attributes, at 8.7 out of 10; delivery time scores lowest, "
            "at 5.1."
        ),
        Points(
            (
                f"The longest delivery time that customers accept is {facts.ACCEPTED_LEAD_TIME_WEEKS} weeks (median "
                "answer).",
                f"Customers expect a technician on site within {facts.SERVICE_EXPECTED_HOURS} hours; the average in "
                f"practice on the continent is {facts.SERVICE_RESPONSE_HOURS} hours.",
                "63 percent plan to replace at least one gas boiler before 2030.",
                "For service from their own country customers would pay a premium of 4 percent.",
            )
        ),
    )


def _results() -> tuple[Block, ...]:
    return (
        Heading("Why orders were lost"),
        Text(
            "Of the 214 respondents, 97 had asked for an offer in the last two years and then bought elsewhere. They "
            "were asked for the main reason."
        ),
        Table(
            caption="Main reason for buying elsewhere (97 respondents)",
            header=("Reason", "Share (percent)"),
            rows=(
                ("Delivery time", "44"),
                ("Price", "27"),
                ("No local service", "18"),
                ("Other", "11"),
                ("Total", "100"),
            ),
            align="lr",
            widths=(3, 1),
            totals=frozenset({"Total"}),
        ),
        Heading("Satisfaction by attribute"),
        Table(
            caption="Average score from 1 (poor) to 10 (excellent)",
            header=("Attribute", "Ireland and Great Britain", "Continental Europe", "All"),
            rows=(
                ("Reliability", "8.8", "8.6", "8.7"),
                ("Energy efficiency", "8.3", "8.4", "8.3"),
                ("Advice before purchase", "7.9", "7.2", "7.6"),
                ("Spare parts", "7.4", "6.0", "6.8"),
                ("Service response", "7.6", "5.4", "6.6"),
                ("Delivery time", "5.8", "4.2", "5.1"),
            ),
            align="lrrr",
            widths=(3, 2, 2, 1),
        ),
        Heading("Plans until 2030"),
        Text(
            "Asked about process heat, 63 percent plan to replace at least one gas boiler before 2030, 22 percent "
            "have not decided and 15 percent plan no change. Of those with plans, 71 percent need temperatures "
            "between 120 and 165 degrees and 18 percent need more than 165 degrees. The obstacles named most often "
            "are the price of electricity (58 percent), the grid connection on their own site (37 percent) and the "
            "lack of staff who can operate the equipment (24 percent); several answers were possible."
        ),
        Heading("In customers' words"),
        Points(
            (
                'Brewery, Netherlands: "The machine has not stopped once. Getting it took longer than building the '
                'hall around it."',
                'Dairy, Germany: "We would rather wait six months for Varmoor than three for the second best, but '
                'not nine."',
                'Paper mill, Sweden: "Show us 200 degrees and we will sign."',
                'Food producer, France: "A spare valve travelled for eleven days."',
            )
        ),
    )


def _advice() -> tuple[Block, ...]:
    return (
        Heading("What we would do"),
        Text(
            "Larkfield Research recommends to promise delivery dates in writing with a penalty of 0.5 percent of the "
            "price for each week of delay, to store the 40 spare parts most often ordered on the continent, and to "
            "repeat the survey in the autumn of 2027."
        ),
        Heading("Method"),
        Text(
            "Answers were collected online and by telephone in five languages. Results for a single country are "
            "shown only where at least 20 answers were given; this excludes Denmark and Austria. The margin of error "
            "for shares of all respondents is 5.4 percentage points at a confidence level of 95 percent. Net "
            "promoter score: share of respondents who would recommend Varmoor with 9 or 10 points less the share of "
            "those who gave 6 points or fewer."
        ),
    )
