"""Brings in a facility table, CSV, Excel or GeoJSON, whole or not at all, and says all that is wrong with it."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from docmind.corpus.facilities.directory import FacilityStore
from docmind.corpus.facilities.facility import Facility
from docmind.corpus.facilities.geography import Gazetteer
from docmind.corpus.facilities.hours import UnreadableHours, read_hours
from docmind.corpus.facilities.spelling import fold
from docmind.corpus.load.archive import check_package
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.table import shown
from docmind.domain.errors import FileRejected, NotFound
from docmind.domain.scope import Scope

_DELIMITERS = ",;\t|"
FORMATS = "CSV, TSV, XLSX and GeoJSON"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: where a person finds it, and its cells by the name of their column."""

    where: str
    cells: dict[str, str]
    problem: str = ""
    """Why it cannot be a facility, where the format itself says so."""


def read_rows(data: bytes, name: str, limits: Limits) -> list[Row]:
    """The rows of a table; `FileRejected` where it is none."""
    if not data.strip():
        raise FileRejected("is empty.")
    if len(data) > limits.max_bytes:
        raise FileRejected(f"is larger than {limits.max_bytes >> 20:,} MB, which is the limit.")
    match PurePath(name).suffix.lower():
        case ".csv" | ".tsv" | ".tab":
            rows = _below_header(_csv_rows(decode(data), limits))
        case ".xlsx" | ".xlsm":
            rows = _below_header(_xlsx_rows(data, limits))
        case ".geojson" | ".json":
            rows = _features(data)
        case _:
            raise FileRejected(f"is not a table of facilities: {FORMATS} can be read.")
    found = []
    for row in rows:
        found.append(row)
        if len(found) > limits.max_rows:
            raise FileRejected(f"has more than {limits.max_rows:,} rows, which is the limit.")
    if not found:
        raise FileRejected("has no facility in it.")
    return found


def _csv_rows(text: str, limits: Limits) -> Iterator[list[str]]:
    csv.field_size_limit(limits.max_characters)
    # The header is made of names, so what separates them is plain; further down hours and numbers hold separators too.
    header = text.lstrip().partition("\n")[0]
    delimiter = max(_DELIMITERS, key=header.count)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    except csv.Error as error:
        raise FileRejected("is damaged: it cannot be read as CSV.") from error


def _xlsx_rows(data: bytes, limits: Limits) -> Iterator[list[str]]:
    import openpyxl

    check_package(data, limits)
    try:
        workbook = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except Exception as error:
        # The library fails in every way on malformed files.
        raise FileRejected("is damaged, or not what its name says: it cannot be read as XLSX.") from error
    try:
        sheet = workbook.worksheets[0]
        sheet.reset_dimensions()
        for row in sheet.iter_rows(values_only=True):
            yield [shown(value) for value in row]
    finally:
        workbook.close()


def _below_header(rows: Iterable[list[str]]) -> Iterator[Row]:
    """Rows are counted as spreadsheets count them: the header is row 1."""
    header: list[str] = []
    for number, row in enumerate(rows, 1):
        cells = [_tidy(cell) for cell in row]
        if not any(cells):
            continue
        if not header:
            header = cells
            continue
        lost = [cell for cell in cells[len(header) :] if cell]
        problem = f"{lost[0][:40]!r} stands in a column that has no name." if lost else ""
        yield Row(f"Row {number}", dict(zip(header, cells, strict=False)), problem)


def _features(data: bytes) -> Iterator[Row]:
    try:
        tree = json.loads(decode(data))
    except (ValueError, RecursionError) as error:
        raise FileRejected("is damaged: it cannot be read as GeoJSON.") from error
    features = tree.get("features") if isinstance(tree, dict) else None
    if not isinstance(features, list):
        raise FileRejected("is not GeoJSON with a FeatureCollection in it.")
    for number, feature in enumerate(features, 1):
        yield _feature(f"Feature {number}", feature if isinstance(feature, dict) else {})


def _feature(where: str, feature: dict[str, Any]) -> Row:
    properties = feature.get("properties")
    cells = {name: _cell(value) for name, value in properties.items()} if isinstance(properties, dict) else {}
    if "id" not in cells and isinstance(feature.get("id"), str | int):
        cells["id"] = str(feature["id"])
    match feature.get("geometry"):
        case {"type": "Point", "coordinates": [east, north, *_]}:
            return Row(where, cells | {"longitude": _cell(east), "latitude": _cell(north)})
        case {"type": str(other)} if other != "Point":
            return Row(where, cells, f"its geometry is a {other[:40]}; a facility is a Point.")
        case _:
            return Row(where, cells, "it has no geometry of type Point.")


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(_cell(item) for item in value)
    return "" if isinstance(value, dict) else _tidy(shown(value))


def _tidy(cell: str) -> str:
    """One line, single spaces. Lines of one cell are items, as in a list of opening hours."""
    return "; ".join(filter(None, (" ".join(line.split()) for line in cell.splitlines())))


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


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. With any problem it did nothing."""

    rows: int
    imported: int
    problems: tuple[str, ...]
    """A sentence for everything that is wrong, each with its row."""
    unused_columns: tuple[str, ...]


def import_table(
    path: Path, name: str, scope: Scope, store: FacilityStore, gazetteer: Gazetteer, limits: Limits
) -> ImportReport:
    """Make the table at `path` the facilities of the scope, in place of those it had."""
    if not path.is_file():
        raise NotFound(f"There is no file {str(path)!r}.")
    rows = read_rows(path.read_bytes(), name, limits)
    checked = check_rows(rows)
    if checked.problems:
        return ImportReport(len(rows), 0, checked.problems, checked.unused)
    facilities = with_timezones(checked.facilities, gazetteer)
    store.replace(scope, facilities)
    return ImportReport(len(rows), len(facilities), (), checked.unused)


def with_timezones(facilities: tuple[Facility, ...], gazetteer: Gazetteer) -> tuple[Facility, ...]:
    """Opening hours are told by local clocks: a facility that does not name its zone has that of the nearest city."""
    bare = [facility for facility in facilities if not facility.timezone]
    zones = gazetteer.timezones(np.array([(facility.latitude, facility.longitude) for facility in bare]).reshape(-1, 2))
    found = {id(facility): zone for facility, zone in zip(bare, zones, strict=True)}
    return tuple(replace(each, timezone=found.get(id(each), each.timezone)) for each in facilities)
