"""Slides, books, e-mails, RTF and OpenDocument keep their headings, lists and tables like every other format."""

import io

import openpyxl
import pytest

from docmind.corpus.load import load
from docmind.domain.documents import BlockKind, Loaded
from docmind.domain.errors import FileRejected
from tests.office_files import RTF, SHEET, SLIDE, TEXT, book, deck, letter, open_document, zipped


def texts(loaded: Loaded, kind: BlockKind) -> list[str]:
    return [block.span.of(loaded.text) for block in loaded.blocks if block.kind is kind]


def test_slides_are_pages_with_bullets_tables_charts_and_their_notes() -> None:
    loaded = load(deck(), "budget.pptx")
    assert loaded.pages == 2
    assert texts(loaded, BlockKind.HEADING) == ["Budget 2024", "Speaker notes", "Costs"]
    assert texts(loaded, BlockKind.ITEM) == ["- Save where we can", "- Start with energy"]
    assert texts(loaded, BlockKind.PARAGRAPH) == ["Say why."]
    assert texts(loaded, BlockKind.ROW) == ["Lisbon | 2023: 120 | 2024: 90", "East | Sales: 1.5", "West | Sales: 2"]
    assert {block.page for block in loaded.blocks if block.kind is BlockKind.ROW} == {2}
    assert loaded.metadata.title == "Budget 2024"


def test_a_book_is_read_chapter_by_chapter_with_its_title_author_and_date() -> None:
    loaded = load(book(), "mills.epub")
    assert texts(loaded, BlockKind.HEADING) == ["Chapter One"]
    assert texts(loaded, BlockKind.PARAGRAPH) == ["Author: Ada", "The mill stands at Halden."]
    assert (loaded.metadata.title, loaded.metadata.date) == ("The Book of Mills", "2020-01-02")


def test_a_chapter_with_a_heading_of_its_own_gets_no_second_one() -> None:
    assert texts(load(book("<h2>On mills</h2><p>Text.</p>"), "a.epub"), BlockKind.HEADING) == ["On mills"]


def test_a_protected_book_is_rejected_with_the_reason() -> None:
    locked = '<encryption><CipherReference URI="OPS/one%20a.xhtml"/></encryption>'
    with pytest.raises(FileRejected, match="DRM"):
        load(book(**{"META-INF/encryption.xml": locked}), "a.epub")


def test_an_email_says_who_wrote_when_and_about_what_and_keeps_the_structure_of_its_page() -> None:
    loaded = load(letter(minutes_md=b"# Minutes"), "a.eml")
    assert texts(loaded, BlockKind.HEADING) == ["Grüße vom Halden"]
    assert texts(loaded, BlockKind.PARAGRAPH) == [
        "From: Ada Löv <ada@example.org>",
        "To: bob@example.org",
        "Date: Mon, 04 Mar 2024 10:00:00 +0100",
        "Attachments: minutes.md",
        "The mill opens in May.",
    ]
    assert texts(loaded, BlockKind.ITEM) == ["- bring boots"]
    known = loaded.metadata
    assert (known.title, known.date, known.document_type) == ("Grüße vom Halden", "2024-03-04", "email")


def test_an_email_of_plain_text_is_read_as_plain_text() -> None:
    loaded = load(b"Subject: Lists\r\n\r\nTo do:\r\n- call\r\n- write\r\n", "a.eml")
    assert texts(loaded, BlockKind.ITEM) == ["- call", "- write"]


def test_what_an_email_quotes_is_read_without_the_marks_and_apart_from_the_reply() -> None:
    written = (
        b"Subject: Gate\r\n\r\nIt is green now.\r\nOn Monday Ada wrote:\r\n> The gate is painted\r\n> red by the\r\n"
        b">> joiner from Halden\r\n>\r\n> - on Mondays\r\n> - on Fridays\r\nSo it was.\r\n"
    )
    loaded = load(written, "a.eml")
    assert texts(loaded, BlockKind.PARAGRAPH) == [
        "It is green now. On Monday Ada wrote:",
        "The gate is painted red by the",
        "joiner from Halden",
        "So it was.",
    ]
    assert texts(loaded, BlockKind.ITEM) == ["- on Mondays", "- on Fridays"]
    assert ">" not in loaded.text


