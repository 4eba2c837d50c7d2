"""Scanned pages and pictures: read by whatever recognises text here, in reading order, or rejected with a way out."""

import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from docmind.corpus.discover import Unit
from docmind.corpus.file_reading import ReadFile, read
from docmind.corpus.load import Limits, load
from docmind.corpus.load.ocr import Box, open_recogniser
from docmind.corpus.load.ocr_rapid import in_reading_order
from docmind.corpus.readers import ProcessReaders
from docmind.domain.documents import BlockKind
from docmind.domain.errors import FileRejected

RECOGNISERS = [
    pytest.param(
        name, marks=pytest.mark.skipif(open_recogniser(name) is None, reason=f"needs {name}, which is not installed")
    )
    for name in ("rapidocr", "tesseract")
]


@pytest.fixture(autouse=True, scope="module")
def _forget_recognisers() -> Iterator[None]:
    yield
    open_recogniser.cache_clear()


def drawn(*lines: tuple[float, float, str]) -> Image.Image:
    """A page with these texts at these places, as a scanner sees it."""
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.setFont("Helvetica", 12)
    for x, y, text in lines:
        page.drawString(x, y, text)
    page.showPage()
    page.save()
    with pypdfium2.PdfDocument(buffer.getvalue()) as document:
        picture: Image.Image = document[0].render(scale=200 / 72).to_pil()
        return picture.convert("L")


HARBOUR = (72.0, 700.0, "The harbour office opens at seven.")
CELLS = [["", "2023", "2022"], ["Revenue", "601,020", "579,520"], ["Costs", "338,960", "330,870"]]
TABLE = [
    (x, 640.0 - 16 * row, text)
    for row, cells in enumerate(
        [["", "2023", "2022"], ["Revenue", "601,020", "579,520"], ["Costs", "338,960", "330,870"]]
    )
    for x, text in zip((72.0, 300.0, 400.0), cells, strict=True)
    if text
]


def packed(picture: Image.Image, kind: str, **how: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **how)
    return buffer.getvalue()


def mixed_pdf() -> bytes:
    """A printed page, then a scanned one."""
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.drawString(72, 700, "A printed page about the mill.")
    page.showPage()
    page.drawImage(ImageReader(drawn(HARBOUR, *TABLE)), 0, 0, 595, 842)
    page.showPage()
    page.save()
    return buffer.getvalue()


@pytest.mark.parametrize("name", RECOGNISERS)
def test_a_scanned_page_among_printed_ones_is_read_with_its_number_and_its_table(tmp_path: Path, name: str) -> None:
    # In a confined process, as it is for anybody who brings it in.
    (tmp_path / "a.pdf").write_bytes(mixed_pdf())
    with ProcessReaders(partial(read, Limits(ocr=name)), ReadFile, 1) as readers:
        ((_, found),) = readers.map([Unit("a.pdf", "a.pdf", "", tmp_path / "a.pdf")])
    assert isinstance(found, ReadFile), found
    loaded = found.loaded
    told = [(block.page, block.kind, block.span.of(loaded.text)) for block in loaded.blocks]
    assert told[0] == (1, BlockKind.PARAGRAPH, "A printed page about the mill.")
    assert (2, BlockKind.PARAGRAPH, HARBOUR[2]) in told
    assert (2, BlockKind.ROW, "Revenue | 2023: 601,020 | 2022: 579,520") in told
    assert (loaded.pages, loaded.notes) == (2, ())


@pytest.mark.parametrize("name", RECOGNISERS)
def test_each_page_of_a_scanned_fax_is_a_page(name: str) -> None:
    second = drawn((72, 700, "The ferry leaves at eight."))
    fax = packed(drawn(HARBOUR), "TIFF", save_all=True, append_images=[second])
    loaded = load(fax, "fax.tiff", Limits(ocr=name))
    assert loaded.pages == 2
    assert {block.span.of(loaded.text): block.page for block in loaded.blocks} == {
        HARBOUR[2]: 1,
        "The ferry leaves at eight.": 2,
    }


@pytest.mark.parametrize("name", RECOGNISERS)
def test_a_picture_without_a_word_is_rejected(name: str) -> None:
    with pytest.raises(FileRejected, match="no text was recognised"):
        load(packed(Image.new("L", (400, 300), 255), "PNG"), "a.png", Limits(ocr=name))


@pytest.mark.parametrize("name", RECOGNISERS)
def test_pages_that_there_is_no_time_for_are_named(name: str) -> None:
    loaded = load(mixed_pdf(), "a.pdf", Limits(ocr=name, ocr_seconds=0))
    (note,) = loaded.notes
    assert note.startswith("1 scanned page was not read (2): there was no time left.")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP"])
def test_where_nothing_recognises_text_a_picture_is_rejected_with_the_way_to_get_it(kind: str) -> None:
    with pytest.raises(FileRejected, match=r"pip install 'docmind\[ocr\]' or the program tesseract"):
        load(packed(drawn(HARBOUR), kind), f"a.{kind.lower()}", Limits(ocr="none"))


def test_where_nothing_recognises_text_the_printed_pages_are_read_and_the_others_named() -> None:
    loaded = load(mixed_pdf(), "a.pdf", Limits(ocr="none"))
    assert loaded.text == "A printed page about the mill."
    (note,) = loaded.notes
    assert note.startswith("1 scanned page was not read (2): install text recognition (OCR)")


def lines(left: float, texts: list[str]) -> list[Box]:
    return [Box(text, left, 20.0 * row, left + 200, 20.0 * row + 15) for row, text in enumerate(texts, 1)]


def test_columns_of_prose_are_read_one_after_the_other_and_what_runs_across_them_in_its_place() -> None:
    left = [f"left line of prose {number}" for number in range(5)]
    right = [f"right line of prose {number}" for number in range(5)]
    title, foot = Box("A title across", 0, 0, 450, 15), Box("A foot across", 0, 200, 450, 215)
    mixed = [box for pair in zip(lines(0, left), lines(250, right), strict=True) for box in pair]
    ordered = [box.text for box in in_reading_order([foot, *mixed, title])]
    assert ordered == ["A title across", *left, *right, "A foot across"]


def test_the_rows_of_a_table_are_not_taken_for_columns() -> None:
    cells = [box for pair in zip(lines(0, ["Rent"] * 5), lines(250, ["120"] * 5), strict=True) for box in pair]
    assert [box.text for box in in_reading_order(cells)] == ["Rent", "120"] * 5


def test_a_picture_of_more_pixels_than_a_page_can_need_is_rejected() -> None:
    bomb = packed(Image.new("1", (9_000, 9_000)), "PNG")
    if open_recogniser("auto") is None:
        pytest.skip("needs something that recognises text")
    with pytest.raises(FileRejected, match="more than 80 million pixels"):
        load(bomb, "a.png")
