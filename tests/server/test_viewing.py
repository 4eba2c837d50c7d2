"""Documents as they are, over HTTP: pages, boxes, layout and matches, each within its scope and its bounds."""

import io
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openpyxl
import pytest
from PIL import Image
from reportlab.pdfgen import canvas

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.settings import IngestSettings, ModelSettings, Settings
from tests.server.conftest import write

THINGS = ("amber", "birch", "cedar", "dahlia", "elm", "fern", "ginger", "holly", "iris", "juniper", "kelp", "lotus")
PAGES = len(THINGS)
NOTES = """# Notes

The board met 💶 twice.

- first
- second

| Item | Price |
|---|---|
| Oak board | 48 |
| Pine board | 19 |
"""


def paper() -> bytes:
    written = io.BytesIO()
    page = canvas.Canvas(written)
    for number, thing in enumerate(THINGS, 1):
        page.drawString(72, 700, f"The chapter on {thing} tells of the harbour.")
        page.drawString(72, 680, f"The {thing} is {number * 11} metres long, which the council measured.")
        page.showPage()
    page.save()
    return written.getvalue()


def budget() -> bytes:
    book, written = openpyxl.Workbook(), io.BytesIO()
    book.active.title = "Budget"
    for row in (["Item", "Amount"], ["Rent", 117], ["Power", 25]):
        book.active.append(row)
    book.save(written)
    return written.getvalue()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    root = tmp_path_factory.mktemp("viewing")
    chosen = Settings(data_dir=root / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1))
    with DocMind(chosen) as opened:
        folder = write(root / "files", {"notes.md": NOTES, "gone.md": NOTES.replace("twice", "thrice")})
        (folder / "paper.pdf").write_bytes(paper())
        (folder / "budget.xlsx").write_bytes(budget())
        opened.ingest([folder], Scope("default"))
        mine = write(root / "mine", {"diary.md": "# Diary\n\nMine alone.\n"})
        (mine / "own.pdf").write_bytes(paper().replace(b"ReportLab", b"ReportLAB"))
        opened.ingest([mine], Scope("default", "alice"))
        (folder / "gone.md").unlink()
        yield opened


@pytest.fixture(scope="module")
def client(engine: DocMind, serving: Any) -> Iterator[httpx.Client]:
    with serving(create_app(engine)) as opened:
        yield opened


def got(client: httpx.Client, name: str, what: str, **asked: Any) -> Any:
    answer = client.get(f"/v1/documents/{name}/{what}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def text_of(client: httpx.Client, name: str) -> str:
    return client.get(f"/v1/documents/{name}/text").text


def test_the_pages_of_a_pdf_are_listed_with_their_sizes(client: httpx.Client) -> None:
    pages = got(client, "paper.pdf", "pages")["pages"]
    assert [page["number"] for page in pages] == list(range(1, PAGES + 1))
    assert pages[0]["width"] == pytest.approx(595.28, abs=0.01)


def test_a_page_is_drawn_as_wide_as_asked_for(client: httpx.Client) -> None:
    for width in (96, 1000):
        answer = client.get("/v1/documents/paper.pdf/pages/3.png", params={"width": width})
        assert answer.headers["content-type"] == "image/png"
        picture = Image.open(io.BytesIO(answer.content))
        assert picture.width == width
        assert min(picture.convert("L").tobytes()) < 160


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("paper.pdf/pages/13.png", 404, "not_found"),
        ("paper.pdf/pages/0.png", 422, "invalid_request"),
        ("paper.pdf/pages/x.png", 422, "invalid_request"),
        ("paper.pdf/pages/1.png?width=39", 422, "invalid_request"),
        ("paper.pdf/pages/1.png?width=2401", 422, "invalid_request"),
        ("paper.pdf/boxes?start=5&end=2", 422, "invalid_request"),
        ("paper.pdf/boxes?end=999999", 422, "invalid_request"),
        ("notes.md/pages", 404, "not_found"),
        ("notes.md/pages/1.png", 404, "not_found"),
        ("notes.md/boxes", 404, "not_found"),
        ("notes.md/layout?start=-1", 422, "invalid_request"),
        ("notes.md/matches?words=" + "x" * 201, 422, "invalid_request"),
    ],
)
def test_what_is_not_there_or_out_of_bounds_is_refused(client: httpx.Client, path: str, status: int, code: str) -> None:
    refused = client.get(f"/v1/documents/{path}")
    assert (refused.status_code, refused.json()["code"]) == (status, code)


@pytest.mark.parametrize("what", ["pages", "pages/1.png", "boxes", "layout", "matches"])
@pytest.mark.parametrize("name", ["own.pdf", "diary.md"])
def test_nothing_of_another_users_document_is_shown(
    client: httpx.Client, engine: DocMind, what: str, name: str
) -> None:
    document = engine.document(name, Scope("default", "alice"))
    for scope in ({}, {"user": "bob"}, {"workspace": "other", "user": "alice"}):
        assert client.get(f"/v1/documents/{document.id}/{what}", params=scope).status_code == 404


