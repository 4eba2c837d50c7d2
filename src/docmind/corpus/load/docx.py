"""Reads Word documents: headings by style, lists and tables, in the order they stand in the body."""

import io
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.table import Table
from docx.text.paragraph import Paragraph

from docmind.corpus.load.archive import check_package
from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.grid import split_table
from docmind.corpus.load.limits import Limits
from docmind.domain.documents import Loaded, Metadata

if TYPE_CHECKING:
    from docx.document import Document

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_HEADING = re.compile(r"(?:heading|überschrift|titre)\s*(\d)", re.IGNORECASE)
_LIST = re.compile(r"list\s*(bullet|number|paragraph|continue)?\s*(\d)?", re.IGNORECASE)
_CAPTION = re.compile(r"(?:table|exhibit|schedule)\s+[\dA-Z]", re.IGNORECASE)
LONGEST_CAPTION = 200


def load_docx(data: bytes, limits: Limits) -> Loaded:
    check_package(data, limits)
    document = docx.Document(io.BytesIO(data))
    builder = Builder(limits)
    _write(builder, document)
    return builder.finish(MEDIA_TYPE, Metadata(title=one_line(document.core_properties.title or "") or None))


def _write(builder: Builder, document: "Document") -> None:
    style_of = _styles(document)
    numbers: dict[tuple[str, int], int] = {}
    held = ""
    for part in document.iter_inner_content():
        if isinstance(part, Table):
            header, rows, caption = split_table(list(_rows(part)), caption=held)
            builder.table(rows, header, caption)
            held = ""
            continue
        builder.paragraph(held)
        held = ""
        style = style_of(part)
        if _is_caption(part, style):
            held = part.text
        else:
            _write_paragraph(builder, part, style, numbers)
    builder.paragraph(held)


def _styles(document: "Document") -> Callable[[Paragraph], str]:
    """The name of a paragraph's style. The library would look through all styles again for every paragraph."""
    names = {style.style_id: style.name or "" for style in document.styles}
    default: Any = document.styles.default(WD_STYLE_TYPE.PARAGRAPH)
    usual = default.name or "" if default else ""
    return lambda paragraph: names.get(paragraph._p.style or "", usual)


def _write_paragraph(builder: Builder, paragraph: Paragraph, style: str, numbers: dict[tuple[str, int], int]) -> None:
    if level := _heading_level(style):
        numbers.clear()
        builder.heading(paragraph.text, level)
    elif (depth := _list_depth(paragraph, style)) is not None:
        number = None
        if "number" in style.lower():
            number = numbers[style, depth] = numbers.get((style, depth), 0) + 1
        builder.item(paragraph.text, depth, number)
    else:
        if one_line(paragraph.text):
            numbers.clear()
        builder.paragraph(paragraph.text)


def _heading_level(style: str) -> int:
    if style.lower() in ("title", "titel", "titre"):
        return 1
    match = _HEADING.match(style)
    return int(match[1]) if match else 0


def _list_depth(paragraph: Paragraph, style: str) -> int | None:
    """Depth of a list item, told by numbering properties or by the style's name; None where it is not one."""
    properties: Any = paragraph._p.pPr
    if properties is not None and properties.numPr is not None:
        level = properties.numPr.ilvl
        return int(level.val) if level is not None else 0
    match = _LIST.match(style)
    return int(match[2] or 1) - 1 if match else None


def _is_caption(paragraph: Paragraph, style: str) -> bool:
    """A caption by style, by "Table 3", or a short line in bold throughout that is not a heading."""
    text = one_line(paragraph.text)
    if not text or len(text) > LONGEST_CAPTION or _heading_level(style) or _LIST.match(style):
        return False
    if style.lower() == "caption" or _CAPTION.match(text):
        return True
    runs = [run for run in paragraph.runs if run.text.strip()]
    return bool(runs) and all(run.bold for run in runs)


def _rows(table: Table) -> Iterator[list[str]]:
    for row in table.rows:
        cells: list[str] = []
        last = None
        for cell in row.cells:
            # A merged cell comes once for each column it spans; its text is said in the first.
            cells.append("" if last is not None and cell._tc is last else cell.text)
            last = cell._tc
        yield cells
