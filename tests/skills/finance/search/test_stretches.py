"""Stretches that no report tells are put together from those that reports tell."""

from collections.abc import Callable

import pytest

from docmind.domain.documents import Metadata, Passage
from docmind.quality.quantities import Computed
from docmind.skills.finance import Evidence, validate
from docmind.skills.finance.plan import Calculation, Lookup, Plan, execute
from docmind.skills.finance.search.reports import put_together, reports_of

REPORTS = reports_of(
    [
        Metadata(company="Anvil plc", fiscal_year=2022, document_type="10-K", date="2022-09-24", year_end=9),
        Metadata(company="Anvil plc", fiscal_year=2023, quarter=2, document_type="10-Q", date="2023-04-01", year_end=9),
        Metadata(company="Anvil plc", fiscal_year=2023, quarter=3, document_type="10-Q", date="2023-07-01", year_end=9),
    ]
)
QUESTION = "What was Anvil's revenue in the twelve months ended July 1, 2023?"


def looked_up(item: str, period: str) -> Plan:
    plan = Plan(lookups=[Lookup(id="a", company="Anvil plc", item=item, period=period)])
    return put_together(plan, REPORTS)


@pytest.mark.parametrize(
    ("period", "made_of"),
    [
        (
            "twelve months ended July 1, 2023",
            ["2022", "nine months ended June 30, 2023", "nine months ended June 30, 2022"],
        ),
        ("three months ended September 30, 2022", ["2022", "nine months ended June 30, 2022"]),
        (
            "three months ended December 31, 2022",
            ["six months ended March 31, 2023", "three months ended March 31, 2023"],
        ),
    ],
)
def test_what_no_report_tells_is_made_of_what_reports_tell(period: str, made_of: list[str]) -> None:
    plan = looked_up("revenue", period)
    assert [lookup.period for lookup in plan.lookups] == made_of
    assert [step.operation for step in plan.steps] == [Calculation.STRETCH]


@pytest.mark.parametrize("period", ["three months ended July 1, 2023", "three months ended March 31, 2022", "2022"])
def test_what_a_report_tells_is_looked_up_there(period: str) -> None:
    assert [lookup.period for lookup in looked_up("revenue", period).lookups] == [period]


def test_a_balance_is_of_a_day_and_no_stretch() -> None:
    assert len(looked_up("total assets", "twelve months ended July 1, 2023").lookups) == 1


def test_each_part_of_a_measure_is_put_together() -> None:
    plan = looked_up("free cash flow", "twelve months ended July 1, 2023")
    assert [step.operation for step in plan.steps].count(Calculation.STRETCH) == 2


def test_the_twelve_months_are_the_year_with_what_followed_and_without_what_it_began_with(
    tabled: Callable[..., list[Passage]],
) -> None:
    lead = "Consolidated statements of operations (in millions of euros)"
    year = tabled(["", "2022", "2021"], ["Revenue", "394", "366"], lead=lead, name="year")
    header = ["", "Nine months ended July 1, 2023", "Nine months ended June 25, 2022"]
    part = tabled(header, ["Revenue", "293", "304"], lead=lead, name="part")
    evidence = Evidence([*year, *part], {"year": "Anvil plc", "part": "Anvil plc"})
    analysis = execute(looked_up("revenue", "twelve months ended July 1, 2023"), QUESTION, evidence)
    [result] = analysis.results
    assert isinstance(result, Computed)
    assert result.formula == "394 + 293 − 304 = EUR 383 million"
    assert result.label == "revenue in the twelve months ended July 1, 2023"
    assert validate(analysis, evidence) == []
