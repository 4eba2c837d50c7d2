"""Reads PDF files: text in order with page numbers, tables as rows that name their columns."""

from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.pdf.aligned import find_aligned_tables
from docmind.corpus.load.pdf.continued import Leaf, carry_over
from docmind.corpus.load.pdf.layout import write_page
from docmind.corpus.load.pdf.ruled import find_ruled_tables
from docmind.corpus.load.pdf.style import Style, running_segments
from docmind.corpus.load.pdf.words import PageText, read_page
from docmind.domain.documents import Loaded, Metadata
from docmind.domain.errors import FileRejected

MEDIA_TYPE = "application/pdf"
# Enough to learn what is usual in a document, few enough to hold in memory.
SAMPLE_PAGES = 48


def load_pdf(data: bytes, limits: Limits) -> Loaded:
    document = _open(data)
    try:
        if len(document) > limits.max_pages:
            raise FileRejected(f"has {len(document):,} pages; the limit is {limits.max_pages:,}.")
        return _read(document, limits)
    finally:
        document.close()


def _open(data: bytes) -> Any:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        code = pdfium_c.FPDF_GetLastError()
        if code in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY) or "password" in str(error).lower():
            raise FileRejected("is encrypted; remove the password and ingest it again.") from error
        raise FileRejected("is not a whole PDF file; it may be truncated or damaged.") from error


def _read(document: Any, limits: Limits) -> Loaded:
    count = len(document)
    step = max(1, -(-count // SAMPLE_PAGES))
    sample = {index: _page(document, index) for index in range(0, count, step)}
    style = Style()
    for page in sample.values():
        style.learn(page)
    builder = Builder(limits)
    before: Leaf | None = None
    for index in range(count):
        page = sample.pop(index) if index in sample else _page(document, index)
        before = _leaf(page, running_segments(page, style), before)
        write_page(builder, before, style)
    if builder.last_kind is None:
        raise FileRejected("holds images but no text; run text recognition (OCR) on it and ingest it again.")
    return builder.finish(MEDIA_TYPE, Metadata(title=_title(document)), pages=count)


def _leaf(page: PageText, dropped: set[int], before: Leaf | None) -> Leaf:
    ruled = find_ruled_tables(page)
    continued = carry_over(before, Leaf(page, ruled, dropped))
    # A row alone is a table only where it ends one.
    ruled = [table for table in ruled if table is continued or len(table.titles + table.rows) > 1]
    taken = dropped.union(*(table.taken for table in ruled))
    leaf = Leaf(page, ruled + find_aligned_tables(page, taken), dropped)
    if not continued:
        carry_over(before, leaf)
    return leaf


def _title(document: Any) -> str | None:
    try:
        return one_line(document.get_metadata_value("Title")) or None
    except UnicodeDecodeError:
        # A title that is no text says nothing against the document.
        return None


def _page(document: Any, index: int) -> PageText:
    page = document[index]
    try:
        return read_page(page, index + 1)
    finally:
        page.close()
