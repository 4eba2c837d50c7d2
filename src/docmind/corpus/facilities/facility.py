"""A facility and what can be asked of it: plain types that the rest of the finder shares."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from docmind.domain.errors import InvalidQuery

_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True)
class Facility:
    """One row of a facility table. What a table does not say is empty."""

    id: str
    name: str
    kind: str
    latitude: float
    longitude: float
    services: tuple[str, ...] = ()
    address: str = ""
    city: str = ""
    region: str = ""
    postcode: str = ""
    country: str = ""
    phone: str = ""
    opening_hours: str = ""
    timezone: str = ""
    """An IANA name; the zone of the nearest city where the table gives none."""

    @property
    def whole_address(self) -> str:
        """On one line, as it would be written on an envelope."""
        region = " ".join(filter(None, (self.region if self.region != self.city else "", self.postcode)))
        return ", ".join(filter(None, (self.address, self.city, region, self.country)))


class Day(StrEnum):
    """A day to be open on, as people name it."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"
    WEEKDAY = "weekday"
    WEEKEND = "weekend"
    TODAY = "today"
    TOMORROW = "tomorrow"
    NOW = "now"


WEEKDAYS = tuple(Day)[:7]


@dataclass(frozen=True, slots=True)
class Opening:
    """When a facility has to be open: on a day, at a minute of that day where one is named, or now."""

    day: Day
    minute: int | None = None

    @classmethod
    def parse(cls, wanted: str) -> Self:
        """`sunday`, `sunday 10:30` or `now`."""
        day, _, time = wanted.strip().lower().partition(" ")
        clock = _CLOCK.fullmatch(time.strip()) if time else None
        if day not in list(Day) or (time and clock is None) or (time and day == Day.NOW):
            raise InvalidQuery(f"{wanted[:40]!r} is not a day like 'sunday' or 'sunday 10:30'.")
        return cls(Day(day), int(clock[1]) * 60 + int(clock[2]) if clock else None)


@dataclass(frozen=True, slots=True)
class FacilityQuery:
    """What is looked for. Everything that is given has to hold."""

    kind: str = ""
    services: tuple[str, ...] = ()
    opening: Opening | None = None
    place: str = ""
    """A place name, a postcode of the table, or coordinates, as written."""
    radius_km: float | None = None
    name: str = ""
    """The name of one facility."""
    nearest: bool = False
    """Asked relative to a place that is not named: "the nearest", "near me"."""
    limit: int = 5
