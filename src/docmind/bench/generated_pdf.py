"""A long PDF of generated text, made with the library that reads PDFs."""

import ctypes
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docmind.bench.generated import questions

LINES = 40
LINE_POINTS = 18
WIDTH, HEIGHT = 595, 842
MARGIN = 60


def write_pdf(path: Path, pages: int) -> Path:
    """A PDF of so many pages, each full of text."""
    document = pdfium.PdfDocument.new()
    lines = iter(questions(pages * LINES))
    for _ in range(pages):
        page = document.new_page(WIDTH, HEIGHT)
        for number in range(LINES):
            _write(document, page, next(lines), HEIGHT - MARGIN - number * LINE_POINTS)
        pdfium_c.FPDFPage_GenerateContent(page.raw)
        page.close()
    document.save(str(path))
    document.close()
    return path


def _write(document: Any, page: Any, text: str, height: int) -> None:
    line = pdfium_c.FPDFPageObj_NewTextObj(document.raw, b"Helvetica", 10.0)
    letters = ctypes.create_string_buffer(f"{text}\0".encode("utf-16-le"))
    pdfium_c.FPDFText_SetText(line, ctypes.cast(letters, pdfium_c.FPDF_WIDESTRING))
    pdfium_c.FPDFPageObj_Transform(line, 1, 0, 0, 1, MARGIN, height)
    pdfium_c.FPDFPage_InsertObject(page.raw, line)
