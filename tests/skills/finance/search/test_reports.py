"""The reports that a question means by the quarter they call themselves after."""

import pytest

from docmind.domain.documents import Metadata
from docmind.skills.finance.search.reports import dated, reports_of

QUARTERS = [
    Metadata(company="Anvil plc", fiscal_year=2023, quarter=3, date="2023-07-01"),
    Metadata(company="Anvil plc", fiscal_year=2023, quarter=1, date="2022-12-31"),
    Metadata(company="Anvil plc", fiscal_year=2023, quarter=1, date="2022-12-31"),
    Metadata(company="Anvil plc", title="A letter"),
]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What was revenue in Q1 2023?", "What was revenue in the three months ended December 31, 2022?"),
        (
            "What was revenue in the first quarter of 2023?",
            "What was revenue in the three months ended December 31, 2022?",
        ),
        ("What was revenue in the latest 10-Q?", "What was revenue in the three months ended July 1, 2023?"),
        ("What was revenue in the most recent quarter?", "What was revenue in the three months ended July 1, 2023?"),
        ("What was revenue in Q2 2019?", "What was revenue in Q2 2019?"),
    ],
)
def test_a_quarter_is_read_as_the_period_of_the_report_that_is_called_so(question: str, meant: str) -> None:
    assert dated(question, reports_of(QUARTERS))[0] == meant


def test_reports_are_known_once_oldest_first() -> None:
    assert [report["closing"] for report in reports_of(QUARTERS)] == ["2022-12-31", "2023-07-01"]
