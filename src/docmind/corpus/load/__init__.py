"""The door to loading: bytes and a name go in, a document's text with its structure comes out."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from docmind.corpus.load.archive import Member, Rejected, expand, package_parts
from docmind.corpus.load.html import load_html
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.markdown import load_markdown
from docmind.corpus.load.plain import load_plain
from docmind.corpus.load.table import load_csv, load_xlsx
from docmind.corpus.load.tree import load_json, load_json_lines, load_xml
from docmind.corpus.metadata import read_metadata
from docmind.domain.documents import Loaded
from docmind.domain.errors import FileRejected

__all__ = ["SUPPORTED", "Limits", "Member", "Rejected", "expand", "load"]

Loader = Callable[[bytes, Limits], Loaded]

_BY_EXTENSION: dict[str, str] = {
    ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown",
    ".txt": "text", ".text": "text", ".log": "text", ".rst": "text",
    ".html": "html", ".htm": "html", ".xhtml": "html",
    ".pdf": "pdf", ".docx": "docx", ".xlsx": "xlsx", ".xlsm": "xlsx",
    ".csv": "csv", ".tsv": "csv", ".tab": "csv",
    ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".xml": "xml",
}  # fmt: skip
_LOADERS: dict[str, Loader] = {
    "markdown": load_markdown,
    "text": load_plain,
    "html": load_html,
    "xlsx": load_xlsx,
    "json": load_json,
    "jsonl": load_json_lines,
    "xml": load_xml,
}
SUPPORTED = "Markdown, text, HTML, PDF, DOCX, XLSX, CSV, TSV, JSON, JSON Lines, XML, and ZIP files of these"

_PDF_MAGIC = b"%PDF-"
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BINARY_MAGIC = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x1f\x8b",
    b"7z\xbc\xaf",
    b"Rar!",
    b"\x7fELF",
    b"MZ",
    b"ID3",
    b"OggS",
)
_OFFICE_PARTS = {"word/document.xml": "docx", "xl/workbook.xml": "xlsx"}
_HTML_STARTS = (b"<!doctype html", b"<html", b"<head", b"<body")
_CONTROLS = bytes(code for code in range(32) if chr(code) not in "\t\n\r\f\v")
SNIFFED_BYTES = 1024


def load(data: bytes, name: str, limits: Limits | None = None) -> Loaded:
    """Read one document; `FileRejected` says why where it cannot be read, whatever is wrong with it."""
    limits = limits or Limits()
    if not data.strip():
        raise FileRejected("is empty.")
    if len(data) > limits.max_bytes:
        raise FileRejected(f"is larger than {limits.max_bytes // (1024 * 1024):,} MB, which is the limit.")
    kind = _kind(data, name, limits)
    loader = _loader(kind, name)
    try:
        loaded = loader(data, limits)
    except (FileRejected, MemoryError):
        raise
    except RecursionError as error:
        raise FileRejected("is nested too deeply to be read.") from error
    except Exception as error:
        # The one edge where anything may come: parsers fail in every way on malformed files.
        raise FileRejected(f"is damaged, or not what its name says: it cannot be read as {kind.upper()}.") from error
    metadata = read_metadata(name, loaded.text, loaded.blocks, loaded.metadata)
    return replace(loaded, metadata=metadata)


def _loader(kind: str, name: str) -> Loader:
    """What reads a format. Libraries that take long to import are imported for their own files alone."""
    if kind == "pdf":
        from docmind.corpus.load.pdf import load_pdf

        return load_pdf
    if kind == "docx":
        from docmind.corpus.load.docx import load_docx

        return load_docx
    return partial(load_csv, name=name) if kind == "csv" else _LOADERS[kind]


def _kind(data: bytes, name: str, limits: Limits) -> str:
    """Format of a file: what its first bytes say beyond doubt, then its extension, then what it looks like."""
    extension = PurePath(name).suffix.lower()
    start = data[:SNIFFED_BYTES].lstrip()
    if start.startswith(_PDF_MAGIC):
        return "pdf"
    if start.startswith(_ZIP_MAGIC):
        return _package_kind(data, extension, limits)
    if start.startswith(_OLE_MAGIC):
        raise FileRejected(
            "is an encrypted or old Office file; save it without a password as DOCX or XLSX and ingest it again."
        )
    if extension in _BY_EXTENSION:
        return _BY_EXTENSION[extension]
    if start.startswith(_BINARY_MAGIC) or len(start.translate(None, _CONTROLS)) < 0.99 * len(start):
        raise FileRejected(f"is not in a supported format. Supported are {SUPPORTED}.")
    if start[:64].lower().startswith(_HTML_STARTS):
        return "html"
    return "xml" if start.startswith(b"<?xml") else "text"


def _package_kind(data: bytes, extension: str, limits: Limits) -> str:
    if extension in (".docx", ".xlsx", ".xlsm"):
        return _BY_EXTENSION[extension]
    parts = package_parts(data, limits)
    for part, kind in _OFFICE_PARTS.items():
        if part in parts:
            return kind
    raise FileRejected(f"is a ZIP file, not a document of a supported format. Supported are {SUPPORTED}.")
