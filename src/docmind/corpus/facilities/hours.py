"""Opening hours as people write them, read once into a week that can be asked.

A rule is days and times, "Mon-Fri 08:00-17:00"; rules are separated by semicolons. A later rule replaces an earlier one
on the days it names, "Daily 9-17; Sun closed", unless it names the very same days: "Mon 9-12; Mon 14-18" are both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from docmind.corpus.facilities.facility import WEEKDAYS, Day, Facility, Opening
from docmind.domain.errors import StoreError

DAY_MINUTES = 24 * 60
Interval = tuple[int, int]
"""Minutes after midnight; one that runs over midnight ends above 1440."""

_ALWAYS = frozenset({"24/7", "24x7", "24 hours", "24h", "open 24 hours", "always open", "always"})
_CLOSED = frozenset({"closed", "off"})
_DAYS = {name[:length]: number for number, name in enumerate(WEEKDAYS) for length in (2, 3, len(name))}
_DAYS |= {"tues": 1, "thur": 3, "thurs": 3}
_GROUPS = {
    "daily": range(7), "every day": range(7), "everyday": range(7), "all days": range(7), "weekdays": range(5),
    "weekday": range(5), "weekends": range(5, 7), "weekend": range(5, 7),
}  # fmt: skip
_HOLIDAYS = ("ph", "sh", "public holidays", "holidays")
"""Holidays differ from place to place and no calendar of them is kept, so what is said of them is left out."""

_DASHES = re.compile(r"\s{0,9}(?:[–—−-]|\bto\b|\buntil\b)\s{0,9}")
_RULE = re.compile(r"((?:[a-z][a-z ,&.-]*+)?)(.*+)", re.DOTALL)
_CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?+\s?([ap])?+\.?(?:m\.?)?+")


class UnreadableHours(ValueError):
    """Opening hours that cannot be read; the message says which part."""


@dataclass(frozen=True, slots=True)
class Week:
    """When doors are open, a tuple of intervals a day, Monday first."""

    days: tuple[tuple[Interval, ...], ...]

    @property
    def always(self) -> bool:
        return all(day == ((0, DAY_MINUTES),) for day in self.days)

    def opens_on(self, weekday: int) -> bool:
        return bool(self.days[weekday])

    def is_open(self, weekday: int, minute: int) -> bool:
        late = minute + DAY_MINUTES
        today = any(start <= minute < end for start, end in self.days[weekday])
        return today or any(start <= late < end for start, end in self.days[weekday - 1])

    def on(self, weekday: int) -> str:
        """The hours of a day for people; "all day" or "closed" where that is shorter."""
        if self.days[weekday] == ((0, DAY_MINUTES),):
            return "all day"
        return ", ".join(f"{_clock(start)}–{_clock(end)}" for start, end in self.days[weekday]) or "closed"


@lru_cache(maxsize=4096)
def read_hours(text: str) -> Week:
    """The week that `text` describes; `UnreadableHours` says what in it is not understood."""
    plain = _DASHES.sub("-", " ".join(text.lower().replace("\n", ";").split()))
    if plain.rstrip(".") in _ALWAYS:
        return Week((((0, DAY_MINUTES),),) * 7)
    week: list[list[Interval]] = [[] for _ in WEEKDAYS]
    named: list[frozenset[int]] = []
    for rule in filter(None, map(str.strip, re.split(r"[;|]", plain))):
        days, intervals = _read_rule(rule)
        for day in days:
            week[day] = [*(week[day] if days in named else ()), *intervals]
        named.append(days)
    if not named:
        raise UnreadableHours("they say nothing")
    return Week(tuple(tuple(sorted(set(day))) for day in week))


def _read_rule(rule: str) -> tuple[frozenset[int], list[Interval]]:
    days_text, times = (part.strip(" ,:.") for part in _split(rule.removeprefix("open ")))
    if days_text.startswith(_HOLIDAYS):
        return frozenset(), []
    if not times:
        raise UnreadableHours(f"{rule[:40]!r} gives no times")
    days = _read_days(days_text) if days_text else frozenset(range(7))
    if times in _CLOSED:
        return days, []
    if times in _ALWAYS:
        return days, [(0, DAY_MINUTES)]
    return days, [_read_interval(part) for part in re.split(r"[,&]|\band\b", times) if part.strip()]


def _split(rule: str) -> tuple[str, str]:
    """Days and times. "closed", "off" and "24 hours" are times without a digit at their start to tell them by."""
    for word in (*_CLOSED, "always"):
        if rule.endswith(word):
            return rule.removesuffix(word), word
    match = _RULE.fullmatch(rule)
    return (match[1], match[2]) if match else ("", rule)


def _read_days(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in filter(None, (piece.strip(" .") for piece in re.split(r"[,&/]|\band\b", text))):
        if part in _GROUPS:
            found.update(_GROUPS[part])
            continue
        first, _, last = (piece.strip(" .") for piece in part.partition("-"))
        if _day(first) is None or (last and _day(last) is None):
            raise UnreadableHours(f"{part[:40]!r} is not a day")
        start = _DAYS[_singular(first)]
        end = _DAYS[_singular(last)] if last else start
        found.update((start + step) % 7 for step in range((end - start) % 7 + 1))
    return frozenset(found)


def _singular(day: str) -> str:
    return day if day in _DAYS else day.removesuffix("s")


def _day(text: str) -> int | None:
    return _DAYS.get(_singular(text))


def _read_interval(text: str) -> Interval:
    start_text, dash, end_text = text.strip().partition("-")
    start, end = _CLOCK.fullmatch(start_text.strip()), _CLOCK.fullmatch(end_text.strip())
    if not dash or start is None or end is None:
        raise UnreadableHours(f"{text.strip()[:40]!r} is not a time like 08:00-17:00")
    # In "2-5 pm" the half of the day is said once, and in "9-5" not at all.
    shared = end[3] if int(start[1]) < int(end[1]) < 12 else None
    opens, closes = _minute(start, start[3] or shared), _minute(end, end[3])
    if not (start[2] or end[2] or start[3] or end[3]) and 0 < closes <= opens <= DAY_MINUTES // 2:
        closes += DAY_MINUTES // 2
    if opens == closes:
        return (0, DAY_MINUTES) if opens in (0, DAY_MINUTES) else (opens, closes + DAY_MINUTES)
    return opens, closes if closes > opens else closes + DAY_MINUTES


def _minute(clock: re.Match[str], half: str | None) -> int:
    hour, minute = int(clock[1]), int(clock[2] or 0)
    if hour > (12 if half else 24) or minute > 59 or (hour == 24 and minute) or (half and not hour):
        raise UnreadableHours(f"{clock[0].strip()!r} is not a time of day")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60 + minute


def _clock(minute: int) -> str:
    hours = minute // 60 if minute == DAY_MINUTES else minute % DAY_MINUTES // 60
    return f"{hours:02d}:{minute % 60:02d}"


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
