"""Pairs of passages as two papers of one organisation hold them: those that conflict, and their look-alikes."""

from typing import NamedTuple

import pytest

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import DisagreementKind
from docmind.quality.conflicts import find_conflicts

BOARD, ANNUAL = "Board paper", "Annual report"


class Side(NamedTuple):
    text: str
    heading: tuple[str, ...] = ()
    kind: str = "text"


def table(caption: str, *rows: str) -> Side:
    return Side("\n".join(rows), (caption,), "table")


def passages(first: Side, second: Side) -> list[Passage]:
    made = []
    for number, (side, title) in enumerate(((first, BOARD), (second, ANNUAL))):
        start = 100 * (number + 1)
        span = Span(start, start + len(side.text))
        made.append(Passage(f"p{number}", f"d{number}", 0, span, side.text, (title, *side.heading), None, side.kind))
    return made


CONFLICTING: list[tuple[str, Side, Side, str, str]] = [
    (
        "revenue of a quarter in two sentences",
        Side("In Q3 2023 the company achieved revenue of $4.2 million. Demand was good in all regions."),
        Side("Revenue came to $4.5 million in Q3 2023, driven by new customers."),
        "$4.2 million",
        "$4.5 million",
    ),
    (
        "an annual figure in prose and in a table",
        Side("Operating profit for 2023 was EUR 61.4 million, which the board considers satisfactory."),
        table("Key figures (in thousands of euros)", "Operating profit | 2023: 58,912 | 2022: 55,104"),
        "EUR 61.4 million",
        "58,912",
    ),
    (
        "two tables of different scale",
        table("Highlights (EUR million)", "Net sales | 2023: 655.2 | 2022: 601.0"),
        table("Income statement (in thousands of euros)", "Net sales | 2023: 665,230 | 2022: 601,020"),
        "655.2",
        "665,230",
    ),
    (
        "a growth rate",
        Side("Revenue grew by 12.5 percent in 2023."),
        Side("In 2023, revenue rose 9.8% on the back of higher prices."),
        "12.5 percent",
        "9.8%",
    ),
    (
        "a change that goes the other way",
        Side("Gross margin declined by 1.2 percentage points in 2023."),
        Side("Gross margin increased by 3.4 percentage points in 2023."),
        "1.2 percentage points",
        "3.4 percentage points",
    ),
    (
        "a rise and a fall of the same size",
        Side("Licence income rose by 5 percent in 2023."),
        Side("In 2023, licence income fell by 5 percent."),
        "5 percent",
        "5 percent",
    ),
    (
        "a headcount at a date",
        Side("As of 31 December 2023 the group had 2,946 employees."),
        Side("The company employed 3,120 employees as of December 31, 2023."),
        "2,946 employees",
        "3,120 employees",
    ),
    (
        "a comparison figure that the other document gives for that year",
        Side("Revenue was $5.1 million in 2023 compared with $4.4 million in 2022."),
        Side("Revenue amounted to $4.9 million in 2022."),
        "$4.4 million",
        "$4.9 million",
    ),
    (
        "a dividend per share",
        Side("The dividend for 2023 is EUR 0.56 per share."),
        Side("For 2023 the dividend was EUR 0.65 per share."),
        "EUR 0.56 per share",
        "EUR 0.65 per share",
    ),
    (
        "figures of a segment named in one place by its heading",
        Side("Revenue was $12.4 million in 2023.", ("Europe",)),
        Side("Revenue in Europe was $14.2 million in 2023."),
        "$12.4 million",
        "$14.2 million",
    ),
    (
        "earnings per share in two tables",
        table("Statement of income (in millions, except per share data)", "Diluted earnings per share | 2023: $1.88"),
        table("Five-year summary", "Diluted earnings per share | 2023: $1.98"),
        "$1.88",
        "$1.98",
    ),
    (
        "a notice period",
        Side("Either party may terminate the lease agreement with a notice of 30 days."),
        Side("Either party may terminate the lease agreement with a notice of 90 days."),
        "30 days",
        "90 days",
    ),
    (
        "a length that a rule demands",
        Side("Passwords of administrators must have at least 12 characters."),
        Side("Administrators' passwords must have at least 16 characters."),
        "12",
        "16",
    ),
    (
        "a limit of expenses",
        Side("Hotel costs are reimbursed up to EUR 150 per night and can be claimed within two weeks."),
        Side("Hotel costs are reimbursed up to EUR 120 per night and can be claimed later."),
        "EUR 150",
        "EUR 120",
    ),
    (
        "the second figure of a sentence",
        Side("Revenue was $8.0 million and operating profit was $1.3 million in 2023."),
        Side("Operating profit reached $1.6 million in 2023."),
        "$1.3 million",
        "$1.6 million",
    ),
    (
        "a level told after its change",
        Side("Net sales rose by 3.7 percent to EUR 601.0 million in 2023."),
        Side("Net sales of EUR 610.0 million were recorded in 2023."),
        "EUR 601.0 million",
        "EUR 610.0 million",
    ),
    (
        "a fiscal year",
        Side("Capital expenditure in fiscal 2024 totalled $33.0 million."),
        Side("Capital expenditure was $38.5 million in fiscal year 2024."),
        "$33.0 million",
        "$38.5 million",
    ),
    (
        "a period that the heading states",
        Side("Customer churn was 4.1 percent.", ("Results of Q2 2024",)),
        Side("Customer churn stood at 5.6 percent in Q2 2024."),
        "4.1 percent",
        "5.6 percent",
    ),
    (
        "the date of a closing",
        Side("The acquisition of Harlow Pumps closed on 12 March 2023."),
        Side("The acquisition of Harlow Pumps closed on March 21, 2023, after the approval of the authorities."),
        "12 March 2023",
        "March 21, 2023",
    ),
    (
        "a deadline",
        Side("Bids for the harbour contract must be submitted by 5 May 2024."),
        Side("Bids for the harbour contract must be submitted by 15 May 2024."),
        "5 May 2024",
        "15 May 2024",
    ),
    (
        "the year of a founding",
        Side("The Rotterdam plant was opened in 1998."),
        Side("The plant in Rotterdam was opened in 1989."),
        "1998",
        "1989",
    ),
    (
        "what one document allows and the other forbids",
        Side("Contractors may store customer data on private laptops."),
        Side("Contractors must not store customer data on private laptops."),
        "may",
        "must not",
    ),
    (
        "what one document demands and the other makes optional",
        Side("All visitors must wear a badge in the laboratory."),
        Side("Visitors are not required to wear a badge in the laboratory."),
        "must",
        "not required",
    ),
    (
        "a prohibition in other words",
        Side("Employees are prohibited from sharing access cards with colleagues."),
        Side("Employees are allowed to share access cards with colleagues."),
        "prohibited",
        "allowed",
    ),
    (
        "a year that ends in December, with the year before in brackets",
        Side("Group turnover for the year ended 31 December 2023 amounted to £82.3 million (2022: £78.1 million)."),
        Side("In 2023, group turnover reached £84.0 million."),
        "£82.3 million",
        "£84.0 million",
    ),
    (
        "a half year",
        Side("EBITDA for the first half of 2024 came in at EUR 9.7 million, up 4% on the prior year."),
        table("Half-year figures (EUR thousand)", "EBITDA | H1 2024: 9,120 | H1 2023: 9,330"),
        "EUR 9.7 million",
        "9,120",
    ),
    (
        "a debt at the end of a year",
        Side("At year-end 2023 net debt stood at $140 million."),
        Side("Net debt was $155 million at the end of 2023."),
        "$140 million",
        "$155 million",
    ),
    (
        "an average",
        Side("The average order value in Q4 2023 was €61.20."),
        Side("Average order value rose to €64.90 in Q4 2023."),
        "€61.20",
        "€64.90",
    ),
    (
        "a score",
        Side("Our customer satisfaction score was 87% in 2023, the best ever."),
        Side("In 2023 the customer satisfaction score was 83%."),
        "87%",
        "83%",
    ),
    (
        "a number of people without a unit",
        Side("Total headcount was 412 at 30 June 2024."),
        table("Workforce", "Headcount | 30 June 2024: 431 | 30 June 2023: 398"),
        "412",
        "431",
    ),
    (
        "a tax rate",
        Side("The effective tax rate was 24.8 percent for 2023."),
        Side("For 2023, the effective tax rate amounted to 26.1 percent."),
        "24.8 percent",
        "26.1 percent",
    ),
    (
        "a count in a table",
        table("Operating data", "Warehouses | 2023: 14 | 2022: 12"),
        Side("The company operated 16 warehouses in 2023."),
        "14",
        "16",
    ),
    (
        "a cost",
        Side("The product recall cost the company $7.5 million in 2022."),
        Side("In 2022, the product recall cost $9.1 million."),
        "$7.5 million",
        "$9.1 million",
    ),
    (
        "days of leave",
        Side("Employees are entitled to 25 days of paid annual leave."),
        Side("Employees are entitled to 28 days of paid annual leave."),
        "25 days",
        "28 days",
    ),
    (
        "a term of deletion",
        Side("Personal data of applicants must be deleted after 6 months."),
        Side("Personal data of applicants must be deleted after 12 months."),
        "6 months",
        "12 months",
    ),
    (
        "a measure of a machine",
        Side("The pump delivers a flow of 40 litres per minute at full load."),
        Side("At full load, the pump delivers a flow of 45 litres per minute."),
        "40 litres per minute",
        "45 litres per minute",
    ),
    (
        "the end of a contract",
        Side("The supply contract with Nordwind expires on 30 September 2025."),
        Side("The supply contract with Nordwind expires on 31 December 2025."),
        "30 September 2025",
        "31 December 2025",
    ),
    (
        "the month of a beginning",
        Side("The new ERP system went live in April 2023."),
        Side("The new ERP system went live in June 2023."),
        "April 2023",
        "June 2023",
    ),
    (
        "a permission denied",
        Side("Remote work from abroad is not permitted for apprentices."),
        Side("Remote work from abroad is permitted for apprentices."),
        "not permitted",
        "permitted",
    ),
    (
        "a duty denied",
        Side("Suppliers shall disclose their subcontractors to the purchasing department."),
        Side("Suppliers need not disclose their subcontractors to the purchasing department."),
        "shall",
        "need not",
    ),
    (
        "costs in two scales",
        table("Income statement (USD thousands)", "Cost of sales | 2023: (31,204) | 2022: (29,877)"),
        table("Key data (USD million)", "Cost of sales | 2023: 33.9 | 2022: 29.9"),
        "(31,204)",
        "33.9",
    ),
    (
        "a share of another figure",
        Side("Research and development expenses were 11.4% of revenue in 2023."),
        Side("In 2023, research and development expenses were 13.0% of revenue."),
        "11.4%",
        "13.0%",
    ),
]

