"""Reads PDF files: text in order with page numbers, tables as rows that name their columns."""

from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.ocr import HOW_TO_GET_ONE, Recognition
from docmind.corpus.load.pdf.layout import unread_note, write_pages
from docmind.corpus.load.pdf.page import PageText, read_page
from docmind.corpus.load.pdf.scans import find_scans, recognise
from docmind.domain.documents import Loaded, Metadata
from docmind.domain.errors import FileRejected

MEDIA_TYPE = "application/pdf"


def load_pdf(data: bytes, limits: Limits) -> Loaded:
    document = open_pdf(data)
    try:
        if len(document) > limits.max_pages:
            raise FileRejected(f"has {len(document):,} pages; the limit is {limits.max_pages:,}.")
        return _read(document, limits)
    finally:
        document.close()


def open_pdf(data: bytes) -> Any:
    """PDFium's document; `FileRejected` says why it cannot be opened."""
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        code = pdfium_c.FPDF_GetLastError()
        if code in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY) or "password" in str(error).lower():
            raise FileRejected("is encrypted; remove the password and ingest it again.") from error
        raise FileRejected("is not a whole PDF file; it may be truncated or damaged.") from error


def _read(document: Any, limits: Limits) -> Loaded:
    count = len(document)
    scans = find_scans(document)
    recognition = Recognition(limits)
    recognised = recognise(document, scans, recognition)
    done = set(recognised)
    builder = Builder(limits)
    write_pages(builder, count, lambda index: recognised.pop(index, None) or _page(document, index))
    if builder.last_kind is None:
        if scans and not recognition.is_installed:
            raise FileRejected(f"holds images but no text; to have them read, {HOW_TO_GET_ONE}, and ingest it again.")
        raise FileRejected("holds images in which no text was recognised." if scans else "holds no text.")
    left = [index + 1 for index in scans if index not in done]
    notes = [unread_note(left, recognition)] if left else []
    return builder.finish(MEDIA_TYPE, Metadata(title=_title(document)), pages=count, notes=notes)


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
