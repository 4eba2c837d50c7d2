"""Dates and periods are read as what they are, and never taken for amounts."""

import pytest

from docmind.quality.quantities import Agreement, Period, read, same_period


def periods(text: str) -> list[Period]:
    found = read(text)
    assert all(isinstance(mention, Period) for mention in found), found
    return [mention for mention in found if isinstance(mention, Period)]


def one(text: str) -> Period:
    [period] = periods(text)
    return period


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("June 25, 2022", Period(2022, month=6, day=25)),
        ("25 June 2022", Period(2022, month=6, day=25)),
        ("25th of June, 2022", Period(2022, month=6, day=25)),
        ("Jun 25, 2022", Period(2022, month=6, day=25)),
        ("Sept. 3, 2021", Period(2021, month=9, day=3)),
        ("2022-06-25", Period(2022, month=6, day=25)),
        ("2022/06/25", Period(2022, month=6, day=25)),
        ("25.06.2022", Period(2022, month=6, day=25)),
        ("06/25/2022", Period(2022, month=6, day=25)),
        ("03/04/2022", Period(2022)),
        ("June 2022", Period(2022, month=6)),
        ("31 December", Period(month=12, day=31)),
        ("2022", Period(2022)),
        ("FY2023", Period(2023, fiscal=True)),
        ("FY23", Period(2023, fiscal=True)),
        ("fiscal 2023", Period(2023, fiscal=True)),
        ("financial year 2023", Period(2023, fiscal=True)),
        ("2022/23", Period(2023, fiscal=True)),
        ("Q3 2022", Period(2022, quarter=3)),
        ("Q3'22", Period(2022, quarter=3)),
        ("3Q22", Period(2022, quarter=3)),
        ("2022 Q3", Period(2022, quarter=3)),
        ("Q3 FY2022", Period(2022, quarter=3, fiscal=True)),
        ("third quarter of 2022", Period(2022, quarter=3)),
        ("third quarter of fiscal 2022", Period(2022, quarter=3, fiscal=True)),
        ("H1 2024", Period(2024, half=1)),
        ("first half of 2024", Period(2024, half=1)),
        ("first nine months of 2023", Period(2023, months=9)),
        ("three months ended June 25, 2022", Period(2022, month=6, day=25, months=3)),
        ("Nine Months Ended June 26, 2021", Period(2021, month=6, day=26, months=9)),
        ("13 weeks ended June 25, 2022", Period(2022, month=6, day=25, months=3)),
        ("fiscal year ended 31 December 2024", Period(2024, month=12, day=31, months=12)),
        ("quarterly period ended July 1, 2023", Period(2023, month=7, day=1, months=3)),
    ],
)
def test_a_period_is_read_with_all_that_is_said_of_it(text: str, expected: Period) -> None:
    period = one(text)
    assert period.key == expected
    assert period.text == text


def test_a_list_of_dates_shares_its_length_and_its_day() -> None:
    text = "three months ended September 30, 2023 and 2022"
    assert [period.key for period in periods(text)] == [
        Period(2023, month=9, day=30, months=3),
        Period(2022, month=9, day=30, months=3),
    ]
    assert [period.key for period in periods("first quarter of fiscal years 2024 and 2023")] == [
        Period(2024, quarter=1, fiscal=True),
        Period(2023, quarter=1, fiscal=True),
    ]


def test_a_month_alone_is_a_time_only_after_a_word_of_time() -> None:
    assert one("took effect in March").month == 3
    assert read("They may march on; March hares") == []


def test_a_year_that_counts_something_is_no_year() -> None:
    assert not isinstance(read("2000 MW")[0], Period)
    assert not isinstance(read("2012 employees")[0], Period)
    assert isinstance(read("in 2012 employees left")[0], Period)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("June 2022", "June 25, 2022", Agreement.AGREE),
        ("2022", "June 25, 2022", Agreement.AGREE),
        ("June 2022", "July 2022", Agreement.DISAGREE),
        ("2022", "2023", Agreement.DISAGREE),
        ("FY2022", "2022", Agreement.INCOMPARABLE),
        ("FY2022", "fiscal 2022", Agreement.AGREE),
        ("Q2 2022", "June 25, 2022", Agreement.AGREE),
        ("Q3 2022", "June 25, 2022", Agreement.DISAGREE),
        ("Q2 2023", "three months ended July 1, 2023", Agreement.AGREE),
        ("Q4 2021", "three months ended January 1, 2022", Agreement.AGREE),
        ("H1 2022", "Q2 2022", Agreement.DISAGREE),
        ("H1 2022", "March 2022", Agreement.AGREE),
        ("three months ended June 25, 2022", "nine months ended June 25, 2022", Agreement.DISAGREE),
        ("three months ended July 1, 2023", "July 1, 2023", Agreement.AGREE),
        ("three months ended June 25, 2022", "June 2022", Agreement.INCOMPARABLE),
        ("31 December", "2024", Agreement.INCOMPARABLE),
        ("31 December", "31 December 2024", Agreement.AGREE),
        ("Q3 FY2022", "third quarter of fiscal 2022", Agreement.AGREE),
    ],
)
def test_periods_are_compared_at_the_coarser_of_them(left: str, right: str, expected: Agreement) -> None:
    assert same_period(one(left), one(right)) is expected
    assert same_period(one(right), one(left)) is expected
