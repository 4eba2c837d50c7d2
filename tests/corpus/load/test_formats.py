"""Each format becomes the same kind of text: headings, paragraphs, items, code and rows that name their columns."""

import io
from collections.abc import Callable
from typing import Any

import docx
import pytest

from docmind.corpus.load import Limits, load
from docmind.domain.documents import BlockKind, Loaded
from docmind.domain.errors import FileRejected


def texts(loaded: Loaded, kind: BlockKind) -> list[str]:
    return [block.span.of(loaded.text) for block in loaded.blocks if block.kind is kind]


def test_markdown_loses_its_markup_and_keeps_its_words(samples: dict[str, bytes]) -> None:
    loaded = load(samples["handbook.md"], "handbook.md")
    assert texts(loaded, BlockKind.HEADING) == ["Storage."]
    assert (
        texts(loaded, BlockKind.PARAGRAPH)[0] == "Rows live in DynamoDB. See the guide and get_item. They stay there."
    )
    assert texts(loaded, BlockKind.CODE) == ["def f():\n    return 1"]
    assert loaded.metadata.title == "Handbook"


def test_nested_items_are_indented_outside_their_blocks(samples: dict[str, bytes]) -> None:
    loaded = load(samples["handbook.md"], "handbook.md")
    assert texts(loaded, BlockKind.ITEM) == ["- first", "- nested", "- second", "1. one", "2. two"]
    assert "- first\n  - nested\n\nmore about it" in loaded.text


def test_a_bold_line_before_a_table_is_its_caption_and_empty_cells_are_left_out(samples: dict[str, bytes]) -> None:
    loaded = load(samples["handbook.md"], "handbook.md")
    assert texts(loaded, BlockKind.CAPTION) == ["Limits of a table"]
    assert texts(loaded, BlockKind.ROW) == ["Items | Limit: 400 KB", "Size"]


def test_plain_text_has_headings_in_capitals_or_underlined(samples: dict[str, bytes]) -> None:
    loaded = load(samples["notes.txt"], "notes.txt")
    assert texts(loaded, BlockKind.HEADING) == ["MINUTES OF THE MEETING", "Next steps"]
    assert texts(loaded, BlockKind.ITEM) == ["- call", "- write again"]


def test_html_keeps_what_is_read_and_joins_headers_that_span_columns(samples: dict[str, bytes]) -> None:
    loaded = load(samples["fees.html"], "fees.html")
    assert "Home" not in loaded.text
    assert "Imprint" not in loaded.text
    assert texts(loaded, BlockKind.PARAGRAPH) == ["Paid yearly, in advance."]
    assert texts(loaded, BlockKind.ITEM) == ["3. three", "- deep"]
    assert texts(loaded, BlockKind.CAPTION) == ["Fees (in thousands)"]
    assert texts(loaded, BlockKind.ROW) == [
        "Rent | Year ended 2023: 12 | Year ended 2022: 11",
        "Rent | 2023: 12 | 2022: (3)",
    ]


def test_docx_keeps_the_order_of_text_and_tables(samples: dict[str, bytes]) -> None:
    loaded = load(samples["plan.docx"], "plan.docx")
    assert texts(loaded, BlockKind.ITEM) == ["- Lisbon", "- Porto", "1. First", "2. Second"]
    assert texts(loaded, BlockKind.ROW) == ["Lisbon | 2023: 120 | 2024: 90", "Porto | 2024: 80"]
    assert (
        loaded.text.index("Table 1: Costs (in thousands)")
        < loaded.text.index("Porto | 2024")
        < loaded.text.index("all.")
    )
    assert loaded.metadata.title == "Expansion Plan"


def test_a_sheet_shows_whole_numbers_and_iso_dates(samples: dict[str, bytes]) -> None:
    loaded = load(samples["budget.xlsx"], "budget.xlsx")
    assert texts(loaded, BlockKind.CAPTION) == ["Budget Budget 2024 (in thousands)"]
    assert texts(loaded, BlockKind.ROW) == ["Rent | Amount: 117154 | Due: 2024-03-01", "Power | Amount: 2.5"]


def test_csv_delimiter_and_encoding_are_told_from_the_content(samples: dict[str, bytes]) -> None:
    loaded = load(samples["sites.csv"], "sites.csv")
    assert texts(loaded, BlockKind.ROW) == ["North | beds: 12 | town: Köln", "South | beds: 8 | town: Bonn"]
    assert texts(loaded, BlockKind.CAPTION) == ["sites"]


def test_json_records_become_a_table_and_objects_become_headings(samples: dict[str, bytes]) -> None:
    loaded = load(samples["data.json"], "data.json")
    assert texts(loaded, BlockKind.ROW) == ["North | beds: 12", "South | beds: 8"]
    assert texts(loaded, BlockKind.HEADING) == ["owner"]
    assert texts(loaded, BlockKind.PARAGRAPH) == ["title: Sites", "name: Lumen"]