def test_rtf_keeps_headings_lists_and_tables_and_leaves_out_what_is_hidden() -> None:
    loaded = load(RTF, "memo.rtf")
    assert texts(loaded, BlockKind.HEADING) == ["Costs of the plan"]
    assert texts(loaded, BlockKind.PARAGRAPH) == ["The café opens —soon now. При", "After it.", "the link 😀"]
    assert texts(loaded, BlockKind.ITEM) == ["1. First", "2. Second"]
    assert texts(loaded, BlockKind.ROW) == ["Lisbon | 2023: 120"]
    assert loaded.metadata.title == "The Memo"
    assert "SECRET" not in loaded.text


def test_an_opendocument_text_keeps_headings_lists_notes_and_tables() -> None:
    loaded = load(open_document(TEXT), "plan.odt")
    assert texts(loaded, BlockKind.HEADING) == ["The Plan", "Costs"]
    assert texts(loaded, BlockKind.PARAGRAPH) == ["Some text.", "A note."]
    assert texts(loaded, BlockKind.ITEM) == ["1. one", "- deep", "2. two"]
    assert texts(loaded, BlockKind.CAPTION) == ["Table 1: Costs Place"]
    assert texts(loaded, BlockKind.ROW) == ["Lisbon | 2023: 120"]


def test_an_opendocument_sheet_does_not_repeat_its_empty_cells() -> None:
    loaded = load(open_document(SHEET), "sites.ods")
    assert texts(loaded, BlockKind.ROW) == ["Lisbon | 2023: 120"]
    assert texts(loaded, BlockKind.CAPTION) == ["Sites Place"]


def test_opendocument_slides_are_pages_with_notes() -> None:
    loaded = load(open_document(SLIDE), "aims.odp")
    assert loaded.pages == 1
    assert texts(loaded, BlockKind.HEADING) == ["Aims", "Speaker notes"]
    assert texts(loaded, BlockKind.ITEM) == ["- grow"]


def test_a_workbook_with_macros_is_read_like_one_without() -> None:
    book_ = openpyxl.Workbook()
    for row in (["Place", "Cost"], ["Lisbon", 120], ["Porto", 80]):
        book_.active.append(row)
    buffer = io.BytesIO()
    book_.save(buffer)
    loaded = load(buffer.getvalue(), "costs.xlsm")
    assert texts(loaded, BlockKind.ROW) == ["Lisbon | Cost: 120", "Porto | Cost: 80"]


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (deck(), "presentationml.presentation"),
        (book(), "epub+zip"),
        (RTF, "rtf"),
        (open_document(TEXT), "opendocument.text"),
    ],
    ids=["slides", "book", "RTF", "OpenDocument"],
)
def test_each_is_known_by_its_content_whatever_its_name(data: bytes, media_type: str) -> None:
    assert load(data, "unnamed").media_type.endswith(media_type)


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"just words", "a.rtf", "is not an RTF file"),
        (b"just words", "a.eml", "is not an e-mail"),
        (b"just words", "a.pptx", "truncated or damaged"),
        (zipped({"mimetype": "application/epub+zip"}), "a.epub", "does not say where its book is"),
        (zipped({"content.xml": "<a/>"}), "a.odt", "not a whole OpenDocument file"),
        (zipped({"ppt/presentation.xml": "<a/>"}), "a.pptx", "is damaged"),
        (b"{\\rtf1 {\\b }}", "a.rtf", "holds no text"),
    ],
)
def test_what_is_not_what_its_name_says_is_rejected_with_a_reason(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(FileRejected, match=reason):
        load(data, name)
