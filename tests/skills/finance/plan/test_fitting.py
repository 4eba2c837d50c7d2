"""Whether a plan is one for the question that was asked."""

import pytest

from docmind.skills.finance.plan import Lookup, Plan
from docmind.skills.finance.plan.chat_planner import companies_in, misfit, with_companies

TICKERS = {"Ellandor Instruments N.V.": "ELLN", "Brackwater Sensors AG": None}
FULL = "Ellandor Instruments N.V."


def of(company: str, item: str, period: str = "", segment: str = "") -> Plan:
    return Plan(lookups=[Lookup(id="a", company=company, item=item, period=period, segment=segment)])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What was Ellandor's revenue?", [FULL]),
        ("What was ELLN's revenue?", [FULL]),
        ("Brackwater against Ellandor", ["Brackwater Sensors AG", FULL]),
        ("What was revenue?", []),
    ],
)
def test_companies_are_known_by_name_and_ticker(text: str, found: list[str]) -> None:
    assert companies_in(text, TICKERS) == found


@pytest.mark.parametrize(
    ("written", "question", "meant"),
    [
        ("Ellandor", "Ellandor's revenue", FULL),
        ("ELLN", "ELLN's revenue", FULL),
        ("", "Ellandor's revenue", FULL),
        ("", "Ellandor's and Brackwater's revenue", ""),
        ("Microsoft", "Microsoft's revenue", "Microsoft"),
    ],
)
def test_a_lookup_has_its_company_as_the_documents_write_it(written: str, question: str, meant: str) -> None:
    (lookup,) = with_companies(of(written, "revenue"), question, TICKERS).lookups
    assert lookup.company == meant


@pytest.mark.parametrize(
    ("plan", "message", "before"),
    [
        (of(FULL, "revenue", "2023"), "What was Ellandor's turnover in 2023?", ""),
        (of(FULL, "revenue", "2022"), "and the year before?", "What was Ellandor's revenue in 2023?"),
        (of(FULL, "net income", "2024"), "What was ELLN's profit margin in 2024?", ""),
        (of(FULL, "revenue", "2024", "North America"), "How much of Ellandor's 2024 revenue is North America's?", ""),
        (of(FULL, "trade receivables from customers"), "What are Ellandor's receivables from customers?", ""),
    ],
)  # fmt: skip
def test_a_plan_of_what_was_spoken_of_fits(plan: Plan, message: str, before: str) -> None:
    assert misfit(plan, message, before, TICKERS) == ""


@pytest.mark.parametrize(
    ("plan", "message", "wrong"),
    [
        (of("Brackwater Sensors AG", "revenue"), "What was Ellandor's revenue?", "looks up Brackwater"),
        (of("Microsoft", "revenue"), "What was Ellandor's revenue?", "looks up Microsoft"),
        (of(FULL, "net sales"), "What was Ellandor's net income?", "looks up “net sales”"),
        (of(FULL, "total assets"), "What were Ellandor's total liabilities?", "looks up “total assets”"),
        (of(FULL, "revenue", "", "Europe"), "What was Ellandor's revenue?", "looks up “Europe”"),
        (of(FULL, "revenue", "2021"), "What was Ellandor's revenue?", "looks up 2021"),
        (of(FULL, "revenue", "2019"), "What was Ellandor's revenue in 2023?", "looks up 2019"),
        (of(FULL, "revenue", "2022"), "What was Ellandor's revenue in 2023?", "looks up 2022"),
        (of(FULL, "revenue", ""), "What was Ellandor's revenue in 2023?", "leaves out 2023"),
        (of(FULL, "revenue"), "What was Ellandor's and Brackwater's revenue?", "leaves out Brackwater"),
        (of(FULL, "revenue"), "What was Ellandor's revenue in Asia?", "leaves out “Asia”"),
    ],
)
def test_a_plan_of_something_else_does_not(plan: Plan, message: str, wrong: str) -> None:
    assert wrong in misfit(plan, message, "", TICKERS)
