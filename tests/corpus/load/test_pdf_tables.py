"""Ruled tables of PDF files: the cells their lines enclose, and tables that go on overleaf."""

import io
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Table

from docmind.corpus.chunk import chunk
from docmind.corpus.load import load
from docmind.corpus.load.pdf.page import Edge
from docmind.corpus.load.pdf.ruled import Box, find_lattices
from docmind.domain.documents import BlockKind, Loaded

Rows = Sequence[Sequence[str]]
FIGURES: Rows = [
    ["Site (in millions)", "2023", "2022"],
    *([f"Site {n}", f"{n * 37:,}", f"{n * 31:,}"] for n in range(1, 70)),
]
WORDS: Rows = [["Risk", "Owner", "Action"], *([f"Risk {n}", f"Owner {n}", f"Step {n}"] for n in range(1, 70))]
WIDTHS = (160.0, 80.0, 80.0)
for font in ("Vera", "VeraBd"):
    registerFont(TTFont(font, f"{font}.ttf"))


def grid(rows: Rows, *, bold: bool = False, repeat: int = 0, widths: Sequence[float] = WIDTHS) -> Table:
    style: list[tuple[object, ...]] = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    if bold:
        # The fonts that every reader has do not say how heavy they are; these do.
        style += [("FONTNAME", (0, 0), (-1, -1), "Vera"), ("FONTNAME", (0, 0), (-1, 0), "VeraBd")]
    return Table(rows, colWidths=widths, style=style, repeatRows=repeat)


def title(text: str) -> Paragraph:
    return Paragraph(text, getSampleStyleSheet()["Normal"])


def read(*flowables: Flowable, footer: str = "") -> Loaded:
    def draw(canvas: object, document: object) -> None:
        canvas.drawString(72, 30, f"{footer} {document.page}")  # type: ignore[attr-defined]

    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4).build(list(flowables), onFirstPage=draw, onLaterPages=draw)
    return load(buffer.getvalue(), "a.pdf")


def texts(loaded: Loaded, page: int) -> list[str]:
    return [
        block.span.of(loaded.text)
        for block in loaded.blocks
        if block.page == page and block.kind in (BlockKind.ROW, BlockKind.CAPTION)
    ]


@pytest.mark.parametrize("repeat", [0, 1], ids=["header once", "header on each page"])
@pytest.mark.parametrize("footer", ["", "Yearly report, page"])
def test_a_table_that_goes_on_overleaf_keeps_names_caption_and_units(repeat: int, footer: str) -> None:
    loaded = read(title("Table 1: Sites"), grid(FIGURES, repeat=repeat), footer=footer)
    first, second = texts(loaded, 1), texts(loaded, 2)
    assert first[0] == second[0] == "Table 1: Sites Site (in millions)"
    assert first[1:] + second[1:] == [f"Site {n} | 2023: {n * 37:,} | 2022: {n * 31:,}" for n in range(1, 70)]
    overleaf = [piece for piece in chunk(loaded) if piece.kind == "table" and piece.page == 2]
    assert all(piece.heading[-1] == second[0] for piece in overleaf)
    assert overleaf[-1].span.of(loaded.text).endswith("Site 69 | 2023: 2,553 | 2022: 2,139")


@pytest.mark.parametrize(("bold", "repeat"), [(False, 0), (True, 0), (True, 1)])
def test_the_first_row_overleaf_of_a_table_of_words_is_no_header(bold: bool, repeat: int) -> None:
    loaded = read(grid(WORDS, bold=bold, repeat=repeat))
    assert texts(loaded, 1) + texts(loaded, 2) == [
        f"Risk {n} | Owner: Owner {n} | Action: Step {n}" for n in range(1, 70)
    ]


def test_the_last_row_alone_on_a_page_still_belongs_to_its_table() -> None:
    loaded = read(grid(FIGURES[:39]))
    assert texts(loaded, 2) == ["Site (in millions)", "Site 38 | 2023: 1,406 | 2022: 1,178"]


@pytest.mark.parametrize(
    ("above", "below", "first"),
    [
        ([grid(FIGURES[:38])], [grid([["Team", "Posts", "Cost"], ["Legal", "3", "7"]])], "Legal | Posts: 3 | Cost: 7"),
        ([grid(FIGURES[:38])], [title("Table 2: Posts"), grid(FIGURES[1:4])], "Table 2: Posts"),
        ([grid(FIGURES[:38])], [grid(FIGURES[1:4], widths=(100, 100, 120))], "Site 1 | 37 | 31"),
        ([grid(FIGURES[:5])], [grid(FIGURES[1:4])], "Site 1 | 37 | 31"),
        ([grid(FIGURES[:36]), title("So far the sites.")], [grid(FIGURES[1:4])], "Site 1 | 37 | 31"),
        ([grid(WORDS[:38], bold=True)], [grid([["A", "B", "C"], *WORDS[1:3]], bold=True)], "Risk 1 | B: Owner 1 | C: Step 1"),  # noqa: E501
    ],
    ids=["own header", "own title", "other columns", "page not filled", "text after it", "own bold header"],
)  # fmt: skip
def test_another_table_overleaf_is_not_taken_for_the_same(
    above: list[Flowable], below: list[Flowable], first: str
) -> None:
    loaded = read(*above, PageBreak(), *below)
    assert loaded.pages == 2
    assert texts(loaded, 2)[0] == first