COMPATIBLE: list[tuple[str, Side, Side]] = [
    (
        "rounding",
        Side("Revenue was $4.2 million in Q3 2023."),
        table("Key figures (in thousands of dollars)", "Revenue | Q3 2023: 4,213 | Q3 2022: 3,950"),
    ),
    (
        "a round number and the exact one",
        Side("The group had 12,000 customers at 31 December 2023."),
        Side("The group had 12,184 customers at 31 December 2023."),
    ),
    (
        "another quarter",
        Side("Revenue was $4.2 million in Q3 2023."),
        Side("Revenue was $4.5 million in Q2 2023."),
    ),
    (
        "a quarter and its year",
        Side("Revenue was $4.2 million in Q3 2023."),
        Side("Revenue was $17.0 million in 2023."),
    ),
    (
        "a fiscal and a calendar year",
        Side("Revenue was $16.2 million in fiscal 2023."),
        Side("Revenue was $17.0 million in 2023."),
    ),
    (
        "a part of the whole",
        Side("Net sales of Europe were $4.2 million in 2023."),
        Side("Net sales were $9.8 million in 2023."),
    ),
    (
        "a part named at the beginning",
        Side("In Europe, net sales were $4.2 million in 2023."),
        Side("Net sales were $9.8 million in 2023."),
    ),
    (
        "a part that the heading names",
        Side("Net sales were $4.2 million in 2023.", ("Cloud services",)),
        Side("Net sales were $9.8 million in 2023.", ("Financial review",)),
    ),
    (
        "two parts in one table and a total in another",
        table(
            "Net sales by category (EUR million)", "Net sales: Products | 2023: 312", "Net sales: Services | 2023: 91"
        ),
        table("Income statement (EUR million)", "Net sales | 2023: 403"),
    ),
    (
        "a change beside a level",
        Side("Revenue increased by $0.6 million in 2023."),
        Side("Revenue was $4.9 million in 2023."),
    ),
    (
        "what it was before",
        Side("Revenue rose to $4.9 million in 2023 from $4.3 million."),
        Side("Revenue was $4.9 million in 2023."),
    ),
    ("a limit", Side("The group had at least 50 stores in 2023."), Side("The group had 57 stores in 2023.")),
    (
        "an estimate",
        Side("The group had about 2,500 employees in 2023."),
        Side("The group had 2,946 employees in 2023."),
    ),
    ("another unit", Side("Revenue rose by 5 percent in 2023."), Side("Revenue rose by EUR 31 million in 2023.")),
    (
        "another currency",
        Side("Revenue was EUR 4.2 million in 2023."),
        Side("Revenue was USD 4.6 million in 2023."),
    ),
    (
        "adjusted and reported profit",
        Side("Adjusted operating profit was $5.0 million in 2023."),
        Side("Operating profit was $4.1 million in 2023."),
    ),
    (
        "non-GAAP and GAAP margin",
        Side("Non-GAAP gross margin was 45.1 percent in Q1 2024."),
        Side("Gross margin was 42.8 percent in Q1 2024."),
    ),
    (
        "budget and outcome",
        Side("The budget foresees marketing costs of $1.2 million in 2023."),
        Side("Marketing costs were $1.5 million in 2023."),
    ),
    (
        "a budget told by the heading",
        Side("Marketing costs are $1.2 million in 2024.", ("Budget 2024",)),
        Side("Marketing costs were $1.5 million in 2024."),
    ),
    (
        "a forecast",
        Side("Management expects revenue of $20 million in 2024."),
        Side("Revenue was $18.3 million in 2024."),
    ),
    (
        "a target",
        Side("The target for customer churn was 3.0 percent in 2024."),
        Side("Customer churn was 4.4 percent in 2024."),
    ),
    (
        "a subsidiary by name",
        Side("Harlow Pumps earned revenue of $3.1 million in 2023."),
        Side("Revenue was $17.0 million in 2023."),
    ),
    (
        "net and gross",
        Side("Gross profit was $7.2 million in 2023."),
        Side("Net profit was $2.1 million in 2023."),
    ),
    (
        "a part of a figure",
        Side("Revenue, including $0.4 million from licences, was $4.9 million in 2023."),
        Side("Revenue was $4.9 million in 2023."),
    ),
    (
        "two values for two years in one sentence",
        Side("Revenue was $4.9 million and $4.3 million in 2023 and 2022, respectively."),
        Side("Revenue was $4.3 million in 2022."),
    ),
    (
        "a different event",
        Side("The acquisition of Harlow Pumps closed on 12 March 2023."),
        Side("The acquisition of Harlow Pumps was announced on 4 January 2023."),
    ),
    (
        "the same date more and less precisely",
        Side("The acquisition of Harlow Pumps closed on 12 March 2023."),
        Side("The acquisition of Harlow Pumps closed in March 2023."),
    ),
    (
        "a deadline and the day itself",
        Side("The Utrecht warehouse must be vacated by 1 June 2024."),
        Side("The Utrecht warehouse must be vacated after 1 March 2024."),
    ),
    (
        "rules for different people",
        Side("Contractors must not store customer data on private laptops."),
        Side("Employees may store customer data on private laptops."),
    ),
    (
        "a rule and its exception",
        Side("Contractors must not store customer data on private laptops."),
        Side("Contractors may store customer data on private laptops after written approval."),
    ),
    (
        "permission beside duty",
        Side("Visitors may wear a badge in the laboratory."),
        Side("Visitors must wear a badge in the laboratory."),
    ),
    (
        "an example",
        Side("For example, a notice of 30 days ends the lease agreement of either party."),
        Side("A notice of 90 days ends the lease agreement of either party."),
    ),
    (
        "a table whose scale was lost",
        table("Figures", "Total assets | December 31, 2023: 352,755"),
        Side("Total assets were $352.8 billion as of December 31, 2023."),
    ),
    (
        "costs in brackets",
        table("Income statement (EUR million)", "Personnel expenses | 2023: (41.2)"),
        Side("Personnel expenses were EUR 41.2 million in 2023."),
    ),
    (
        "the year before in brackets",
        Side("Group turnover for the year ended 31 December 2023 amounted to £82.3 million (2022: £78.1 million)."),
        Side("Group turnover was £78.1 million in 2022."),
    ),
    (
        "the other half of the year",
        Side("EBITDA margin was 14.2% in H1 2024."),
        Side("EBITDA margin was 12.9% in H2 2024."),
    ),
    (
        "a channel",
        Side("Online revenue was $14 million in 2023."),
        Side("Revenue was $140 million in 2023."),
    ),
    (
        "two countries",
        Side("Average order value in Germany was €61.20 in Q4 2023."),
        Side("Average order value in France was €64.90 in Q4 2023."),
    ),
    (
        "two balance sheet dates",
        Side("Net debt was $140 million at 30 June 2024."),
        Side("Net debt was $155 million at 31 December 2023."),
    ),
    (
        "two tax rates",
        Side("The effective tax rate was 24.8 percent for 2023."),
        Side("The statutory tax rate was 26.1 percent for 2023."),
    ),
    (
        "a plan beside the outcome",
        Side("The plan assumes 16 warehouses in 2023."),
        table("Operating data", "Warehouses | 2023: 14"),
    ),
    (
        "a rule for some of them",
        Side("Employees with more than ten years of service are entitled to 30 days of paid annual leave."),
        Side("Employees are entitled to 25 days of paid annual leave."),
    ),
    (
        "rules on different data",
        Side("Personal data of applicants must be deleted after 6 months."),
        Side("Personal data of customers must be deleted after 12 months."),
    ),
    (
        "different loads",
        Side("At half load, the pump delivers a flow of 20 litres per minute."),
        Side("At full load, the pump delivers a flow of 40 litres per minute."),
    ),
    (
        "two contracts",
        Side("The supply contract with Nordwind expires on 30 September 2025."),
        Side("The supply contract with Westmar expires on 31 December 2025."),
    ),
    (
        "two countries where it began",
        Side("The new ERP system went live in Spain in April 2023."),
        Side("The new ERP system went live in Italy in June 2023."),
    ),
    (
        "two things forbidden",
        Side("Staff may not accept gifts from suppliers."),
        Side("Staff may not accept invitations from suppliers."),
    ),
    (
        "permission for one and not for another",
        Side("Remote work from abroad is permitted for managers."),
        Side("Remote work from abroad is not permitted for apprentices."),
    ),
    (
        "costs in two scales that agree",
        table("Income statement (USD thousands)", "Cost of sales | 2023: (31,204)"),
        table("Key data (USD million)", "Cost of sales | 2023: 31.2"),
    ),
    (
        "segments and their total",
        table("Segment results (EUR million)", "Pumps: Revenue | 2023: 120", "Valves: Revenue | 2023: 80"),
        table("Segment results", "Total revenue | 2023: 200"),
    ),
    (
        "an improvement beside a level",
        Side("Free cash flow improved by $2.0 million in the third quarter of 2023."),
        Side("Free cash flow was $5.2 million in the third quarter of 2023."),
    ),
    (
        "a figure per head",
        Side("Revenue per employee was $210,000 in 2023."),
        Side("Revenue was $86.5 million in 2023."),
    ),
    (
        "a figure without acquisitions",
        Side("Revenue excluding acquisitions was $80.1 million in 2023."),
        Side("Revenue was $86.5 million in 2023."),
    ),
    (
        "two bonds",
        Side("Interest of 4.5 percent was paid on the 2027 bond."),
        Side("Interest of 5.1 percent was paid on the 2030 bond."),
    ),
    (
        "two bases of comparison",
        Side("Revenue was up 5% year over year in Q2 2024."),
        Side("Revenue was up 2% sequentially in Q2 2024."),
    ),
    (
        "two limits with two approvals",
        Side("Deposits of more than EUR 1,000 must be approved by the branch manager."),
        Side("Deposits of more than EUR 10,000 must be approved by the regional manager."),
    ),
    (
        "a permission up to a limit",
        Side("Staff may accept gifts from suppliers worth less than EUR 50."),
        Side("Staff may not accept gifts from suppliers."),
    ),
]


@pytest.mark.parametrize(
    ("first", "second", "here", "there"), [pair[1:] for pair in CONFLICTING], ids=[pair[0] for pair in CONFLICTING]
)
def test_a_conflict_is_found_with_both_values(first: Side, second: Side, here: str, there: str) -> None:
    conflicts = find_conflicts(passages(first, second))
    assert [(conflict.first.value, conflict.second.value) for conflict in conflicts] == [(here, there)]


@pytest.mark.parametrize(("first", "second"), [pair[1:] for pair in COMPATIBLE], ids=[pair[0] for pair in COMPATIBLE])
def test_a_look_alike_is_no_conflict(first: Side, second: Side) -> None:
    assert find_conflicts(passages(first, second)) == []


def test_each_kind_of_conflict_is_among_the_pairs() -> None:
    kinds = {find_conflicts(passages(pair[1], pair[2]))[0].kind for pair in CONFLICTING}
    told = {DisagreementKind.NUMBER, DisagreementKind.DATE, DisagreementKind.NEGATION, DisagreementKind.DIRECTION}
    assert kinds == told
