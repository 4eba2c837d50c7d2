"""Reads CSV, TSV and Excel files: each sheet is a table whose rows name their columns."""

import csv
import datetime as dt
import io
import itertools
from collections.abc import Iterable
from pathlib import PurePath

from docmind.corpus.load.archive import check_package
from docmind.corpus.load.builder import Builder
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.grid import MAX_HEADER_ROWS, count_header_rows, merge_affixes, split_table
from docmind.corpus.load.limits import Limits
from docmind.domain.documents import Loaded

CSV = "text/csv"
TSV = "text/tab-separated-values"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# The sniffer takes seconds for a few pages of nothing but quotes.
SNIFFED_CHARACTERS = 4 * 1024
HEADER_SAMPLE = 20


def load_csv(data: bytes, limits: Limits, name: str) -> Loaded:
    text = decode(data)
    delimiter = "\t" if name.lower().endswith((".tsv", ".tab")) else _delimiter(text)
    csv.field_size_limit(limits.max_characters)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    builder = Builder(limits)
    write_sheet(builder, rows, PurePath(name).stem)
    return builder.finish(TSV if delimiter == "\t" else CSV)


def _delimiter(text: str) -> str:
    try:
        return csv.Sniffer().sniff(text[:SNIFFED_CHARACTERS], delimiters=",;\t|").delimiter
    except csv.Error:
        return ","


def load_xlsx(data: bytes, limits: Limits) -> Loaded:
    import openpyxl

    check_package(data, limits)
    workbook = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    builder = Builder(limits)
    try:
        for sheet in workbook.worksheets:
            # One stray cell in the last column would otherwise make every row thousands of cells wide.
            sheet.reset_dimensions()
            rows = ([shown(value) for value in row] for row in sheet.iter_rows(values_only=True))
            write_sheet(builder, rows, sheet.title)
    finally:
        workbook.close()
    return builder.finish(XLSX)


def write_sheet(builder: Builder, rows: Iterable[list[str]], caption: str) -> None:
    """Stream a sheet into `builder`; lines of a single cell above the table join its caption."""
    filled = ([cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row))
    sample = list(itertools.islice(filled, HEADER_SAMPLE))
    titles = 0
    widest = max((sum(map(bool, row)) for row in sample), default=0)
    while titles < min(MAX_HEADER_ROWS, len(sample) - 1) and widest > 1 and sum(map(bool, sample[titles])) == 1:
        titles += 1
    caption = " ".join([caption, *(cell for row in sample[:titles] for cell in row if cell)])
    header_rows = count_header_rows(sample[titles:])
    header, body, caption = split_table(sample[titles:], header_rows, caption)
    builder.table(itertools.chain(body, map(merge_affixes, filled)), header, caption)


def shown(value: object) -> str:
    """A cell as a reader of the sheet would see it."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(round(value, 10))
        case dt.datetime():
            midnight = value.time() == dt.time()
            return value.date().isoformat() if midnight else value.isoformat(sep=" ", timespec="minutes")
        case dt.date() | dt.time():
            return value.isoformat()
        case _:
            return str(value)
