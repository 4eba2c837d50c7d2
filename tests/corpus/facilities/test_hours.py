"""Opening hours are read as people write them, or refused with the part that is not understood."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.corpus.facilities.hours import DAY_MINUTES, UnreadableHours, read_hours

MONDAY, FRIDAY, SATURDAY, SUNDAY = 0, 4, 5, 6


def at(hour: int, minute: int = 0) -> int:
    return hour * 60 + minute


def test_days_and_times_are_read_as_written() -> None:
    week = read_hours("Mon-Fri 08:00-17:00; Sun 10:00-14:00")
    assert [week.on(day) for day in range(7)] == ["08:00–17:00"] * 5 + ["closed", "10:00–14:00"]
    assert week.is_open(MONDAY, at(8))
    assert not week.is_open(MONDAY, at(17))
    assert not week.opens_on(SATURDAY)


@pytest.mark.parametrize(
    "written",
    [
        "Mo-Fr 08:00-17:00",
        "Mon–Fri 8:00 – 17:00",
        "Monday to Friday 8am to 5pm",
        "Mondays-Fridays: 8 a.m. - 5 p.m.",
        "weekdays 8-17",
        "Mon, Tue, Wed, Thu & Fri 8.00-17.00",
        "Open Mon-Fri 8h00-17h00",
        "daily 08:00-17:00; weekends closed",
        "Mo-Fr 08:00-17:00; PH off",
        "Mon-Thu 8:00-17:00\nFri 8:00-17:00",
        "weekdays 8-5",
    ],
)
def test_one_week_can_be_written_in_many_ways(written: str) -> None:
    assert read_hours(written) == read_hours("Mo-Fr 08:00-17:00")


@pytest.mark.parametrize(
    "written", ["24/7", "Open 24 hours", "daily 00:00-24:00", "Mo-Su 0:00-24:00", "every day 24 hours"]
)
def test_always_open_is_open_at_every_minute(written: str) -> None:
    week = read_hours(written)
    assert week.always
    assert all(week.is_open(day, minute) for day in range(7) for minute in (0, 719, DAY_MINUTES - 1))


def test_hours_over_midnight_belong_to_the_day_they_begin() -> None:
    week = read_hours("Fri-Sat 20:00-02:00; Sun 22:00-01:00")
    assert week.is_open(SATURDAY, at(1, 59))
    assert week.is_open(SUNDAY, at(1))
    assert not week.is_open(FRIDAY, at(1))
    assert week.is_open(MONDAY, at(0, 30))
    assert not week.opens_on(MONDAY)
    assert week.on(FRIDAY) == "20:00–02:00"


def test_a_break_at_noon_is_closed() -> None:
    week = read_hours("Mon 09:00-12:00, 14:00-18:00")
    assert week == read_hours("Mon 9-12; Mon 14-18")
    assert not week.is_open(MONDAY, at(13))
    assert week.on(MONDAY) == "09:00–12:00, 14:00–18:00"


def test_a_later_rule_replaces_an_earlier_one_on_its_days() -> None:
    week = read_hours("Daily 9:00-18:00; Sun closed; Sat 10:00-12:00")
    assert week.on(SUNDAY) == "closed"
    assert week.on(SATURDAY) == "10:00–12:00"
    assert week.on(MONDAY) == "09:00–18:00"


def test_days_may_run_over_the_end_of_the_week() -> None:
    week = read_hours("Sat-Mon 10:00-12:00")
    assert [day for day in range(7) if week.opens_on(day)] == [MONDAY, SATURDAY, SUNDAY]


@pytest.mark.parametrize(
    ("written", "part"),
    [
        ("by appointment", "gives no times"),
        ("Mon-Blursday 9-17", "is not a day"),
        ("Mon 25:00-26:00", "is not a time of day"),
        ("Mon 9:75-17:00", "is not a time of day"),
        ("Mon 9-17-19", "is not a time like"),
        (" ; ", "say nothing"),
        ("Mon 13pm-14pm", "is not a time of day"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_part_that_is_wrong(written: str, part: str) -> None:
    with pytest.raises(UnreadableHours, match=re.escape(part)):
        read_hours(written)


@given(
    st.integers(0, 6), st.integers(0, DAY_MINUTES - 1), st.integers(1, DAY_MINUTES - 1), st.integers(0, DAY_MINUTES - 1)
)
def test_a_written_interval_is_open_from_its_first_minute_to_before_its_last(
    day: int, start: int, length: int, passed: int
) -> None:
    end = (start + length) % DAY_MINUTES
    name = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")[day]
    week = read_hours(f"{name} {start // 60:02d}:{start % 60:02d}-{end // 60:02d}:{end % 60:02d}")
    moment = start + passed
    is_open = week.is_open((day + moment // DAY_MINUTES) % 7, moment % DAY_MINUTES)
    assert is_open == (passed < length)


@given(st.text(alphabet="MonTueFrisat 0123456789:-–,;&/apm.closedto|\n", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        week = read_hours(text)
    except UnreadableHours:
        return
    assert len(week.days) == 7
