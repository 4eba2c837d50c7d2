"""Small sample files of every format, made when the tests run."""

import datetime as dt
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pytest
from PIL import Image
from reportlab.lib import colors
from reportlab.lib.pagesizes import letter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas
from reportlab.platypus import Table

from docmind.models.embedding import Embedder, open_embedder
from docmind.runtime.engine import DocMind
from docmind.settings import ModelSettings, Settings
from tests.corpus.turned import Opening, Turned
from tests.office_files import RTF, TEXT, book, deck, open_document
from tests.office_files import letter as make_letter

MARKDOWN = """---
title: Handbook
---
# Storage\\.<a name="storage"></a>

Rows live in *DynamoDB\\.* See [the **guide**](x.md) and `get_item`.
They stay there.

+ first
  + nested

    more about it
+ second

1. one
2. two

```python
def f():
    return 1
```

**Limits of a table**

| Name | Limit |
| --- | --- |
| Items | 400 KB |
| Size |  |
"""

PLAIN = """MINUTES OF THE MEETING

We met
and spoke.

Next steps
----------
- call
- write
  again
"""

HTML = """<!doctype html><html><head><title>Fees</title><style>p{}</style></head><body><nav>Home</nav>
<h1>Fees &amp; charges</h1><p>Paid <b>yearly</b>,<br>in advance.</p>
<ol start="3"><li>three<ul><li>deep</li></ul></li></ol>
<table><caption>Fees (in thousands)</caption><thead><tr><th rowspan="2"></th><th colspan="2">Year ended</th></tr>
<tr><th>2023</th><th>2022</th></tr></thead><tr><td>Rent</td><td>12</td><td>11</td></tr></table>
<table><tr><th></th><th>2023</th><th>2022</th></tr><tr><td>Rent</td><td>12</td><td>(3</td><td>)</td></tr></table>
<pre>a  b
 c</pre><script>no()</script><footer>Imprint</footer></body></html>"""


def make_pdf() -> bytes:
    """Three pages: an unruled statement with a spanning header, a ruled table, and prose with a broken word."""
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, pagesize=letter)
    page.setTitle("Lumen Annual Figures")
    _statement(page)
    _footer(page, 1)
    page.showPage()
    page.setFont("Helvetica-Bold", 16)
    page.drawString(72, 720, "Staff")
    table = Table(
        [["Team", "People"], ["Sales", "12"], ["Legal", "3"]], style=[("GRID", (0, 0), (-1, -1), 1, colors.black)]
    )
    table.wrapOn(page, 400, 400)
    table.drawOn(page, 72, 600)
    _footer(page, 2)
    page.showPage()
    page.setFont("Helvetica", 10)
    page.drawString(72, 720, "The board met twice in the year under review and came to a deci-")
    page.drawString(72, 708, "sion about the lease of the harbour site and its two buildings.")
    _footer(page, 3)
    page.showPage()
    page.save()
    return buffer.getvalue()


def _statement(page: canvas.Canvas) -> None:
    page.setFont("Helvetica-Bold", 16)
    page.drawString(72, 720, "Income statement")
    page.setFont("Helvetica", 9)
    page.drawString(72, 700, "(In millions, except per share amounts)")
    page.drawCentredString(390, 680, "Year Ended December 31,")
    page.line(330, 677, 450, 677)
    for x, year in ((360, "2023"), (450, "2022")):
        page.drawRightString(x, 665, year)
    page.drawString(72, 650, "Revenue:")
    rows = (("Products", "1,204", "1,100"), ("Services", "(86)", "40"), ("Total revenue", "1,118", "1,140"))
    for number, (label, *values) in enumerate(rows):
        y = 638 - 12 * number
        page.drawString(72 if label.startswith("Total") else 82, y, label)
        for x, value in zip((360, 450), values, strict=True):
            page.drawString(x - 50, y, "$")
            page.drawRightString(x, y, value)
    page.drawString(72, 560, "These figures are audited and were approved by the board in the spring of the year.")


