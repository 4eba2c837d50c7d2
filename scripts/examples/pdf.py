"""Sets a paper as a PDF whose bytes depend on the paper alone: no clock, no compressor, no fonts of the machine."""

from io import BytesIO
from itertools import takewhile
from typing import Any
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Frame,
    ListFlowable,
    ListItem,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    TableStyle,
)
from reportlab.platypus import Table as Grid

from examples.paper import Block, Heading, Look, NewPage, Paper, Points, Table, Text

_MARGIN = 22 * mm
_LONGEST_WHOLE_TABLE = 90 * mm
_GREY = HexColor("#6b7280")
_RULE = HexColor("#c5cad3")


def render(paper: Paper) -> bytes:
    rl_config.invariant = 1
    size = landscape(A4) if paper.look.landscape else A4
    width = size[0] - 2 * _MARGIN
    setter = _Setter(paper.look, width)
    target = BytesIO()
    document = BaseDocTemplate(
        target, pagesize=size, title=paper.title, author=paper.author, subject=paper.organisation, pageCompression=0
    )
    frame = Frame(_MARGIN, _MARGIN, width, size[1] - 2 * _MARGIN, leftPadding=0, rightPadding=0, id="body")

    def header(canvas: Any, shown: Any) -> None:
        _draw_header(canvas, shown.page, size, paper, setter)

    def footer(canvas: Any, shown: Any) -> None:
        _draw_footer(canvas, shown.page, size, paper, setter)

    # The footer is drawn last, so that text taken from the page reads from top to bottom.
    document.addPageTemplates([PageTemplate(id="page", frames=[frame], onPage=header, onPageEnd=footer)])
    document.build([*setter.title(paper), *setter.body(paper.blocks)])
    return target.getvalue()


def _draw_header(canvas: Any, page: int, size: tuple[float, float], paper: Paper, setter: "_Setter") -> None:
    if paper.look.cover and page == 1:
        canvas.setFillColor(setter.accent)
        canvas.rect(0, size[1] - 14 * mm, size[0], 14 * mm, stroke=0, fill=1)
        return
    canvas.setFont(setter.regular, 8)
    canvas.setFillColor(_GREY)
    canvas.drawString(_MARGIN, size[1] - 14 * mm, paper.organisation)
    canvas.drawRightString(size[0] - _MARGIN, size[1] - 14 * mm, paper.title)
    canvas.setStrokeColor(_RULE)
    canvas.line(_MARGIN, size[1] - 16 * mm, size[0] - _MARGIN, size[1] - 16 * mm)


def _draw_footer(canvas: Any, page: int, size: tuple[float, float], paper: Paper, setter: "_Setter") -> None:
    if paper.look.cover and page == 1:
        return
    canvas.setFont(setter.regular, 8)
    canvas.setFillColor(_GREY)
    canvas.drawString(_MARGIN, 12 * mm, paper.subtitle)
    canvas.drawRightString(size[0] - _MARGIN, 12 * mm, f"Page {page}")


