"""Whether a facility is open when it has to be, by its own clock."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from docmind.corpus.facilities.facility import WEEKDAYS, Day, Facility, Opening
from docmind.corpus.facilities.hours import read_hours
from docmind.domain.errors import StoreError


def is_open(facility: Facility, opening: Opening, now: datetime) -> bool:
    """Whether doors are open then; the facility says when they are."""
    week = read_hours(facility.opening_hours)
    weekdays, minute = _moment(facility, opening, now)
    return any(week.opens_on(day) if minute is None else week.is_open(day, minute) for day in weekdays)


def _moment(facility: Facility, opening: Opening, now: datetime) -> tuple[Sequence[int], int | None]:
    """The weekdays of which one is enough, and the minute where it matters, on the facility's own clock."""
    local = now.astimezone(_zone(facility.timezone))
    match opening.day:
        case Day.NOW:
            return (local.weekday(),), local.hour * 60 + local.minute
        case Day.TODAY:
            return (local.weekday(),), opening.minute
        case Day.TOMORROW:
            return ((local.weekday() + 1) % 7,), opening.minute
        case Day.WEEKDAY:
            return range(5), opening.minute
        case Day.WEEKEND:
            return (5, 6), opening.minute
        case named:
            return (WEEKDAYS.index(named),), opening.minute


def shown_hours(facility: Facility, opening: Opening | None, now: datetime) -> str:
    """The opening hours that matter to someone who asks for `opening`."""
    if not facility.opening_hours:
        return ""
    week = read_hours(facility.opening_hours)
    if week.always:
        return "open 24/7"
    if opening is None or opening.day is Day.WEEKDAY:
        return facility.opening_hours
    weekdays, _ = _moment(facility, opening, now)
    named = ", ".join(f"{WEEKDAYS[day].capitalize()} {week.on(day)}" for day in weekdays)
    return f"open now, {named}" if opening.day is Day.NOW else named


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError as error:
        raise StoreError(f"This machine knows no time zone {name!r}: pip install tzdata.") from error
