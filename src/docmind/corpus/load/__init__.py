"""The door to loading: bytes and a name go in, a document's text with its structure comes out."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from docmind.corpus.load.archive import Member, Rejected, expand, package_parts
from docmind.corpus.load.epub import load_epub
from docmind.corpus.load.html import load_html
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.mail import load_mail
from docmind.corpus.load.markdown import load_markdown
from docmind.corpus.load.odf import load_odf
from docmind.corpus.load.plain import load_plain
from docmind.corpus.load.rtf import load_rtf
from docmind.corpus.load.table import load_csv, load_xlsx
from docmind.corpus.load.tree import load_json, load_json_lines, load_xml
from docmind.corpus.metadata import read_metadata
from docmind.domain.documents import Loaded
from docmind.domain.errors import FileRejected
from docmind.domain.extensions import Extensions, Unusable

__all__ = ["SUPPORTED", "Limits", "Member", "Rejected", "expand", "load"]

Loader = Callable[[bytes, Limits], Loaded]

_BY_EXTENSION: dict[str, str] = {
    ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown",
    ".txt": "text", ".text": "text", ".log": "text", ".rst": "text",
    ".html": "html", ".htm": "html", ".xhtml": "html",
    ".pdf": "pdf", ".docx": "docx", ".xlsx": "xlsx", ".xlsm": "xlsx", ".pptx": "pptx", ".pptm": "pptx",
    ".odt": "odf", ".ods": "odf", ".odp": "odf", ".epub": "epub", ".rtf": "rtf", ".eml": "eml",
    ".png": "image", ".jpg": "image", ".jpeg": "image", ".tif": "image", ".tiff": "image", ".webp": "image",
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
    "odf": load_odf,
    "epub": load_epub,
    "rtf": load_rtf,
    "eml": load_mail,
}
SUPPORTED = (
    "Markdown, text, HTML, PDF, DOCX, PPTX, XLSX, XLSM, ODT, ODS, ODP, RTF, EPUB, EML, CSV, TSV, JSON, JSON Lines, "
    "XML, PNG, JPEG, TIFF, WEBP, and ZIP files of these"
)


def _misfit(name: str, value: object) -> str:
    if name != name.lower() or "." in name:
        return "is not registered under the end of a file name in small letters without its dot, such as 'vtt'"
    return "" if callable(value) else "is not a function that takes bytes and limits"


ADDED: Extensions[Loader] = Extensions("loader", {end.removeprefix(".") for end in _BY_EXTENSION} | {"zip"}, _misfit)
"""Loaders of other packages, each under the end of the file names that it reads."""
_SHOWN_KINDS = {"image": "a picture", "odf": "OpenDocument", "eml": "an e-mail"}

_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BINARY_MAGIC = (
    b"GIF8",
    b"\x1f\x8b",
    b"7z\xbc\xaf",
    b"Rar!",
    b"\x7fELF",
    b"MZ",
    b"ID3",
    b"OggS",
)
_MAGIC = (
    ((b"%PDF-",), "pdf"),
    ((b"{\\rtf",), "rtf"),
    ((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*"), "image"),
)
_BY_MEDIA_TYPE = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "message/rfc822": "eml",
}
"""What a web server says of a page, where that tells more than the end of its address."""
_PARTS = {
    "word/document.xml": "docx",
    "xl/workbook.xml": "xlsx",
    "ppt/presentation.xml": "pptx",
    "META-INF/container.xml": "epub",
    "META-INF/manifest.xml": "odf",
}
"""What a package holds that makes it a document of its kind; that of EPUB is looked for before that of OpenDocument."""
_HTML_STARTS = (b"<!doctype html", b"<html", b"<head", b"<body")
_CONTROLS = bytes(code for code in range(32) if chr(code) not in "\t\n\r\f\v")
SNIFFED_BYTES = 1024


def load(data: bytes, name: str, limits: Limits | None = None, media_type: str = "") -> Loaded:
    """Read one document; `FileRejected` says why where it cannot be read, whatever is wrong with it.

    `media_type` is what a web server said of it.
    """
    limits = limits or Limits()
    if not data.strip():
        raise FileRejected("is empty.")
    if len(data) > limits.max_bytes:
        raise FileRejected(f"is larger than {limits.max_bytes // (1024 * 1024):,} MB, which is the limit.")
    kind = _kind(data, name, limits, media_type)
    loader = _loader(kind, name)
    try:
        loaded = loader(data, limits)
    except (FileRejected, MemoryError):
        raise
    except RecursionError as error:
        raise FileRejected("is nested too deeply to be read.") from error
    except Exception as error:
        # The one edge where anything may come: parsers fail in every way on malformed files.
        raise FileRejected(f"is damaged, or not what its name says: it cannot be read as {_spoken(kind)}.") from error
    if not isinstance(loaded, Loaded):
        raise FileRejected(f"cannot be read: the loader that is installed for {_spoken(kind)} gives no document.")
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
    if kind == "image":
        from docmind.corpus.load.image import load_image

        return load_image
    if kind == "pptx":
        from docmind.corpus.load.slides import load_slides

        return load_slides
    if kind == "csv":
        return partial(load_csv, name=name)
    return _LOADERS.get(kind) or _added(kind)


def _added(kind: str) -> Loader:
    try:
        loader = ADDED.get(kind)
    except Unusable as error:
        raise FileRejected(f"cannot be read. {error}") from error
    if loader is None:
        raise AssertionError(f"A file is only taken for {kind} where a loader of that name is installed.")
    return loader


def _kind(data: bytes, name: str, limits: Limits, media_type: str) -> str:
    """Format of a file: what its first bytes say beyond doubt, then its extension, then what it looks like."""
    extension = PurePath(name).suffix.lower()
    start = data[:SNIFFED_BYTES].lstrip()
    if extension and extension not in _BY_EXTENSION and extension[1:] in ADDED.names():
        return _kind_by_start(start) or extension[1:]
    if start.startswith(_ZIP_MAGIC):
        return _package_kind(data, extension, limits)
    if start.startswith(_OLE_MAGIC):
        raise FileRejected(
            "is an encrypted or old Office file; save it without a password as DOCX or XLSX and ingest it again."
        )
    known = _kind_by_start(start) or _BY_MEDIA_TYPE.get(media_type) or _BY_EXTENSION.get(extension)
    if known is not None:
        return known
    if start.startswith(_BINARY_MAGIC) or len(start.translate(None, _CONTROLS)) < 0.99 * len(start):
        raise FileRejected(f"is not in a supported format. Supported are {SUPPORTED}.")
    if start[:64].lower().startswith(_HTML_STARTS):
        return "html"
    return "xml" if start.startswith(b"<?xml") else "text"


def _kind_by_start(start: bytes) -> str | None:
    """The format that a file's first bytes tell beyond doubt."""
    for signs, kind in _MAGIC:
        if start.startswith(signs):
            return kind
    return "image" if start[:4] == b"RIFF" and start[8:12] == b"WEBP" else None


def _spoken(kind: str) -> str:
    return _SHOWN_KINDS.get(kind, kind.upper())


def _package_kind(data: bytes, extension: str, limits: Limits) -> str:
    if _BY_EXTENSION.get(extension) in _PARTS.values():
        return _BY_EXTENSION[extension]
    parts = package_parts(data, limits)
    for part, kind in _PARTS.items():
        if part in parts:
            return kind
    raise FileRejected(f"is a ZIP file, not a document of a supported format. Supported are {SUPPORTED}.")