def test_xml_elements_become_headings_and_named_values(samples: dict[str, bytes]) -> None:
    loaded = load(samples["data.xml"], "data.xml")
    assert texts(loaded, BlockKind.PARAGRAPH) == ["id: 7", "name: North", "Open late today"]


def test_a_file_is_read_by_its_content_when_its_extension_is_unknown(samples: dict[str, bytes]) -> None:
    assert load(samples["figures.pdf"], "figures").media_type == "application/pdf"
    assert load(samples["plan.docx"], "plan.bin").media_type.endswith("wordprocessingml.document")
    assert load(samples["fees.html"], "fees.asp").media_type == "text/html"
    assert load(b"Just words.", "README").media_type == "text/plain"


BILLION_LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>"""


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "a.txt", "is empty"),
        (b" \n\n", "a.md", "is empty"),
        (b"\x00\x01\x02" * 50, "a.txt", "binary"),
        (b"GIF89a" + bytes(90), "a.gif", "not in a supported format"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(90), "a.docx", "encrypted or old Office"),
        (b"PK\x03\x04 nonsense", "a.docx", "truncated or damaged"),
        (b"%PDF-1.7 nonsense", "a.pdf", "truncated or damaged"),
        (b"{not json", "a.json", "not valid JSON"),
        (b"[" * 100_000, "a.json", "not valid JSON"),
        (b"<a><b></a>", "a.xml", "not well-formed"),
        (BILLION_LAUGHS, "a.xml", "entities"),
        (b"<html>" + b"<div>" * 220 + b"x", "a.html", "more than 200 deep"),
    ],
)
def test_a_broken_file_is_rejected_with_its_reason(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(FileRejected, match=reason):
        load(data, name)


def test_each_limit_is_named_when_it_is_passed(samples: dict[str, bytes], prose_pdf: Callable[..., bytes]) -> None:
    with pytest.raises(FileRejected, match="has 3 pages; the limit is 2"):
        load(prose_pdf(pages=3), "a.pdf", Limits(max_pages=2))
    with pytest.raises(FileRejected, match="larger than"):
        load(samples["notes.txt"], "a.txt", Limits(max_bytes=10))
    with pytest.raises(FileRejected, match="more than 1 rows"):
        load(samples["sites.csv"], "a.csv", Limits(max_rows=1))
    with pytest.raises(FileRejected, match="more than 20 characters"):
        load(samples["handbook.md"], "a.md", Limits(max_characters=20))


def test_an_office_file_that_is_a_bomb_is_rejected_before_it_is_opened(
    zipped: Callable[[dict[str, bytes]], bytes],
) -> None:
    bomb = zipped({"word/document.xml": bytes(5_000_000)})
    with pytest.raises(FileRejected, match="times its size"):
        load(bomb, "a.docx")


def test_front_matter_is_read_whatever_its_line_ends_and_an_empty_title_is_none() -> None:
    windows = load(b'---\r\ntitle: "The plan"\r\nowner: Ann\r\n---\r\nText.', "a.md")
    assert (windows.metadata.title, windows.text) == ("The plan", "Text.")
    assert load(b"---\ntitle:\nowner: Ann\n---\nText.", "notes.md").metadata.title == "Notes"


def test_text_between_two_rules_at_the_head_of_a_page_is_not_taken_for_front_matter() -> None:
    assert load(b"---\n\nIt matters.\n\n---\n\nThis too.", "a.md").text == "It matters.\n\nThis too."


def test_text_in_html_of_any_kind_within_markdown_is_kept() -> None:
    page = b"<center>\nIn the middle\n</center>\n\n<!-- aside -->\n\n<section>\nIn a section\n</section>\n"
    assert load(page, "a.md").text == "In the middle\n\nIn a section"


def test_a_list_that_counts_from_nought_keeps_its_numbers() -> None:
    assert texts(load(b"0. zero\n1. one\n", "a.md"), BlockKind.ITEM) == ["0. zero", "1. one"]


def test_a_file_that_was_cut_off_within_a_character_is_still_utf_8() -> None:
    whole = "Größe und Länge über Äpfel für Bäcker. " * 3
    assert load(whole.encode() + b"\xc3", "a.txt").text.startswith(whole.strip())


def test_control_characters_that_part_lines_part_words() -> None:
    assert load("one\x0btwo\x85three".encode(), "a.txt").text == "one two three"


def test_a_line_of_json_may_hold_characters_that_part_lines_elsewhere() -> None:
    lines = '{"a": "x\u2028y", "b": 1}\n{"a": "z\x85", "b": 2}\n'
    assert load(lines.encode(), "a.jsonl").text == "x y | b: 1\nz | b: 2"


def test_records_that_share_no_keys_are_no_table() -> None:
    sparse = "[" + ",".join(f'{{"key{n}": {n}}}' for n in range(40)) + "]"
    assert not texts(load(sparse.encode(), "a.json"), BlockKind.ROW)


def test_text_around_nested_elements_is_kept() -> None:
    loaded = load(b"<r><p>Hello <b><i>wide</i></b> world</p></r>", "a.xml")
    assert texts(loaded, BlockKind.PARAGRAPH) == ["Hello", "i: wide", "world"]


def test_a_cell_may_be_as_long_as_a_chapter() -> None:
    assert len(load(b'a,b\nx,"' + b"word " * 50_000 + b'"\n', "a.csv").text) > 200_000


def test_a_column_called_per_cent_keeps_its_name() -> None:
    rows = "Region,%\n" + "North,5\n" * 30
    assert set(texts(load(rows.encode(), "a.csv"), BlockKind.ROW)) == {"North | %: 5"}


def test_a_list_item_in_word_is_indented_so_far_and_no_further(samples: dict[str, bytes]) -> None:
    document = docx.Document(io.BytesIO(samples["plan.docx"]))
    item = next(part for part in document.paragraphs if part.text == "Lisbon")
    properties: Any = item._p.get_or_add_pPr()
    properties.get_or_add_numPr().get_or_add_ilvl().val = 1_000_000
    buffer = io.BytesIO()
    document.save(buffer)
    assert "                - Lisbon" in load(buffer.getvalue(), "plan.docx").text


def test_lines_whose_cells_stand_below_each_other_are_a_table() -> None:
    text = """Call-outs in 2024:
  Kind                   Number   Hours of service
  ---------------------------------------------
  Fires                      7        212
  Technical assistance      19        168
  False alarms               6         14

