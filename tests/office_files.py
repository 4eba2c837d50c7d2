"""Small files of the formats that people send each other, made when the tests run."""

import io
import zipfile
from email.message import EmailMessage
from typing import Any

import pptx
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

RTF = rb"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}{\colortbl;\red0;}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\*\cs10 Default;}}{\info{\title The Memo}{\author X}}
{\*\generator Something;}{\pict\bin5 {{{{{}
\pard\s1\outlinelevel0 Costs of the plan\par
\pard The caf\'e9 opens \u8212?soon {\b now}. {\f1\'cf\'f0\'e8}\par
{\listtext\pard 1.\tab}\ilvl0 First\par{\listtext\pard 2.\tab}Second\par\pard
\trowd\trhdr\cellx100\cellx200\intbl Place\cell 2023\cell\row
\trowd\cellx100\cellx200 Lisbon\cell 120\cell\row
\pard After {\v SECRET}{\deleted SECRET}it.\par
{\field{\*\fldinst HYPERLINK "SECRET"}{\fldrslt the link}} \u-10179?\u-8704?\par}"""

_NAMES = 'xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:style="s" xmlns:draw="d" xmlns:presentation="p"'
_TABLE = (
    "<table:table{name}><table:table-header-rows><table:table-row><table:table-cell><text:p>Place</text:p>"
    "</table:table-cell><table:table-cell><text:p>2023</text:p></table:table-cell></table:table-row>"
    "</table:table-header-rows><table:table-row><table:table-cell><text:p>Lisbon</text:p></table:table-cell>"
    '<table:table-cell><text:p>120</text:p></table:table-cell><table:table-cell table:number-columns-repeated="9999"/>'
    '</table:table-row><table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>'
    "</table:table>"
)
TEXT = f"""<office:text><text:p text:style-name="P1">The Plan</text:p><text:h text:outline-level="2">Costs</text:h>
<text:p>Some<text:s/>text.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p>
</text:note-body></text:note></text:p><text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list>
<text:list-item><text:p>deep</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p>
</text:list-item></text:list><text:p text:style-name="Table">Table 1: Costs</text:p>
{_TABLE.format(name="")}</office:text>"""
SHEET = f"""<office:spreadsheet>{_TABLE.format(name=' table:name="Sites"')}</office:spreadsheet>"""
SLIDE = """<office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Aims</text:p>
</draw:text-box></draw:frame><draw:frame><draw:text-box><text:list><text:list-item><text:p>grow</text:p></text:list-item>
</text:list></draw:text-box></draw:frame><presentation:notes><text:p>Say why.</text:p></presentation:notes></draw:page>
</office:presentation>"""
_STYLES = """<office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1"/></text:list-style>
</office:automatic-styles>"""


def zipped(members: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def open_document(body: str) -> bytes:
    content = f"<office:document-content {_NAMES}>{_STYLES}<office:body>{body}</office:body></office:document-content>"
    return zipped({"META-INF/manifest.xml": "<manifest/>", "content.xml": content})


def book(chapter: str = "<p>The mill stands at Halden.</p>", **more: str) -> bytes:
    """A book of one chapter, whose name only the table of contents says."""
    described = """<package xmlns:dc="x"><metadata><dc:title>The Book of Mills</dc:title><dc:creator>Ada</dc:creator>
    <dc:date>2020-01-02T00:00</dc:date></metadata><manifest><item id="a" href="one%20a.xhtml"
    media-type="application/xhtml+xml"/><item id="n" href="nav.xhtml" properties="nav"
    media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>"""
    page = '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'
    contents = '<nav><ol><li><a href="one%20a.xhtml#top">Chapter One</a></li></ol></nav>'
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="OPS/book.opf"/></container>',
            "OPS/book.opf": described,
            "OPS/one a.xhtml": page.format(chapter),
            "OPS/nav.xhtml": page.format(contents),
            **more,
        }
    )


def letter(**attached: bytes) -> bytes:
    """An e-mail with the same words as plain text and as a page, and files attached: `minutes_md` is minutes.md."""
    message = EmailMessage()
    message["From"] = "Ada Löv <ada@example.org>"
    message["To"] = "bob@example.org"
    message["Subject"] = "Grüße vom Halden"
    message["Date"] = "Mon, 04 Mar 2024 10:00:00 +0100"
    message.set_content("The mill opens in May.\n")
    message.add_alternative("<p>The mill opens in May.</p><ul><li>bring boots</li></ul>", subtype="html")
    for name, content in attached.items():
        filename = name.replace("_", ".")
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=filename)
    return message.as_bytes()


def deck() -> bytes:
    """Two slides: bullets with speaker notes, then a table and a chart."""
    slides: Any = pptx.Presentation()
    first = slides.slides.add_slide(slides.slide_layouts[1])
    first.shapes.title.text = "Budget 2024"
    body = first.placeholders[1].text_frame
    body.text = "Save where we can"
    below = body.add_paragraph()
    below.text, below.level = "Start with energy", 1
    first.notes_slide.notes_text_frame.text = "Say why."
    second = slides.slides.add_slide(slides.slide_layouts[5])
    second.shapes.title.text = "Costs"
    table = second.shapes.add_table(2, 3, 0, 0, Inches(5), Inches(2)).table
    for row, cells in enumerate([["Place", "2023", "2024"], ["Lisbon", "120", "90"]]):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    figures: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    figures.categories = ["East", "West"]
    figures.add_series("Sales", (1.5, 2))
    second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(3), Inches(3), figures)
    buffer = io.BytesIO()
    slides.save(buffer)
    return buffer.getvalue()
