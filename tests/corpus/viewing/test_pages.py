"""Pages of real PDFs: their words found again where they were drawn, whichever way the page is turned."""

import base64
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen import canvas

from docmind.corpus.load import load
from docmind.corpus.viewing.alignment import Box, find_boxes
from docmind.corpus.viewing.pages import PageJob, PageWord, look_at
from docmind.domain.documents import Loaded, Span
from docmind.domain.errors import FileRejected

WIDTH, HEIGHT = A4
LEFT = "The harbour was opened in spring by the mayor of the town and closed again in autumn for the winter"
RIGHT = "The bridge was painted in summer by the pupils of the school and closed again in autumn for the winter"


def made(draw: Callable[[canvas.Canvas], None]) -> bytes:
    written = io.BytesIO()
    page = canvas.Canvas(written, pagesize=A4)
    draw(page)
    page.save()
    return written.getvalue()


def words_of(data: bytes, number: int = 1) -> list[PageWord]:
    return look_at(PageJob(str(hash(data)), data, read=(number,))).words[0]


def boxes_of(data: bytes, words: str, loaded: Loaded | None = None) -> list[Box]:
    """Where words stand that are in the text once."""
    loaded = loaded or load(data, "a.pdf")
    assert loaded.text.count(words) == 1
    start = loaded.text.index(words)
    pages = [(number, words_of(data, number)) for number in range(1, (loaded.pages or 0) + 1)]
    return find_boxes(loaded.text, 0, Span(start, start + len(words)), pages)


def two_columns(page: canvas.Canvas) -> None:
    """A line of the left column and one of the right stand side by side, and end with the same words."""
    for x, sentence in ((60, LEFT), (320, RIGHT)):
        words = sentence.split()
        for line in range(7):
            page.drawString(x, 700 - 14 * line, " ".join(words[3 * line : 3 * line + 3]))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_words_box_is_where_it_stands_on_the_page_as_it_is_shown(turn: int) -> None:
    def draw(page: canvas.Canvas) -> None:
        page.setPageRotation(turn)
        page.drawString(100, 300, "Somewhere")

    data = made(draw)
    (word,) = words_of(data)
    assert word.text == "Somewhere"
    size = look_at(PageJob(str(hash(data)), data)).sizes[0]
    # The library makes a turned page as much wider as it is to be shown higher.
    assert size == pytest.approx((WIDTH, HEIGHT), abs=0.1)
    png = look_at(PageJob(str(hash(data)), data, draw=1, width=round(size[0]))).png
    ink = inked(png)
    # The letters lie within the box, which also has room for those that reach further up and down.
    assert word.left - 2 <= ink[0] < ink[2] <= word.right + 2
    assert word.top - 2 <= ink[1] < ink[3] <= word.bottom + 2
    assert (ink[2] - ink[0]) * (ink[3] - ink[1]) > 0.4 * (word.right - word.left) * (word.bottom - word.top)


def inked(png: str) -> tuple[int, int, int, int]:
    """The box around everything that is not white."""

    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("L").point(lambda dot: 255 - dot)
    box = picture.getbbox()
    assert box is not None
    return box


def test_words_of_two_columns_are_found_in_their_own() -> None:
    data = made(two_columns)
    left, right = boxes_of(data, "closed again in autumn", only(data, 0)), boxes_of(data, "painted in summer by")
    assert [box.left < 300 for box in left] == [True] * len(left)
    assert [box.left > 300 for box in right] == [True] * len(right)
    assert len(right) == 4


def only(data: bytes, nth: int) -> Loaded | None:
    """The document with one of two equal stretches made different, so that the other is asked for."""
    loaded = load(data, "a.pdf")
    at = loaded.text.rindex("closed again in autumn")
    changed = loaded.text[:at] + "CLOSED" + loaded.text[at + 6 :]
    return Loaded(changed, loaded.blocks, loaded.media_type, pages=loaded.pages)


def test_a_cell_is_boxed_and_so_is_the_name_of_its_column(samples: dict[str, bytes]) -> None:
    data = samples["figures.pdf"]
    row = boxes_of(data, "Total revenue | Year Ended December 31, 2023: $1,118 | Year Ended December 31, 2022: $1,140")
    middles = [(round((box.top + box.bottom) / 2), round(box.right)) for box in row]
    label, value = middles[0][0], [right for height, right in middles if height == middles[0][0]]
    assert {360, 450} <= set(value)
    assert all(height <= label for height, _ in middles)
    cell = boxes_of(data, "$(86)")
    assert [round(box.right) for box in cell][-1] == 360


def test_a_word_parted_at_the_end_of_a_line_has_a_box_for_each_half(samples: dict[str, bytes]) -> None:
    found = boxes_of(samples["figures.pdf"], "to a decision about")
    assert [box.page for box in found] == [3] * 5
    halves = [box for box in found if box.end - box.start == len("decision")]
    assert len(halves) == 2
    assert halves[0].top < halves[1].top
    assert halves[0].left > halves[1].left


def test_words_that_are_not_on_the_page_have_no_boxes(samples: dict[str, bytes]) -> None:
    pages = [(3, words_of(samples["figures.pdf"], 3))]
    text = "Nothing of this sentence stands anywhere here."
    assert find_boxes(text, 0, Span(0, len(text)), pages) == []


def test_a_picture_is_as_wide_as_asked_for_and_never_endless() -> None:
    tall = made(lambda page: (page.setPageSize((10, 14_000)), page.drawString(1, 1, "x"))[0])
    for data, width in ((made(two_columns), 800), (tall, 2400)):
        png = look_at(PageJob(str(hash(data)), data, draw=1, width=width)).png

        picture = Image.open(io.BytesIO(base64.b64decode(png)))
        assert picture.width * picture.height <= 13_000_000
        if data is not tall:
            assert picture.width == pytest.approx(width, abs=1)


def test_the_process_asks_for_a_document_that_it_does_not_have() -> None:
    assert look_at(PageJob("never seen", None)).missing
    data = made(two_columns)
    look_at(PageJob("seen", data))
    assert look_at(PageJob("seen", None)).sizes == look_at(PageJob("seen", data)).sizes


def test_a_page_that_is_not_there_and_a_file_that_cannot_be_opened_are_told(
    samples: dict[str, bytes], prose_pdf: Callable[..., bytes]
) -> None:
    with pytest.raises(FileRejected, match="has 3 pages, and no page 4"):
        look_at(PageJob("three", samples["figures.pdf"], draw=4, width=100))
    with pytest.raises(FileRejected, match="is encrypted"):
        look_at(PageJob("locked", prose_pdf(password="secret"), draw=1, width=100))


def test_documents_that_are_kept_open_are_closed_when_the_process_ends(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(made(lambda page: page.drawString(100, 300, "Somewhere")))
    drawing = (
        # Whatever is tidied up at the end and was there before PDFium is tidied up after it.
        "import pathlib, sys, tempfile; folder = tempfile.TemporaryDirectory(); "
        "from docmind.corpus.viewing.pages import PageJob, look_at; "
        "look_at(PageJob('a', pathlib.Path(sys.argv[1]).read_bytes(), draw=1, width=100))"
    )
    ended = subprocess.run([sys.executable, "-c", drawing, tmp_path / "a.pdf"], capture_output=True, check=True)
    assert ended.stderr == b""
