import pytest
import typer

from docmind.cli.search import parse_conditions
from docmind.domain.search import Filters


def filters(*conditions: str) -> Filters:
    return parse_conditions(conditions, lambda reference: f"id of {reference}")


def test_no_condition_is_no_filter() -> None:
    assert filters() == Filters()


def test_each_field_becomes_its_filter() -> None:
    assert filters("company=Ferrous Lane", "ticker = FRL", "fiscal_year=FY2024", "quarter=q3", "kind=table") == Filters(
        company=("Ferrous Lane",), ticker=("FRL",), fiscal_year=(2024,), quarter=(3,), kind=("table",)
    )


def test_a_field_given_twice_means_either() -> None:
    assert filters("fiscal_year=2023", "fiscal_year=2024").fiscal_year == (2023, 2024)


def test_a_document_is_named_as_a_person_names_it() -> None:
    assert filters("document=report.pdf").document_id == ("id of report.pdf",)


def test_dates_are_bounds() -> None:
    assert filters("date>=2024-01-01", "date<=2024-12-31") == Filters(date_from="2024-01-01", date_to="2024-12-31")
    assert filters("date=2024-05-01") == Filters(date_from="2024-05-01", date_to="2024-05-01")


def test_a_value_may_hold_signs() -> None:
    assert filters("company=A=B >= C").company == ("A=B >= C",)


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ("colour=red", "no field 'colour'; the fields are company, ticker"),
        ("company", "write FIELD=VALUE"),
        ("company=", "write FIELD=VALUE"),
        ("", "write FIELD=VALUE"),
        ("fiscal_year=last", "fiscal_year is a number"),
        ("quarter=²", "quarter is a number"),
        ("fiscal_year>=2023", "goes with date alone"),
        ("date>=January", "write it as year-month-day"),
    ],
)
def test_a_condition_that_cannot_be_is_refused_in_a_sentence(condition: str, sentence: str) -> None:
    with pytest.raises(typer.BadParameter, match=sentence):
        filters(condition)
