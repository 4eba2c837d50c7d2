"""A total as the figures that it is made of."""

from collections.abc import Callable

import pytest

from docmind.domain.documents import Passage
from docmind.skills.finance import Evidence, read_question
from docmind.skills.finance.compute.parts import breakdown_of

Tabled = Callable[..., list[Passage]]
REGIONS = (
    ["", "2023", "2022"],
    ["Europe", "€60", "€55"],
    ["% of revenue", "60%", "55%"],
    ["Asia", "40", "45"],
    ["Total revenue", "€100", "€100"],
)
PRODUCTS = (["", "2023", "2022"], ["Anvils", "€70", "€80"], ["Hammers", "30", "20"], ["Total revenue", "€100", "€100"])
WRONG = (["", "2023", "2022"], ["Anvils", "€70", "€80"], ["Hammers", "50", "20"], ["Total revenue", "€100", "€100"])


@pytest.fixture
def report(tabled: Tabled) -> Evidence:
    regions = tabled(*REGIONS, lead="Revenue by region (in millions of euros):", name="regions")
    return Evidence([*regions, *tabled(*PRODUCTS, lead="Revenue by product (in millions of euros):", name="products")])


def _told(question: str, evidence: Evidence) -> list[tuple[str, str]]:
    parts = breakdown_of(read_question(question), evidence)
    return [(one.label, one.quantity.text) for one in parts.results] if parts is not None else []


def test_a_total_is_divided_the_way_that_is_asked_for(report: Evidence) -> None:
    assert _told("Revenue by region in 2022", report) == [
        ("Total revenue: Europe", "€55"),
        ("Total revenue: Asia", "45"),
    ]
    assert [label for label, _ in _told("Revenue by product in 2023", report)] == [
        "Total revenue: Anvils",
        "Total revenue: Hammers",
    ]


def test_rows_that_do_not_add_up_are_no_parts(tabled: Tabled) -> None:
    evidence = Evidence(tabled(*WRONG, lead="Revenue by product (in millions of euros):", name="wrong"))
    assert _told("Revenue by product in 2023", evidence) == []
    assert len(_told("Revenue by product in 2022", evidence)) == 2


def test_a_question_that_divides_nothing_has_no_parts(report: Evidence) -> None:
    assert _told("What was revenue in 2023?", report) == []