def _footer(page: canvas.Canvas, number: int) -> None:
    page.setFont("Helvetica", 8)
    page.drawString(72, 40, f"Lumen | Annual Figures | {number}")


def make_prose_pdf(pages: int = 1, password: str | None = None) -> bytes:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, encrypt=password)
    for number in range(pages):
        page.drawString(72, 700, f"Page {number} says something.")
        page.showPage()
    page.save()
    return buffer.getvalue()


def make_image_pdf() -> bytes:
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.drawImage(ImageReader(Image.new("L", (100, 100))), 50, 50, 500, 700)
    page.showPage()
    page.save()
    return buffer.getvalue()


def make_docx() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Expansion Plan"
    document.add_heading("Expansion", 1)
    document.add_paragraph("We open two sites.")
    document.add_paragraph("Lisbon", style="List Bullet")
    document.add_paragraph("Porto", style="List Bullet 2")
    document.add_paragraph("First", style="List Number")
    document.add_paragraph("Second", style="List Number")
    document.add_paragraph("Table 1: Costs (in thousands)")
    table = document.add_table(rows=0, cols=3)
    for cells in (("Site", "2023", "2024"), ("Lisbon", "120", "90"), ("Porto", "", "80")):
        for cell, text in zip(table.add_row().cells, cells, strict=True):
            cell.text = text
    document.add_paragraph("That is all.")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def make_xlsx() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Budget"
    sheet.append(["Budget 2024 (in thousands)"])
    sheet.append(["Item", "Amount", "Due"])
    sheet.append(["Rent", 117154.0, dt.datetime(2024, 3, 1)])
    sheet.append(["Power", 2.5, None])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def make_samples() -> dict[str, bytes]:
    records = [{"name": "North", "beds": 12}, {"name": "South", "beds": 8}]
    return {
        "handbook.md": MARKDOWN.encode(),
        "notes.txt": PLAIN.encode(),
        "fees.html": HTML.encode(),
        "figures.pdf": make_pdf(),
        "plan.docx": make_docx(),
        "budget.xlsx": make_xlsx(),
        "sites.csv": "site;beds;town\nNorth;12;Köln\nSouth;8;Bonn\n".encode("cp1252"),
        "sites.tsv": b"site\tbeds\nNorth\t12\n",
        "data.json": json.dumps({"title": "Sites", "sites": records, "owner": {"name": "Lumen"}}).encode(),
        "data.jsonl": "\n".join(map(json.dumps, records)).encode(),
        "budget.pptx": deck(),
        "mills.epub": book(),
        "letter.eml": make_letter(),
        "memo.rtf": RTF,
        "terms.odt": open_document(TEXT),
        "data.xml": b"<clinic id='7'><name>North</name><note>Open <b>late</b> today</note></clinic>",
    }


@pytest.fixture(scope="session")
def samples() -> dict[str, bytes]:
    return make_samples()


@pytest.fixture(scope="session")
def prose_pdf() -> Callable[..., bytes]:
    return make_prose_pdf


@pytest.fixture(scope="session")
def image_pdf() -> bytes:
    return make_image_pdf()


@pytest.fixture
def zipped() -> Callable[[dict[str, bytes]], bytes]:
    def build(files: dict[str, bytes]) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return buffer.getvalue()

    return build


@pytest.fixture
def opening(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Opening:
    """The installation with the embedder of that name set, `turned:table` among them."""

    def known(name: str, **options: object) -> Embedder:
        return Turned(name) if name.startswith("turned:") else open_embedder(name, **options)  # type: ignore[arg-type,return-value]

    monkeypatch.setattr("docmind.runtime.engine.open_embedder", known)
    return lambda embedder: DocMind(settings.model_copy(update={"models": ModelSettings(embedder=embedder)}))


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, text in (("steel", "Steel rusts in rain."), ("copper", "Copper turns green."), ("zinc", "Zinc is grey.")):
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    return folder
