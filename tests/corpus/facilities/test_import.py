"""A facility table comes in whole, or every reason why not is told at once."""

import io
import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from docmind.corpus.facilities import Facilities, FacilityQuery
from docmind.corpus.facilities.geography import Gazetteer
from docmind.corpus.facilities.table_import import CheckedTable, ImportReport, check_rows, read_rows
from docmind.corpus.load.limits import Limits
from docmind.domain.errors import FileRejected, NotFound
from docmind.domain.scope import Scope

GOOD = "id,name,kind,services,latitude,longitude,city\nA,North Clinic,clinic,x-ray; blood test,51.5,-0.1,London\n"


def check(text: str | bytes, name: str = "table.csv") -> CheckedTable:
    return check_rows(read_rows(text.encode() if isinstance(text, str) else text, name, Limits()))


def feature(properties: dict[str, Any], geometry: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": geometry, **more}


def geojson(*features: dict[str, Any]) -> str:
    return json.dumps({"type": "FeatureCollection", "features": features})


def test_a_row_becomes_a_facility() -> None:
    (facility,) = check(GOOD).facilities
    assert (facility.id, facility.name, facility.kind) == ("A", "North Clinic", "clinic")
    assert facility.services == ("x-ray", "blood test")
    assert (facility.latitude, facility.longitude) == (51.5, -0.1)


def test_the_three_formats_hold_the_same_facilities() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["ID", "Name", "Type", "Services", "Lat", "Lng", "Town"],
        ["A", "North Clinic", "clinic", "x-ray, blood test", 51.5, -0.1, "London"],
    ):
        sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    place = {"type": "Point", "coordinates": [-0.1, 51.5, 12]}
    known = {"name": "North Clinic", "kind": "clinic", "services": ["x-ray", "blood test"], "city": "London"}
    expected = check(GOOD).facilities
    assert check(buffer.getvalue(), "table.xlsx").facilities == expected
    assert check(geojson(feature(known, place, id="A")), "table.geojson").facilities == expected
    assert check(GOOD.replace(",", "\t").replace(";", ","), "table.tsv").facilities == expected


def test_every_problem_of_every_row_is_told_at_once() -> None:
    table = (
        "id;name;kind;latitude;longitude;phone;opening_hours;timezone\n"
        "A;One;clinic;51,5;-0,1;+44 20 7946 0111;24/7;Europe/London\n"
        "A;;clinic;north;-0.1;call us;by appointment;Mars/Base\n"
        "\n"
        "C;Three;clinic;0;0;;;\n"
        "D;Four;clinic;91;181;;;;surplus\n"
        "E;Five;clinic;95;190;;;\n"
    )
    checked = check(table)
    assert [facility.name for facility in checked.facilities] == ["One"]
    assert checked.facilities[0].latitude == 51.5
    assert checked.problems == (
        "Row 3: the name is missing.",
        "Row 3: the id 'A' is already that of row 2.",
        "Row 3: the latitude 'north' is not a number of degrees between -90 and 90.",
        "Row 3: the opening hours 'by appointment' cannot be read: 'by appointment' gives no times.",
        "Row 3: the phone 'call us' is not a telephone number.",
        "Row 3: the timezone 'Mars/Base' is not one like Europe/Berlin.",
        "Row 5: it lies at 0, 0, which is open sea and how a missing position is often written.",
        "Row 6: 'surplus' stands in a column that has no name.",
        "Row 7: the latitude '95' is not a number of degrees between -90 and 90.",
        "Row 7: the longitude '190' is not a number of degrees between -180 and 180.",
    )


def test_missing_columns_are_named_beside_those_that_are_there() -> None:
    assert check("name,where\nNorth,London\n").problems == (
        "The table needs the columns 'kind', 'latitude', 'longitude'; it has 'name', 'where'.",
    )


def test_a_feature_that_is_no_point_is_named() -> None:
    line = {"type": "LineString", "coordinates": [[0, 1], [2, 3]]}
    known = {"name": "A", "kind": "b"}
    shapeless = [feature(known, line), feature(known, None)]
    assert check(geojson(*shapeless), "t.json").problems == (
        "Feature 1: its geometry is a LineString; a facility is a Point.",
        "Feature 2: it has no geometry of type Point.",
    )
    point = feature(known, {"type": "Point", "coordinates": [1, 2]})
    assert check(geojson(point, *shapeless), "t.json").problems == (
        "Feature 2: its geometry is a LineString; a facility is a Point.",
        "Feature 3: it has no geometry of type Point.",
    )


