"""Turns rows into facilities, or says all that is wrong with them at once, so that one repair is enough."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from docmind.corpus.facilities.facility import Facility
from docmind.corpus.facilities.hours import UnreadableHours, read_hours
from docmind.corpus.facilities.spelling import fold
from docmind.corpus.facilities.table_files import Row

REQUIRED = ("name", "kind", "latitude", "longitude")
_NAMES = {
    "id": ("id", "identifier"),
    "name": ("name", "facility", "facility name", "title"),
    "kind": ("kind", "type", "category", "facility type"),
    "services": ("services", "service", "offers"),
    "address": ("address", "street", "street address"),
    "city": ("city", "town", "municipality"),
    "region": ("region", "state", "province", "county"),
    "postcode": ("postcode", "postal code", "zip", "zip code", "zipcode", "plz"),
    "country": ("country",),
    "latitude": ("latitude", "lat"),
    "longitude": ("longitude", "lon", "lng", "long"),
    "phone": ("phone", "telephone", "tel", "phone number"),
    "opening_hours": ("opening hours", "hours", "opening times", "open"),
    "timezone": ("timezone", "time zone", "tz"),
}
"""What the columns of a table are called, folded, best name first."""
_NUMBER = re.compile(r"[-+−]?\d{1,3}(?:[.,]\d{1,20})?")
_PHONE = re.compile(r"\+?[\d\s()./–-]{3,40}(?:(?:x|ext\.?)\s?\d{1,6})?", re.IGNORECASE)
_LONGEST_CELL = 1_000
_NOT_TEXT = frozenset({"Cc", "Cs"})

Problems = Iterator[str]


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """What a table holds, and what is wrong with it; with any problem nothing of it may be used."""

    facilities: tuple[Facility, ...]
    problems: tuple[str, ...]
    unused: tuple[str, ...]
    """Columns that mean nothing to the finder."""


def check_rows(rows: Sequence[Row]) -> CheckedTable:
    """Every facility, and every problem as a sentence that names its row."""
    present = list(dict.fromkeys(name for row in rows for name in row.cells))
    columns = _columns(present)
    missing = [name for name in REQUIRED if name not in columns]
    unused = tuple(name for name in present if name and name not in columns.values())
    if missing:
        shapeless = tuple(f"{row.where}: {row.problem}" for row in rows if row.problem)
        # What no row has, because none has a shape that could have it, is no column that somebody forgot.
        told = shapeless if len(shapeless) == len(rows) else (_missing(missing, present), *shapeless)
        return CheckedTable((), told, unused)
    facilities: list[Facility] = []
    problems: list[str] = []
    seen: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        cells = {name: row.cells.get(column, "") for name, column in columns.items()}
        # A table without ids gets them: people do not need them, buttons and maps do.
        cells.setdefault("id", str(number))
        wrong = [row.problem] if row.problem else list(_problems(cells, seen))
        problems.extend(f"{row.where}: {problem}" for problem in wrong)
        seen.setdefault(cells["id"], row.where)
        if not wrong:
            facilities.append(_facility(cells))
    return CheckedTable(tuple(facilities), tuple(problems), unused)


def _columns(present: Sequence[str]) -> dict[str, str]:
    """For each field the column that holds it."""
    by_name: dict[str, str] = {}
    for name in present:
        by_name.setdefault(fold(name.replace("_", " ")), name)
    found = {field: next((by_name[name] for name in names if name in by_name), None) for field, names in _NAMES.items()}
    return {field: column for field, column in found.items() if column is not None}


def _missing(missing: Sequence[str], present: Sequence[str]) -> str:
    what = f"a column {missing[0]!r}" if len(missing) == 1 else f"the columns {', '.join(map(repr, missing))}"
    there = ", ".join(repr(name[:40]) for name in present[:20] if name)
    return f"The table needs {what}; it has {there or 'none'}."


def _problems(cells: dict[str, str], seen: dict[str, str]) -> Problems:
    for name in ("id", *REQUIRED):
        if not cells[name]:
            yield f"the {name} is missing."
    if cells["id"] in seen:
        yield f"the id {cells['id'][:40]!r} is already that of {seen[cells['id']].lower()}."
    for name, value in cells.items():
        if len(value) > _LONGEST_CELL:
            yield f"the {name.replace('_', ' ')} is longer than {_LONGEST_CELL:,} characters."
        elif any(unicodedata.category(character) in _NOT_TEXT for character in value):
            yield f"the {name.replace('_', ' ')} holds characters that are not text."
    yield from _position(cells)
    for name, check in _CHECKS.items():
        if problem := cells.get(name) and check(cells[name]):
            yield problem


def _position(cells: dict[str, str]) -> Problems:
    read = {}
    for name, most in (("latitude", 90), ("longitude", 180)):
        value = cells[name]
        read[name] = _degrees(value)
        if value and (read[name] is None or abs(read[name] or 0) > most):
            yield f"the {name} {value[:40]!r} is not a number of degrees between -{most} and {most}."
    if read["latitude"] == 0 == read["longitude"]:
        yield "it lies at 0, 0, which is open sea and how a missing position is often written."


def _degrees(value: str) -> float | None:
    return float(value.replace(",", ".").replace("−", "-")) if _NUMBER.fullmatch(value) else None


def _check_hours(value: str) -> str:
    try:
        read_hours(value)
    except UnreadableHours as error:
        return f"the opening hours {value[:80]!r} cannot be read: {error}."
    return ""


def _check_phone(value: str) -> str:
    return "" if _PHONE.fullmatch(value) else f"the phone {value[:40]!r} is not a telephone number."


def _check_timezone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return f"the timezone {value[:40]!r} is not one like Europe/Berlin."
    return ""


_CHECKS: dict[str, Callable[[str], str]] = {
    "opening_hours": _check_hours,
    "phone": _check_phone,
    "timezone": _check_timezone,
}


def _facility(cells: dict[str, str]) -> Facility:
    services = (service.strip() for service in re.split(r"[;|,]", cells.get("services", "")))
    text = {name: value for name, value in cells.items() if name not in ("latitude", "longitude", "services")}
    return Facility(
        **text,
        latitude=_degrees(cells["latitude"]) or 0.0,
        longitude=_degrees(cells["longitude"]) or 0.0,
        services=tuple(dict.fromkeys(filter(None, services))),
    )
