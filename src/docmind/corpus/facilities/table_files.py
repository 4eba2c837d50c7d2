"""Reads a facility table from CSV, Excel or GeoJSON into rows of text, whatever is in them."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from docmind.corpus.load.archive import check_package
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.table import shown
from docmind.domain.errors import FileRejected

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