def test_numbers_that_are_none_and_text_that_is_none_are_problems() -> None:
    strange = feature({"name": "A\u0000B", "kind": "b"}, {"type": "Point", "coordinates": [float("nan"), 2]}, id=1)
    assert check(geojson(strange), "t.geojson").problems == (
        "Feature 1: the name holds characters that are not text.",
        "Feature 1: the longitude 'nan' is not a number of degrees between -180 and 180.",
    )


def test_a_table_without_ids_gets_them_and_columns_nobody_reads_are_named() -> None:
    checked = check("name,kind,lat,lon,colour\nA,clinic,1,2,red\nB,clinic,1,2,blue\n")
    assert [facility.id for facility in checked.facilities] == ["1", "2"]
    assert checked.unused == ("colour",)


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"", "t.csv", "is empty"),
        (b"name,kind\n", "t.csv", "has no facility in it"),
        (b"x", "t.pdf", "is not a table of facilities"),
        (b"[]", "t.geojson", "FeatureCollection"),
        (b"{", "t.geojson", "cannot be read as GeoJSON"),
        (b"[" * 100_000, "t.json", "cannot be read as GeoJSON"),
        (b"PK\x03\x04 not really", "t.xlsx", "ZIP|XLSX|damaged"),
    ],
)
def test_a_file_that_is_no_table_is_rejected_with_its_reason(content: bytes, name: str, reason: str) -> None:
    with pytest.raises(FileRejected, match=reason):
        read_rows(content, name, Limits())


def test_limits_hold() -> None:
    with pytest.raises(FileRejected, match="more than 1 rows"):
        read_rows(b"name\na\nb\n", "t.csv", Limits(max_rows=1))
    with pytest.raises(FileRejected, match="larger than"):
        read_rows(b"name\na\nb\n", "t.csv", Limits(max_bytes=4))


@pytest.fixture
def facilities(tmp_path: Path, gazetteer: Gazetteer) -> Iterator[Facilities]:
    with closing(Facilities(None, tmp_path / "data", gazetteer)) as opened:
        yield opened


def bring(facilities: Facilities, file: Path, text: str, scope: Scope) -> ImportReport:
    file.write_text(text)
    return facilities.import_table(file, scope, Limits())


def test_a_table_with_one_bad_row_changes_nothing(facilities: Facilities, tmp_path: Path) -> None:
    scope, file = Scope("w"), tmp_path / "t.csv"
    assert bring(facilities, file, GOOD, scope).imported == 1
    report = bring(facilities, file, GOOD + "B,South,clinic,,oops,1,\nC,West,clinic,,1,1,\n", scope)
    assert (report.imported, report.rows, len(report.problems)) == (0, 3, 1)
    assert facilities.directory(scope).names == ("North Clinic",)


def test_an_import_replaces_the_table_before_it(facilities: Facilities, tmp_path: Path) -> None:
    scope, file = Scope("w"), tmp_path / "t.csv"
    bring(facilities, file, GOOD, scope)
    bring(facilities, file, GOOD.replace("North", "South"), scope)
    assert facilities.directory(scope).names == ("South Clinic",)


def test_a_facility_without_a_time_zone_has_that_of_the_nearest_city(facilities: Facilities, tmp_path: Path) -> None:
    bring(facilities, tmp_path / "t.csv", GOOD, Scope("w"))
    assert facilities.directory(Scope("w")).facilities[0].timezone == "Europe/London"


def test_a_file_that_is_not_there_is_not_found(facilities: Facilities, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        facilities.import_table(tmp_path / "none.csv", Scope("w"), Limits())


def test_nothing_imported_is_said(facilities: Facilities) -> None:
    answer = facilities.find(FacilityQuery(kind="clinic"), Scope("w"), datetime.now(UTC))
    assert answer.text == "No facilities have been imported into this workspace yet."
    assert not answer.found
