"""The risk register of Project Heron: one wide table and the rules that go with its scores."""

from dataclasses import replace
from datetime import date

from examples.paper import Block, Heading, Paper, Points, Table, Text
from examples.strategy import facts

_RISKS: tuple[tuple[str, str, int, int, str, str, str], ...] = (
    (
        "R-01",
        f"The investment incentive of {facts.INCENTIVE} is refused or decided late",
        3,
        4,
        facts.FINANCE,
        "Monthly contact with the agency; condition for the final investment decision",
        "24 April 2026",
    ),
    (
        "R-02",
        f"The building is handed over later than {facts.HANDOVER}",
        4,
        4,
        facts.PROJECT_DIRECTOR,
        "Fixed-price contract with a penalty of EUR 20,000 a day, capped at EUR 1.6 million",
        "30 September 2026",
    ),
    (
        "R-03",
        f"Compressors come from one source, {facts.COMPRESSOR_SUPPLIER}, whose contract ends on "
        f"{facts.COMPRESSOR_CONTRACT_END}",
        3,
        5,
        facts.PROCUREMENT,
        "Approve a second source; safety stock of 14 weeks in Limerick",
        "29 May 2026",
    ),
    (
        "R-04",
        f"The {facts.WELDERS} certified pressure welders cannot be hired in time",
        4,
        3,
        facts.PEOPLE,
        "Training places with the technical school; secondment from Limerick",
        "31 December 2026",
    ),
    (
        "R-05",
        "The price of electricity rises to more than three times that of gas in core markets",
        3,
        4,
        facts.SALES,
        "Sell thermal stores with the units; heat as a service with a price cap",
        "30 June 2026",
    ),
    (
        "R-06",
        "Fluorinated refrigerants are restricted before the VT-200 with water is ready",
        3,
        4,
        facts.TECHNOLOGY,
        "Keep the water cycle on schedule; no purchase commitments for refrigerant beyond 2028",
        "31 October 2026",
    ),
    (
        "R-07",
        f"The {facts.GRID_POWER} grid connection is not energised by {facts.GRID_CONNECTION}",
        3,
        5,
        facts.PROJECT_DIRECTOR,
        "Written schedule from the operator; rented transformer of 2 MVA as a bridge",
        "8 May 2026",
    ),
    (
        "R-08",
        "The Czech koruna appreciates by more than 8 percent against the euro",
        3,
        2,
        facts.FINANCE,
        "Hedge 70 percent of the next twelve months' local costs",
        "30 June 2026",
    ),
    (
        "R-09",
        "The field trials of the VT-200 fail or are repeated",
        2,
        4,
        facts.TECHNOLOGY,
        "Three sites with different processes; go or no-go after 4,000 hours",
        "31 March 2027",
    ),
    (
        "R-10",
        "Ten customers account for 46 percent of revenue; one of the largest is lost",
        2,
        4,
        facts.SALES,
        "Framework orders with a minimum volume; two new branches a year",
        "30 June 2026",
    ),
    (
        "R-11",
        "Faults in the first units from Ostrava raise warranty cost above 3 percent of revenue",
        3,
        3,
        facts.OPERATIONS,
        "First 30 units tested for 72 hours instead of 24; Limerick test engineers on site",
        "1 October 2027",
    ),
    (
        "R-12",
        "The planning system is not ready at the start of production",
        2,
        3,
        facts.OPERATIONS,
        "Introduce the Limerick system without changes; freeze requirements on 31 January 2027",
        "31 January 2027",
    ),
)


def paper() -> Paper:
    return Paper(
        file_name="risk-register-project-heron.pdf",
        organisation=facts.COMPANY,
        title=f"Risk register: {facts.PROJECT}",
        subtitle="Version 1.3 of 11 March 2026",
        author=facts.RISK,
        day=date(2026, 3, 11),
        facts=(
            ("Owner of the register", f"{facts.RISK}, Head of Risk"),
            ("Version", "1.3, 11 March 2026"),
            ("Next review", "10 June 2026"),
        ),
        blocks=(*_rules(), _table(), *_notes()),
        look=replace(facts.LOOK, landscape=True),
    )


def _rules() -> tuple[Block, ...]:
    return (
        Heading("1. How to read the register"),
        Text(
            "Likelihood and impact are rated from 1 (low) to 5 (high); the score is their product. Scores of 15 and "
            "more are red and are reported to the audit and risk committee every month. Scores from 12 to 14 are "
            "amber and are reported every quarter. Scores below 12 are reviewed with the register. A risk may be "
            "lowered only with the consent of the Head of Risk."
        ),
    )


def _table() -> Table:
    ranked = sorted(_RISKS, key=lambda risk: -risk[2] * risk[3])
    return Table(
        caption="Table 1. Risks by score",
        header=("ID", "Risk", "Likelihood", "Impact", "Score", "Owner", "Mitigation", "Review"),
        rows=tuple(
            (name, risk, str(likelihood), str(impact), str(likelihood * impact), owner, mitigation, review)
            for name, risk, likelihood, impact, owner, mitigation, review in ranked
        ),
        align="llrrrlll",
        widths=(0.9, 4.6, 1.5, 1.2, 1.1, 2.1, 4.8, 1.9),
    )


def _notes() -> tuple[Block, ...]:
    return (
        Heading("2. Notes on the red risks"),
        Text(
            "R-02, handover of the building. The critical path runs through the foundations of the test bays, which "
            f"cannot be cast below 5 degrees. If ground-breaking on {facts.GROUND_BREAKING} slips by more than three "
            "weeks, the foundations fall into winter and the handover moves to August 2027."
        ),
        Text(
            f"R-03, compressors. The contract with {facts.COMPRESSOR_SUPPLIER} is prolonged by two years unless one "
            f"party gives notice; the notice period is {facts.COMPRESSOR_NOTICE} before the end of the contract. "
            "Price increases are capped at 3 percent a year during the contract, not after it. The supplier also "
            "serves a larger competitor."
        ),
        Text(
            "R-07, grid connection. The operator's promise is not yet in writing. The rented transformer would allow "
            "the assembly of 60 percent of the planned units, because the test bays need full power."
        ),
        Heading("3. Changes since version 1.2"),
        Points(
            (
                "R-07 raised from 10 to 15 after the operator asked for a second application.",
                "R-08 lowered from 9 to 6 after the hedging policy was adopted.",
                "R-12 is new.",
                "The former risk on planning permission was closed: the permit became final on 20 February 2026.",
            )
        ),
    )
