"""Files made to keep a reader busy: each would take minutes or hours if reading it were not linear."""

import io
import json

import openpyxl
import pytest
from reportlab.pdfgen import canvas

from docmind.corpus.chunk import LONGEST_HEADING, chunk
from docmind.corpus.load import load

# Whoever hangs is stopped long before the limit of the whole suite.
pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("title.md", f"---\ntitle: a{' ' * 1_000_000}b\n---\nText."),
        ("marks.txt", "a" + "\u0301\u0323" * 500_000),
        ("brackets.csv", "a," + ")," * 500_000),
        ("period.csv", "months " * 200_000 + ",b\nx,1\n"),
        ("quotes.csv", '"\n' * 100_000 + "x"),
        ("title.html", f"<title>{'user-' * 200_000}</title><p>Text."),
        ("filing.html", f"<pre>Securities Exchange Act of 1934\nab{chr(10) * 5_500}x</pre>"),
        ("number.html", f"<pre>Securities Exchange Act of 1934\ncommission file no 12345{chr(10) * 5_500}x</pre>"),
        ("report" + "_" * 60_000 + ".md", "Text."),
        ("keys.json", json.dumps([{f"key {number}": number} for number in range(40_000)])),
    ],
    ids=lambda value: value[:12],
)
def test_text_that_would_keep_a_pattern_busy_is_read(name: str, text: str) -> None:
    assert load(text.encode(), name).blocks


def test_a_stray_cell_in_the_last_column_does_not_widen_every_row() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"], sheet["A2"], sheet["XFD1000000"] = "Place", "Lisbon", "stray"
    buffer = io.BytesIO()
    book.save(buffer)
    assert load(buffer.getvalue(), "a.xlsx").text.endswith("Place\nLisbon\nstray")


def test_a_page_with_a_line_of_many_words_and_one_with_a_drawing_are_read() -> None:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.setFont("Helvetica", 1)
    page.drawString(10, 500, "ab " * 50_000)
    page.showPage()
    for place in range(20_000):
        x, y = place * 7 % 500, place * 11 % 700
        page.line(x, y, x + 20, y)
        page.line(x, y, x, y + 20)
    page.drawString(50, 50, "The map")
    page.save()
    loaded = load(buffer.getvalue(), "a.pdf")
    assert loaded.pages == 2
    assert loaded.text.endswith("The map")


def test_an_endless_heading_is_not_repeated_in_every_passage_under_it() -> None:
    page = f"<h1>{'word ' * 100_000}</h1>" + "<h2>Part</h2><p>Text.</p>" * 50
    chunks = chunk(load(page.encode(), "a.html"))
    assert len(chunks) >= 50
    assert all(len(part) <= LONGEST_HEADING for piece in chunks for part in piece.heading)