def unruled(*pages: Rows) -> Loaded:
    """Rows without lines from the top of each page down, as far apart as they need to fill a page of fifty."""
    buffer = io.BytesIO()
    page = Canvas(buffer, pagesize=A4)
    for rows in pages:
        for place, (label, *figures) in enumerate(rows):
            page.drawString(72, 780 - 14 * place, label)
            for x, figure in zip((360, 450), figures, strict=True):
                page.drawRightString(x, 780 - 14 * place, figure)
        page.showPage()
    page.save()
    return load(buffer.getvalue(), "a.pdf")


def test_a_statement_without_lines_goes_on_overleaf_too() -> None:
    header, rows = ("(in millions)", "2023", "2022"), FIGURES[1:]
    for overleaf in (rows[49:], [header, *rows[49:]]):
        loaded = unruled([header, *rows[:49]], overleaf)
        assert texts(loaded, 1)[0] == texts(loaded, 2)[0] == "(in millions)"
        assert texts(loaded, 2)[1:] == [f"{label} | 2023: {a} | 2022: {b}" for label, a, b in rows[49:]]


def test_figures_with_their_units_line_up_as_figures_do() -> None:
    loaded = unruled([
        ["Tyre width", "Summer", "Winter"],
        ["28 mm", "6.0 bar", "5.5 bar"],
        ["37 mm", "4.5 bar", "4.0 bar"],
        ["47 mm", "3–4 bar", "3.0 bar"],
    ])  # fmt: skip
    assert texts(loaded, 1)[-3:] == [
        "28 mm | Summer: 6.0 bar | Winter: 5.5 bar",
        "37 mm | Summer: 4.5 bar | Winter: 4.0 bar",
        "47 mm | Summer: 3–4 bar | Winter: 3.0 bar",
    ]


def test_a_statement_of_other_units_overleaf_is_another() -> None:
    rows = FIGURES[1:]
    loaded = unruled([("Sales (in millions)", "2023", "2022"), *rows[:49]], [("Staff", "2023", "2022"), *rows[49:]])
    assert texts(loaded, 2)[0] == "Staff"


def _line(at: float, start: float, end: float, cuts: Sequence[float]) -> list[Edge]:
    """A line drawn in pieces, one a cell, as many programs do."""
    return [Edge(at, a, b) for a, b in pairwise([start, *cuts, end])]


steps = st.lists(st.integers(8, 60), min_size=2, max_size=9)


@settings(deadline=None, max_examples=60)
@given(steps, steps)
def test_lines_enclose_the_cells_they_were_drawn_around(widths: list[int], heights: list[int]) -> None:
    xs = [40.0 + sum(widths[:n]) for n in range(len(widths) + 1)]
    ys = [40.0 + sum(heights[:n]) for n in range(len(heights) + 1)]
    across = [edge for y in ys for edge in _line(y, xs[0], xs[-1], xs[1:-1])]
    upright = [edge for x in xs for edge in _line(x, ys[0], ys[-1], ys[1:-1])]
    expected = [[Box(x0, y0, x1, y1) for x0, x1 in pairwise(xs)] for y0, y1 in pairwise(ys)]
    assert find_lattices(across, upright) == [expected[::-1]]


def test_a_cell_that_spans_columns_or_rows_is_one_and_apart_tables_are_two() -> None:
    across = [Edge(0, 0, 90), Edge(20, 0, 60), Edge(40, 0, 90), Edge(100, 0, 90), Edge(120, 0, 90)]
    upright = [Edge(0, 0, 40), Edge(30, 0, 20), Edge(60, 0, 40), Edge(90, 0, 40), *(Edge(x, 100, 120) for x in (0, 90))]
    # One cell alone is a frame and no table; the strokes are a hair off, as drawn ones are.
    (table,) = find_lattices([edge._replace(at=edge.at + 0.2) for edge in across], upright)
    assert [[box and (box.x0, round(box.y0), box.x1, round(box.y1)) for box in row] for row in table] == [
        [(0, 20, 60, 40), None, (60, 0, 90, 40)],
        [(0, 0, 30, 20), (30, 0, 60, 20), None],
    ]