def test_boxes_lie_on_the_page_that_the_words_stand_on(client: httpx.Client) -> None:
    text, words = text_of(client, "paper.pdf"), "The ginger is 77 metres long,"
    start = text.index(words)
    boxes = got(client, "paper.pdf", "boxes", start=start, end=start + len(words))["boxes"]
    assert [text[box["start"] : box["end"]] for box in boxes] == words.split()
    assert {box["page"] for box in boxes} == {7}
    # The line stands 680 points above the foot of a page that is 842 points high.
    assert all(box["top"] < 842 - 680 < box["bottom"] + 4 for box in boxes)
    assert boxes[0]["left"] == pytest.approx(72, abs=1)


def test_words_over_the_end_of_a_page_have_boxes_on_both(client: httpx.Client) -> None:
    text = text_of(client, "paper.pdf")
    start, end = text.index("council measured", text.index("33 metres")), text.index("on dahlia") + len("on dahlia")
    boxes = got(client, "paper.pdf", "boxes", start=start, end=end)["boxes"]
    assert [box["page"] for box in boxes] == [3] * 2 + [4] * 4


def test_a_markdown_file_keeps_its_headings_lists_and_tables(client: httpx.Client) -> None:
    text, layout = text_of(client, "notes.md"), got(client, "notes.md", "layout")
    assert [block["kind"] for block in layout["blocks"]] == ["heading", "paragraph", "item", "item", "table"]
    assert layout["note"] == ""
    for block in layout["blocks"][:4]:
        assert block["text"] == text[block["start"] : block["end"]]
    table = layout["blocks"][4]
    assert table["header"] == ["Item", "Price"]
    assert [[cell["text"] for cell in row["cells"]] for row in table["rows"]] == [
        ["Oak board", "48"],
        ["Pine board", "19"],
    ]
    for row in table["rows"]:
        assert all(text[cell["start"] : cell["end"]] == cell["text"] for cell in row["cells"])


def test_a_sheet_is_a_table_whose_cells_know_their_characters(client: httpx.Client) -> None:
    text, blocks = text_of(client, "budget.xlsx"), got(client, "budget.xlsx", "layout")["blocks"]
    assert [block["kind"] for block in blocks] == ["caption", "table"]
    cells = [cell for row in blocks[1]["rows"] for cell in row["cells"]]
    assert [(cell["column"], cell["text"]) for cell in cells] == [(0, "Rent"), (1, "117"), (0, "Power"), (1, "25")]
    assert all(text[cell["start"] : cell["end"]] == cell["text"] for cell in cells)


def test_a_stretch_has_the_blocks_that_it_stands_in(client: httpx.Client) -> None:
    at = text_of(client, "notes.md").index("twice")
    (block,) = got(client, "notes.md", "layout", start=at, end=at + 2)["blocks"]
    assert block["kind"] == "paragraph"
    (row,) = got(client, "notes.md", "layout", start=at + 60)["blocks"][-1]["rows"][-1:]
    assert row["cells"][0]["text"] == "Pine board"


def test_without_its_file_a_document_is_shown_as_paragraphs_and_says_why(client: httpx.Client) -> None:
    layout = got(client, "gone.md", "layout")
    assert "was moved or deleted since it was read" in layout["note"]
    assert "thrice" in "".join(block["text"] for block in layout["blocks"])


def test_words_are_found_whatever_their_case_and_wherever_lines_end(client: httpx.Client) -> None:
    text = text_of(client, "paper.pdf")
    found = got(client, "paper.pdf", "matches", words="HARBOUR.  the")
    assert found["total"] == PAGES
    assert all(1 <= match["page"] <= at for at, match in enumerate(found["matches"], 1))
    assert {text[match["start"] : match["end"]].split()[-1] for match in found["matches"]} == {"The"}
    assert got(client, "paper.pdf", "matches", words="((")["total"] == 0
    assert got(client, "paper.pdf", "matches", words=" ")["total"] == 0


def test_a_drawing_process_that_dies_is_replaced(client: httpx.Client) -> None:
    for process in children():
        os.kill(process, signal.SIGKILL)
    answers = [
        client.get(f"/v1/documents/paper.pdf/pages/{number}.png", params={"width": 77}) for number in range(1, 6)
    ]
    assert {answer.status_code for answer in answers} == {200}


def children() -> list[int]:
    """The processes of this one that read files."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat, command = (folder / "stat").read_text(), (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if stat.rpartition(")")[2].split()[1] == str(os.getpid()) and b"docmind.corpus.readers" in command:
                found.append(int(folder.name))
    return found
