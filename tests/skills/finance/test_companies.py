"""Questions on companies and on years that no single report tells."""

from collections.abc import Callable

import pytest

from docmind.domain.documents import Passage
from docmind.quality.quantities import Computed
from docmind.skills.finance import analyse

OWNERS = {"anvil-2022": "Anvil Works plc", "anvil-2023": "Anvil Works plc", "bellows-2023": "Bellows Works AG"}
LEAD = "Key figures (in thousands of euros):"


@pytest.fixture
def reports(tabled: Callable[..., list[Passage]]) -> list[Passage]:
    old = (["", "2022", "2021"], ["Revenue", "€400", "€350"], ["Operating profit", "40", "30"])
    new = (["", "2023", "2022"], ["Revenue", "€500", "€400"], ["Operating profit", "75", "40"])
    other = (["", "2023", "2022"], ["Revenue", "€250", "€260"], ["Operating profit", "20", "26"])
    tables = {"anvil-2022": old, "anvil-2023": new, "bellows-2023": other}
    return [passage for name, text in tables.items() for passage in tabled(*text, lead=LEAD, name=name)]


def test_a_figure_is_taken_from_the_company_named(reports: list[Passage]) -> None:
    for company, value in (("Anvil", "€500"), ("Bellows Works", "€250")):
        (figure,) = analyse(f"What was {company}'s revenue in 2023?", reports, OWNERS).results
        assert figure.quantity.text == value


def test_years_of_several_reports_make_one_series(reports: list[Passage]) -> None:
    (result,) = analyse("By what percentage did Anvil's revenue grow from 2021 to 2023?", reports, OWNERS).results
    assert isinstance(result, Computed)
    assert result.formula == "(500 − 350) / 350 = 42.86%"
    assert {figure.source for figure in result.sources} == {"anvil-2023-1", "anvil-2022-1"}


def test_the_company_with_more_is_named(reports: list[Passage]) -> None:
    answer = analyse("Which company had the higher operating profit in 2022?", reports, OWNERS)
    assert [quote.text for quote in answer.quotes] == ["Anvil Works plc"]
    assert len(answer.results) == 2


def test_figures_of_two_companies_are_set_off_against_each_other(reports: list[Passage]) -> None:
    question = "How many times Bellows' revenue was Anvil's revenue in 2023?"
    (result,) = analyse(question, reports, OWNERS).results
    assert isinstance(result, Computed)
    assert result.formula == "500 / 250 = 2.00 times"


def test_a_question_that_names_no_company_is_answered_for_each(reports: list[Passage]) -> None:
    answer = analyse("What was the revenue in 2021?", reports, OWNERS)
    assert [result.label for result in answer.results] == ["Anvil Works plc: Revenue"]
    assert answer.missing == ("Bellows Works AG: The figures of Revenue do not cover the period asked for.",)