class _Setter:
    """Turns blocks into flowables in one look."""

    def __init__(self, look: Look, width: float) -> None:
        self.look = look
        self.width = width
        self.accent: Color = HexColor(f"#{look.accent}")
        self.regular, self.bold = ("Times-Roman", "Times-Bold") if look.serif else ("Helvetica", "Helvetica-Bold")
        self._body = self._style("body", 10, leading=14, spaceAfter=7)
        self._note = self._style("note", 8, leading=10, spaceBefore=3, spaceAfter=10, textColor=_GREY)
        self._caption = self._style("caption", 9, strong=True, leading=12, spaceBefore=6, spaceAfter=4)

    def _style(self, name: str, size: float, *, strong: bool = False, **more: Any) -> Any:
        return ParagraphStyle(name, fontName=self.bold if strong else self.regular, fontSize=size, **more)

    def title(self, paper: Paper) -> list[Any]:
        size = 26 if self.look.cover else 18
        top = [Spacer(1, 70 * mm)] if self.look.cover else []
        organisation = self._style("organisation", 12, strong=True, textColor=self.accent, leading=16, spaceAfter=4)
        title = self._style("title", size, strong=True, leading=size * 1.25, spaceAfter=6)
        subtitle = self._style("subtitle", 12, leading=16, textColor=_GREY, spaceAfter=12)
        facts = "<br/>".join(f"<b>{escape(name)}:</b> {escape(value)}" for name, value in paper.facts)
        return [
            *top,
            Paragraph(escape(paper.organisation), organisation),
            Paragraph(escape(paper.title), title),
            Paragraph(escape(paper.subtitle), subtitle),
            Paragraph(facts, self._style("facts", 9.5, leading=14, spaceAfter=14)),
            *([PageBreak()] if self.look.cover else []),
        ]

    def body(self, blocks: tuple[Block, ...]) -> list[Any]:
        """The blocks in order; a heading moves to the next page with what it stands over, a short table moves whole."""
        flowables: list[Any] = []
        for number, block in enumerate(blocks):
            follows_heading = number > 0 and isinstance(blocks[number - 1], Heading)
            if isinstance(block, Heading | Table) and not follows_heading:
                flowables.append(CondPageBreak(self._room(blocks[number:])))
            flowables += self._flowables(block)
        return flowables

    def _room(self, blocks: tuple[Block, ...]) -> float:
        """How much space the run of headings at the start needs, together with the block after it."""
        headings = list(takewhile(lambda block: isinstance(block, Heading), blocks))
        first = blocks[len(headings)]
        height: float = self._grid(first).wrap(self.width, 0)[1] if isinstance(first, Table) else 0.0
        shown = height if height < _LONGEST_WHOLE_TABLE else 30 * mm
        return float((len(headings) + 1) * 12 * mm) + shown

    def _flowables(self, block: Block) -> list[Any]:
        match block:
            case Heading(text, level):
                size = 14 if level == 1 else 11
                style = self._style(f"h{level}", size, strong=True, leading=size * 1.3, spaceBefore=10, spaceAfter=5,
                                    textColor=self.accent)  # fmt: skip
                return [Paragraph(escape(text), style)]
            case Text(text):
                return [Paragraph(escape(text), self._body)]
            case Points(items):
                bullets = [ListItem(Paragraph(escape(item), self._body), leftIndent=14) for item in items]
                return [ListFlowable(bullets, bulletType="bullet", bulletFontSize=7, bulletOffsetY=-2, leftIndent=14)]
            case Table():
                return self._table(block)
            case NewPage():
                return [PageBreak()]

    def _table(self, table: Table) -> list[Any]:
        note = [Paragraph(escape(table.note), self._note)] if table.note else [Spacer(1, 10)]
        return [Paragraph(escape(table.caption), self._caption), self._grid(table), *note]

    def _grid(self, table: Table) -> Any:
        scale = self.width / sum(table.widths)
        cells = [self._row(table, table.header, strong=True)]
        cells += [self._row(table, row, strong=len(row) == 1 or row[0] in table.totals) for row in table.rows]
        grid = Grid(cells, colWidths=[width * scale for width in table.widths], repeatRows=1)
        grid.setStyle(TableStyle(self._rules(table)))
        return grid

    def _row(self, table: Table, row: tuple[str, ...], *, strong: bool) -> list[Any]:
        padded = row + ("",) * (len(table.header) - len(row))
        left = self._style("cell", 8.5, strong=strong, leading=10.5)
        right = self._style("figure", 8.5, strong=strong, leading=10.5, alignment=TA_RIGHT)
        return [
            Paragraph(escape(cell), right if align == "r" else left)
            for cell, align in zip(padded, table.align, strict=True)
        ]

    def _rules(self, table: Table) -> list[tuple[Any, ...]]:
        last = len(table.rows)
        space = 3.5 if table.ruled else 1.6
        rules: list[tuple[Any, ...]] = [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), space),
            ("BOTTOMPADDING", (0, 0), (-1, -1), space),
        ]
        if table.ruled:
            tint = Color(self.accent.red, self.accent.green, self.accent.blue, alpha=0.12)
            rules += [("GRID", (0, 0), (-1, -1), 0.5, _RULE), ("BACKGROUND", (0, 0), (-1, 0), tint)]
        else:
            rules += [
                ("LINEBELOW", (0, 0), (-1, 0), 0.8, self.accent),
                ("LINEBELOW", (0, last), (-1, last), 0.8, _GREY),
            ]
            figures = table.align.find("r")
            at_totals = [n for n, row in enumerate(table.rows, 1) if row[0] in table.totals]
            rules += [("LINEABOVE", (figures, n), (-1, n), 0.5, _GREY) for n in at_totals]
        return rules
