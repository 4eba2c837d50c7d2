"""Reads PowerPoint files: each slide a page with its title, bullets, tables and charts, and the notes under it."""

import io
from collections.abc import Iterator
from typing import Any

import pptx
from pptx.enum.shapes import PP_PLACEHOLDER

from docmind.corpus.load.archive import check_package
from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.grid import split_table
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.table import shown
from docmind.domain.documents import Loaded, Metadata
from docmind.domain.errors import FileRejected

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
NOTES = "Speaker notes"
MAX_DEPTH = 50
_NAMESPACE = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_BULLETED = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT)
"""Places whose paragraphs a slide's layout shows with bullets, unless they say otherwise."""
_FURNITURE = (PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.DATE)


def load_slides(data: bytes, limits: Limits) -> Loaded:
    check_package(data, limits)
    deck = pptx.Presentation(io.BytesIO(data))
    if len(deck.slides) > limits.max_pages:
        raise FileRejected(f"has {len(deck.slides):,} slides; the limit is {limits.max_pages:,}.")
    builder = Builder(limits)
    for number, slide in enumerate(deck.slides, 1):
        _write_slide(builder, slide, number)
    title = one_line(deck.core_properties.title or "") or None
    return builder.finish(MEDIA_TYPE, Metadata(title=title), pages=len(deck.slides))


def _write_slide(builder: Builder, slide: Any, number: int) -> None:
    title = slide.shapes.title
    if title is not None:
        builder.heading(title.text_frame.text, 1, number)
    for shape in _shapes(slide.shapes, 0):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if getattr(shape, "has_table", False) and shape.has_table:
            _write_table(builder, shape.table, number)
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            _write_chart(builder, shape.chart, number)
        elif shape.has_text_frame:
            _write_text(builder, shape, number)
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None and notes.text.strip():
        builder.heading(NOTES, 2, number)
        for paragraph in notes.paragraphs:
            builder.paragraph(paragraph.text, number)


def _shapes(shapes: Any, depth: int) -> Iterator[Any]:
    """Shapes in their order, those of a group in its place; without slide numbers and footers."""
    if depth > MAX_DEPTH:
        raise FileRejected(f"nests its shapes more than {MAX_DEPTH} deep.")
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes, depth + 1)
        elif not (shape.is_placeholder and shape.placeholder_format.type in _FURNITURE):
            yield shape


def _write_text(builder: Builder, shape: Any, page: int) -> None:
    paragraphs = [paragraph for paragraph in shape.text_frame.paragraphs if paragraph.text.strip()]
    by_layout = shape.is_placeholder and shape.placeholder_format.type in _BULLETED and len(paragraphs) > 1
    numbers: dict[int, int] = {}
    for paragraph in paragraphs:
        mark = _mark(paragraph)
        depth = paragraph.level
        if mark == "buAutoNum":
            numbers[depth] = numbers.get(depth, 0) + 1
            builder.item(paragraph.text, depth, numbers[depth], page)
        elif mark in ("buChar", "buBlip") or (mark is None and by_layout):
            builder.item(paragraph.text, depth, page=page)
        else:
            builder.paragraph(paragraph.text, page)


def _mark(paragraph: Any) -> str | None:
    """What the paragraph itself says of its bullet: `buChar`, `buAutoNum`, `buNone`; None where the layout decides."""
    properties = paragraph._p.pPr
    children = properties if properties is not None else ()
    names = (child.tag.removeprefix(_NAMESPACE) for child in children if isinstance(child.tag, str))
    return next((name for name in names if name in ("buChar", "buBlip", "buAutoNum", "buNone")), None)


def _write_table(builder: Builder, table: Any, page: int) -> None:
    grid = [["" if cell.is_spanned else cell.text for cell in row.cells] for row in table.rows]
    header, body, caption = split_table(grid, 1 if table.first_row and len(grid) > 1 else None)
    builder.table(body, header, caption, page)


def _write_chart(builder: Builder, chart: Any, page: int) -> None:
    """The figures a chart is drawn from, a row for each category."""
    plots = list(chart.plots)
    if not plots:
        return
    categories = [str(category) for category in plots[0].categories]
    series = [one for plot in plots for one in plot.series]
    titled = chart.has_title and chart.chart_title.has_text_frame
    columns = [[shown(value) for value in one.values] for one in series]
    rows = [
        [category, *(column[place] if place < len(column) else "" for column in columns)]
        for place, category in enumerate(categories)
    ]
    caption = chart.chart_title.text_frame.text if titled else ""
    builder.table(rows, ["", *(one.name or "" for one in series)], caption, page)
