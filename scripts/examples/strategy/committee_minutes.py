"""The minutes of the investment committee: where the planted contradiction with the board paper stands."""

from datetime import date

from examples.paper import Block, Heading, Paper, Points, Table, Text
from examples.strategy import facts


def paper() -> Paper:
    return Paper(
        file_name="investment-committee-minutes-2026-03.docx",
        organisation=facts.COMPANY,
        title="Minutes of the investment committee",
        subtitle=f"Meeting of {facts.COMMITTEE_MEETING}, Limerick",
        author="Group Secretariat",
        day=date(2026, 3, 19),
        facts=(
            ("Meeting", f"{facts.COMMITTEE_MEETING}, 09:30 to 12:45, head office, Limerick"),
            ("Chair", f"{facts.COMMITTEE_CHAIR}, non-executive director"),
            (
                "Present",
                f"{facts.CHIEF_EXECUTIVE}, {facts.FINANCE}, {facts.OPERATIONS}, {facts.TECHNOLOGY}",
            ),
            ("In attendance", f"{facts.PROJECT_DIRECTOR} (items 2 and 3), {facts.SALES} (item 2)"),
            ("Apologies", facts.PROCUREMENT),
            ("Status", "Approved by the chair on 23 March 2026"),
        ),
        blocks=(*_opening(), *_heron(), *_other_items(), *_actions()),
        look=facts.LOOK,
    )


def _opening() -> tuple[Block, ...]:
    return (
        Heading("1. Opening and minutes of the last meeting"),
        Text(
            "The chair noted that the committee was quorate with five voting members. The minutes of the meeting of "
            "21 January 2026 were approved without changes. Of nine open actions, seven were closed; the energy "
            "audit of hall two in Limerick and the revised travel policy remain open."
        ),
    )


def _heron() -> tuple[Block, ...]:
    return (
        Heading(f"2. {facts.PROJECT}"),
        Text(
            f"{facts.PROJECT_DIRECTOR} presented the new plant in {facts.SITE}. {facts.SALES} reported that two of "
            "the three framework orders are agreed in principle, with a brewing group in the Netherlands and a dairy "
            "cooperative in northern Germany; the third, with a paper mill in Sweden, is expected in May."
        ),
        Text(
            "The committee discussed whether the plant should start with the VT-165 alone. It was agreed that a "
            "second product line would put the start of production at risk. Ms Abernathy asked why the building is "
            "not leased; Mr Achterberg answered that over fifteen years a lease would be EUR 3.9 million dearer at "
            "today's interest rates."
        ),
        Text(
            f"The return of {facts.RATE_OF_RETURN} was accepted as clearly above the hurdle rate of "
            f"{facts.HURDLE_RATE}. The payback of {facts.PAYBACK} was noted. Ms Solheim stressed that the date of the "
            f"grid connection, {facts.GRID_CONNECTION}, leaves one month before the building is handed over."
        ),
        Text("The committee resolved:"),
        Points(
            (
                f"Resolution IC-2026-07: the committee endorses {facts.PROJECT} to the board with a capital budget of "
                f"{facts.CAPITAL_BUDGET_COMMITTEE_MINUTES} for the years 2026 to 2028, including contingency and "
                "before any investment incentive.",
                f"Resolution IC-2026-08: the term loan of {facts.TERM_LOAN} offered by Shannon Mercantile Bank is to "
                "be signed only after the final investment decision.",
                "Resolution IC-2026-09: any single purchase for the project above EUR 750,000 is submitted to the "
                "chair before the order is placed.",
            )
        ),
        Text("Mr Okonjo abstained from resolution IC-2026-07; the other four members voted in favour."),
    )


def _other_items() -> tuple[Block, ...]:
    return (
        Heading("3. Test rig for the VT-200"),
        Text(
            f"Mr Okonjo asked for {facts.TEST_RIG} for a test rig that can run at 200 degrees. The rig is needed "
            f"before the prototype is finished in {facts.VT200_PROTOTYPE}. Resolution IC-2026-10: approved "
            "unanimously. Delivery of the rig takes 22 weeks; the order must therefore be placed by 30 April 2026."
        ),
        Heading("4. Service hub in Groningen"),
        Text(
            f"The average time until a technician is on site on the continent is {facts.SERVICE_RESPONSE_HOURS} "
            f"hours, against {facts.SERVICE_EXPECTED_HOURS} hours expected by customers. Resolution IC-2026-11: EUR "
            "2.4 million approved to enlarge the service hub and to add a spare parts store in Kassel, to open on 1 "
            "February 2027."
        ),
        Heading("5. Plover Controls"),
        Text(
            "The committee considered the proposal to buy Plover Controls, a maker of control software with 31 "
            "employees, for EUR 8.5 million. Members doubted that the engineers would stay and that the software "
            "fits Tern OS. Resolution IC-2026-12: the proposal is deferred to the meeting of 16 September 2026; "
            "until then no exclusivity is to be agreed."
        ),
    )


def _actions() -> tuple[Block, ...]:
    return (
        Heading("6. Actions"),
        Table(
            caption="Actions agreed on 18 March 2026",
            header=("No.", "Action", "Owner", "Due"),
            rows=(
                ("1", "Report on the state of the investment incentive", facts.FINANCE, "24 April 2026"),
                ("2", "Place the order for the VT-200 test rig", facts.TECHNOLOGY, "30 April 2026"),
                ("3", "Technical approval of a second compressor source", facts.PROCUREMENT, "29 May 2026"),
                ("4", "Signed framework orders, at least three", facts.SALES, "12 June 2026"),
                ("5", "Written schedule from the distribution operator", facts.PROJECT_DIRECTOR, "8 May 2026"),
                ("6", "Retention plan for the engineers of Plover Controls", facts.PEOPLE, "31 August 2026"),
            ),
            align="llll",
            widths=(0.6, 4, 2, 1.6),
        ),
        Text("The meeting closed at 12:45. The next meeting is on 20 May 2026."),
    )
