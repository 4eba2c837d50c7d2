"""Reads JSON, JSON Lines and XML: nested data as headings and `path: value` lines, lists of records as tables."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from docmind.corpus.load.archive import parse_xml
from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.limits import Limits
from docmind.domain.documents import Loaded
from docmind.domain.errors import FileRejected

JSON = "application/json"
JSON_LINES = "application/jsonl"
XML = "application/xml"
HEADING_DEPTH = 3
MAX_DEPTH = 100
SPARSEST_TABLE = 10
"""Cells a table may have for each that is filled."""


def load_json(data: bytes, limits: Limits) -> Loaded:
    builder = Builder(limits)
    _write(builder, _parse(decode(data)), "", 0)
    return builder.finish(JSON)


def load_json_lines(data: bytes, limits: Limits) -> Loaded:
    builder = Builder(limits)
    records = [_parse(line) for line in decode(data).split("\n") if line.strip()]
    _write(builder, records, "", 0)
    return builder.finish(JSON_LINES)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileRejected(f"is not valid JSON: {error}.") from error


def _write(builder: Builder, value: Any, path: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FileRejected(f"nests its data more than {MAX_DEPTH} deep.")
    if _is_table(value):
        _write_records(builder, value, path)
    elif isinstance(value, Mapping):
        # Plain values first, so that they stand under their own heading and not under a sibling's.
        for key, inner in sorted(value.items(), key=lambda pair: _is_nested(pair[1])):
            _write_entry(builder, str(key), inner, path, depth)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for number, inner in enumerate(value, 1):
            if _is_nested(inner):
                _write_entry(builder, str(number), inner, path, depth)
            else:
                builder.item(_shown(inner))
    else:
        builder.paragraph(_shown(value))


def _write_entry(builder: Builder, key: str, value: Any, path: str, depth: int) -> None:
    full = f"{path}.{key}" if path else key
    if not _is_nested(value):
        text = ", ".join(map(_shown, value)) if isinstance(value, list) else _shown(value)
        if text:
            builder.paragraph(f"{full if depth > HEADING_DEPTH else key}: {text}")
        return
    if depth < HEADING_DEPTH and not _is_table(value):
        builder.heading(key, depth + 1)
        _write(builder, value, full, depth + 1)
    else:
        _write(builder, value, full, depth + 1)


def _is_nested(value: Any) -> bool:
    if isinstance(value, Mapping):
        return bool(value)
    return isinstance(value, list) and any(isinstance(inner, Mapping | list) for inner in value)


def _is_table(value: Any) -> bool:
    """A list of two or more flat records that mostly have the same keys."""
    return (
        isinstance(value, list)
        and len(value) > 1
        and all(isinstance(row, Mapping) and row and not any(map(_is_nested, row.values())) for row in value)
        and len({key for row in value for key in row}) * len(value) <= SPARSEST_TABLE * sum(map(len, value))
    )


def _write_records(builder: Builder, records: list[Mapping[str, Any]], path: str) -> None:
    columns = list(dict.fromkeys(key for record in records for key in record))
    rows = ([_cell(record.get(column)) for column in columns] for record in records)
    builder.table(rows, [str(column) for column in columns], path)


def _cell(value: Any) -> str:
    return ", ".join(map(_shown, value)) if isinstance(value, list) else _shown(value)


def _shown(value: Any) -> str:
    if value is None or value == {}:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def load_xml(data: bytes, limits: Limits) -> Loaded:
    try:
        root = parse_xml(data)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise FileRejected(f"is not well-formed XML: {error}.") from error
    builder = Builder(limits)
    _write_element(builder, root, 0)
    return builder.finish(XML)


def _write_element(builder: Builder, element: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FileRejected(f"nests its elements more than {MAX_DEPTH} deep.")
    name = etree.QName(element).localname
    children = [child for child in element if isinstance(child.tag, str)]
    attributes = [f"{etree.QName(key).localname}: {value}" for key, value in element.attrib.items()]
    if not children:
        text = " | ".join(filter(None, [one_line(element.text or ""), *attributes]))
        if text:
            builder.paragraph(f"{name}: {text}")
        return
    if _is_mixed(element):
        builder.paragraph("".join(element.itertext()))
        return
    builder.heading(name, depth + 1)
    if attributes:
        builder.paragraph(" | ".join(attributes))
    builder.paragraph(element.text or "")
    for child in element:
        if isinstance(child.tag, str):
            _write_element(builder, child, depth + 1)
        builder.paragraph(child.tail or "")


def _is_mixed(element: Any) -> bool:
    """Prose with marked-up words in it, which is one text and not a structure."""
    return bool(_own_text(element)) and all(len(child) == 0 for child in element)


def _own_text(element: Any) -> str:
    return one_line("".join(_texts(element)))


def _texts(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield child.tail or ""