The longest was a barn fire."""
    loaded = load(text.encode(), "minutes.txt")
    assert [(block.kind, block.span.of(loaded.text)) for block in loaded.blocks] == [
        (BlockKind.PARAGRAPH, "Call-outs in 2024:"),
        (BlockKind.ROW, "Fires | Number: 7 | Hours of service: 212"),
        (BlockKind.ROW, "Technical assistance | Number: 19 | Hours of service: 168"),
        (BlockKind.ROW, "False alarms | Number: 6 | Hours of service: 14"),
        (BlockKind.PARAGRAPH, "The longest was a barn fire."),
    ]


def rows_of(text: str) -> list[str]:
    loaded = load(text.encode(), "list.txt")
    return [block.span.of(loaded.text) for block in loaded.blocks if block.kind is BlockKind.ROW]


def test_a_table_in_plain_text_may_have_an_empty_corner_and_cells_that_do_not_line_up() -> None:
    text = """PRICES (per night)

               Member    Guest
Bed                14       26
Breakfast included  9       11
Soup                6        9"""
    assert rows_of(text) == [
        "Bed | Member: 14 | Guest: 26",
        "Breakfast included | Member: 9 | Guest: 11",
        "Soup | Member: 6 | Guest: 9",
    ]


def test_a_line_that_runs_across_the_columns_of_a_table_is_one_of_its_rows() -> None:
    text = """Weekend     Chief       Helper      Beds
6-7 Dec     V. Amstad   M. Okafor    9
13-14 Dec   L. Bissig               12
20-21 Dec   CLOSED (chimney and water tank)
27-28 Dec   J. Arnold   T. Walker   28
3-4 Jan     J. Arnold   M. Okafor   26"""
    assert rows_of(text)[1:3] == [
        "13-14 Dec | Chief: L. Bissig | Beds: 12",
        "20-21 Dec | Chief: CLOSED (chimney and water tank)",
    ]


def test_a_table_that_begins_with_a_row_of_its_own_has_no_names_of_columns() -> None:
    text = """Warden     Vreni Amstad   079 555 61 20
Deputy     Dario Herger   079 555 34 08
Treasurer  Paul Zurfluh   041 555 72 72"""
    assert rows_of(text)[0] == "Warden | Vreni Amstad | 079 555 61 20"


def test_a_list_in_plain_text_may_follow_a_line_or_a_heading_in_capitals() -> None:
    text = """SKI CLUB
Hut duty, winter 2025

STILL TO DO (all of us)
Friday
 - Turn on the gas.
 - Light the stove.
   It takes four hours."""
    loaded = load(text.encode(), "duty.txt")
    assert [(block.kind, block.span.of(loaded.text)) for block in loaded.blocks] == [
        (BlockKind.HEADING, "SKI CLUB"),
        (BlockKind.PARAGRAPH, "Hut duty, winter 2025"),
        (BlockKind.HEADING, "STILL TO DO (all of us)"),
        (BlockKind.PARAGRAPH, "Friday"),
        (BlockKind.ITEM, "- Turn on the gas."),
        (BlockKind.ITEM, "- Light the stove. It takes four hours."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "From:    Paulo\nTo:      Greta\nDate:    12 March",
        "We met at  nine and left\nat noon.  Then it rained\nfor hours.  Nobody came.",
        "Ring Marlene  on a Tuesday\nor write  to the office\nand wait",
        "a  b\nc  d",
    ],
)
def test_other_lines_stay_a_paragraph(text: str) -> None:
    assert [block.kind for block in load(text.encode(), "note.txt").blocks] == [BlockKind.PARAGRAPH]
