"""The HR and capacity plan: a long paper with one detail buried deep, as in real ones."""

from datetime import date

from examples.paper import Block, Heading, Paper, Points, Table, Text
from examples.strategy import facts


def paper() -> Paper:
    return Paper(
        file_name="hr-capacity-plan-2026-2028.docx",
        organisation=facts.COMPANY,
        title="HR and capacity plan 2026 to 2028",
        subtitle="People department, March 2026",
        author=facts.PEOPLE,
        day=date(2026, 3, 5),
        facts=(
            ("Owner", f"{facts.PEOPLE}, Chief People Officer"),
            ("Date", "5 March 2026"),
            ("Agreed with", f"{facts.OPERATIONS}, Chief Operating Officer"),
        ),
        blocks=(*_today(), *_ostrava(), *_training(), *_shifts(), *_limerick(), *_obligations()),
        look=facts.LOOK,
    )


def _today() -> tuple[Block, ...]:
    return (
        Heading("1. Where we stand"),
        Text(
            f"On 31 December 2025 the group had {facts.HEADCOUNT_2025} employees. Attrition was 7.4 percent in 2025, "
            "after 8.9 percent in 2024. The average age is 43; 96 colleagues in Limerick can retire before the end "
            "of 2030, a third of them in production."
        ),
        Table(
            caption="Employees by location, 31 December 2025",
            header=("Location", "Employees", "Of which production"),
            rows=(
                ("Limerick, plant and head office", "548", "311"),
                ("Groningen, service hub", "84", "0"),
                ("Field service, other locations", "66", "0"),
                ("Lyon, sales office", "44", "0"),
                ("Total", "742", "311"),
            ),
            align="lrr",
            widths=(3, 1.4, 1.6),
            totals=frozenset({"Total"}),
        ),
    )


def _ostrava() -> tuple[Block, ...]:
    hires = facts.HIRES
    return (
        Heading(f"2. {facts.PROJECT}: hiring plan"),
        Text(
            f"The plant in {facts.SITE} needs {facts.OSTRAVA_HEADCOUNT_2028} employees at the end of 2028. The first "
            "to be hired are the plant manager, the head of quality and the lead buyer, by October 2026. Production "
            f"starts on {facts.START_OF_PRODUCTION} with one shift; the second shift follows in April 2028."
        ),
        Table(
            caption="Hires in Ostrava by function",
            header=("Function", "2026", "2027", "2028", "Total"),
            rows=(
                ("Management and administration", "9", "11", "3", "23"),
                ("Engineering and quality", "10", "19", "8", "37"),
                ("Assembly", "0", "58", "39", "97"),
                ("Pressure welding", "2", "10", "4", "16"),
                ("Test and commissioning", "3", "12", "6", "21"),
                ("Logistics", "0", "8", "2", "10"),
                ("Total", str(hires[2026]), str(hires[2027]), str(hires[2028]), str(facts.OSTRAVA_HEADCOUNT_2028)),
            ),
            align="lrrrr",
            widths=(3, 1, 1, 1, 1),
            totals=frozenset({"Total"}),
        ),
        Text(
            "The average cost of an employee, with all charges, is EUR 31,500 a year in Ostrava and EUR 58,200 in "
            "Limerick. Wages in the region rose by 6.8 percent in 2025; the plan assumes 6 percent for 2026 and 5 "
            "percent for each year after that. Unemployment in the district is 5.1 percent, but welders with a "
            "pressure certificate are scarce."
        ),
    )


def _training() -> tuple[Block, ...]:
    return (
        Heading("3. Training and secondment"),
        Text(
            f"The {facts.WELDERS} pressure welders are trained in Limerick for 14 weeks each, in four groups of four, "
            f"from January 2027. {facts.SECONDEES} experienced colleagues from Limerick go to Ostrava for 18 months; "
            "they keep their Irish contracts and receive an allowance of EUR 1,900 a month. The technical school in "
            "Vitkovice opens a class for refrigeration technicians in September 2026 with 20 places, of which we "
            "sponsor 12."
        ),
    )


def _shifts() -> tuple[Block, ...]:
    return (
        Heading("4. Shift model and working time in Ostrava"),
        Text(
            "The plant works in two shifts of 7.5 hours, from 06:00 to 14:00 and from 14:00 to 22:00, each with a "
            "break of 30 minutes. Saturday is kept free for maintenance. The learning curve of the first teams is "
            "assumed to last five months."
        ),
        Text(
            "Working time is recorded electronically. Overtime is limited to 150 hours a year for each employee and "
            "is paid with a premium of 25 percent, or 50 percent on public holidays. Teams of eight plan their leave "
            "themselves; at least five members of a team must be present. The works agreement for Ostrava will be "
            "negotiated once a local representation has been elected, which Czech law allows as soon as employees "
            "ask for it."
        ),
        Text(
            "Test bays run unattended at night for endurance tests, supervised from Limerick. The bays are "
            "insulated, but the dry coolers on the roof are not. The zoning plan of the Hrabova industrial zone "
            "allows noisy work between 06:00 and 22:00 only. A third shift, or more than four dry coolers at night, "
            "therefore needs a noise permit from the city, which is issued after a survey of 90 days at the "
            "earliest; the survey can begin only when the plant is in operation."
        ),
        Text(
            "For the canteen a contract for 120 meals a day is planned. A bus line from the main station runs at the "
            "change of shifts; the company pays 40 percent of its cost, about EUR 64,000 a year. There are 85 "
            "parking places, which is enough for one shift but not for the overlap of two; a car pool with reserved "
            "places is to be offered from the first day."
        ),
    )


def _limerick() -> tuple[Block, ...]:
    return (
        Heading("5. Limerick"),
        Text(
            f"Limerick keeps its capacity of {facts.LIMERICK_CAPACITY} units a year and its 311 production jobs. No "
            "redundancies are planned for the life of this plan. From April 2027 Saturday work on a voluntary basis "
            "yields up to 12 additional units a year. As VT-165 orders for the continent move to Ostrava, Limerick "
            "takes over series production of the VT-200, for which 34 assembly workers are retrained in the first "
            "half of 2028."
        ),
    )


def _obligations() -> tuple[Block, ...]:
    return (
        Heading("6. Obligations and conditions"),
        Points(
            (
                "The works council in Limerick must be consulted before the final investment decision; the "
                f"consultation ends on {facts.CONSULTATION_END}.",
                "The investment incentive obliges the company to keep at least 180 jobs in Ostrava for five years "
                "after the end of the investment period. Each job that is missing costs EUR 18,000 in repayment.",
                "Secondments longer than 24 months would make the colleagues liable for Czech social insurance and "
                "are excluded.",
                "Offers to candidates before the final investment decision need the signature of the Chief People "
                "Officer.",
            )
        ),
        Heading("7. Recommendation"),
        Text(
            f"{facts.PEOPLE} recommends to open the positions of plant manager and head of quality in April 2026, "
            "under the reservation of the final investment decision, because the search takes five months. She "
            "further recommends a hiring reserve of 10 percent in assembly for 2027: in comparable ramp-ups one new "
            "employee in nine left within the first six months."
        ),
    )
