"""Sets a paper as a Word file whose bytes depend on the paper alone: no clock, no compressor, no unused styles."""

import zipfile
from datetime import datetime, time
from io import BytesIO
from typing import Any

import docx
from docx.document import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor

from examples.paper import Block, Heading, NewPage, Paper, Points, Table, Text

_TABLE_STYLE = "Table Grid"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DROPPED_PARTS = ("stylesWithEffects.xml", "thumbnail.jpeg")


def render(paper: Paper) -> bytes:
    document = docx.Document()
    _describe(document, paper)
    _slim(document)
    _furnish(document, paper)
    document.add_paragraph(paper.organisation, style="Subtitle")
    document.add_heading(paper.title, 0)
    for name, value in paper.facts:
        line = document.add_paragraph()
        line.paragraph_format.space_after = Pt(0)
        line.add_run(f"{name}: ").bold = True
        line.add_run(value)
    for block in paper.blocks:
        _add(document, block, paper.look.accent)
    target = BytesIO()
    document.save(target)
    return _rezipped(target.getvalue())


def _describe(document: Document, paper: Paper) -> None:
    moment = datetime.combine(paper.day, time(9))
    about = document.core_properties
    about.title, about.subject, about.author = paper.title, paper.subtitle, paper.author
    about.created = about.modified = moment
    about.last_modified_by = paper.author
    about.comments = about.keywords = ""


def _slim(document: Document) -> None:
    """Drop the template's unused table styles and side parts: stored without compression, they would weigh most."""
    for style in list(document.styles):
        if style.type is not None and style.type.name == "TABLE" and style.name not in (_TABLE_STYLE, "Normal Table"):
            style.element.getparent().remove(style.element)
    for owner in (document.part, document.part.package):
        for key, relation in list(owner.rels.items()):
            if relation.target_ref.endswith(_DROPPED_PARTS):
                del owner.rels[key]


def _furnish(document: Document, paper: Paper) -> None:
    section = document.sections[0]
    section.header.paragraphs[0].text = f"{paper.organisation}  |  {paper.title}"
    footer = section.footer.paragraphs[0]
    footer.add_run(f"{paper.subtitle}  |  Page ")
    run: Any = footer.add_run()
    for kind in ("begin", "PAGE", "end"):
        mark = OxmlElement("w:instrText" if kind == "PAGE" else "w:fldChar")
        if kind == "PAGE":
            mark.text = kind
        else:
            mark.set(qn("w:fldCharType"), kind)
        run._r.append(mark)


def _add(document: Document, block: Block, accent: str) -> None:
    match block:
        case Heading(text, level):
            for run in document.add_heading(text, level).runs:
                run.font.color.rgb = RGBColor.from_string(accent)
        case Text(text):
            document.add_paragraph(text)
        case Points(items):
            for item in items:
                document.add_paragraph(item, style="List Bullet")
        case Table():
            _add_table(document, block)
        case NewPage():
            document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)


def _add_table(document: Document, table: Table) -> None:
    document.add_paragraph(table.caption, style="Caption").paragraph_format.keep_with_next = True
    grid = document.add_table(rows=0, cols=len(table.header), style=_TABLE_STYLE)
    section = document.sections[0]
    width = (section.page_width or 0) - (section.left_margin or 0) - (section.right_margin or 0)
    for number, row in enumerate((table.header, *table.rows)):
        strong = number == 0 or len(row) == 1 or row[0] in table.totals
        cells = grid.add_row().cells
        for cell, text, align, share in zip(cells, row, table.align, table.widths, strict=False):
            cell.width = int(width * share / sum(table.widths))
            paragraph = cell.paragraphs[0]
            run = paragraph.add_run(text)
            run.bold, run.font.size = strong, Pt(9)
            if align == "r":
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    document.add_paragraph(table.note)


def _rezipped(packed: bytes) -> bytes:
    """The same members in name order, stored, with one fixed date: compressors differ between machines."""
    target = BytesIO()
    with zipfile.ZipFile(BytesIO(packed)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as result:
        # Readers that sniff the type look at the first member.
        for name in sorted(source.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 3
            result.writestr(info, source.read(name))
    return target.getvalue()
