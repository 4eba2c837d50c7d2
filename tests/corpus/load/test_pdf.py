"""PDF files: tables with and without ruling lines, headings, running lines, and files that cannot be read."""

from collections.abc import Callable

import pytest

from docmind.corpus.load import Limits, load
from docmind.domain.documents import BlockKind, Loaded
from docmind.domain.errors import FileRejected


@pytest.fixture(scope="module")
def figures(samples: dict[str, bytes]) -> Loaded:
    return load(samples["figures.pdf"], "figures.pdf")


def texts(loaded: Loaded, kind: BlockKind) -> list[str]:
    return [block.span.of(loaded.text) for block in loaded.blocks if block.kind is kind]


def test_an_unruled_statement_names_periods_and_sections_in_every_row(figures: Loaded) -> None:
    assert texts(figures, BlockKind.ROW)[:4] == [
        "Revenue:",
        "Revenue: Products | Year Ended December 31, 2023: $1,204 | Year Ended December 31, 2022: $1,100",
        "Revenue: Services | Year Ended December 31, 2023: $(86) | Year Ended December 31, 2022: $40",
        "Total revenue | Year Ended December 31, 2023: $1,118 | Year Ended December 31, 2022: $1,140",
    ]


def test_the_unit_line_above_a_table_is_its_caption(figures: Loaded) -> None:
    assert texts(figures, BlockKind.CAPTION) == ["(In millions, except per share amounts)"]


def test_a_ruled_table_is_read_by_its_lines(figures: Loaded) -> None:
    assert texts(figures, BlockKind.ROW)[4:] == ["Sales | People: 12", "Legal | People: 3"]


def test_every_block_knows_its_page_and_rows_know_their_table(figures: Loaded) -> None:
    assert figures.pages == 3
    assert {block.page for block in figures.blocks} == {1, 2, 3}
    assert {block.table for block in figures.blocks if block.kind is BlockKind.ROW} == {1, 2}


def test_large_text_is_a_heading_and_running_lines_are_dropped(figures: Loaded) -> None:
    assert texts(figures, BlockKind.HEADING) == ["Income statement", "Staff"]
    assert "Annual Figures |" not in figures.text


def test_a_word_parted_at_the_end_of_a_line_is_whole_again(figures: Loaded) -> None:
    assert "came to a decision about the lease" in figures.text


def test_an_encrypted_pdf_is_rejected_with_what_to_do(prose_pdf: Callable[..., bytes]) -> None:
    with pytest.raises(FileRejected, match="is encrypted; remove the password"):
        load(prose_pdf(password="secret"), "a.pdf")


def test_a_truncated_pdf_is_rejected_or_read_as_far_as_it_is_whole(samples: dict[str, bytes]) -> None:
    with pytest.raises(FileRejected, match="truncated or damaged"):
        load(samples["figures.pdf"][:300], "a.pdf")


def test_a_pdf_of_images_alone_asks_for_text_recognition(image_pdf: bytes) -> None:
    with pytest.raises(FileRejected, match="OCR"):
        load(image_pdf, "scan.pdf", Limits(ocr="none"))


def _one_page(mapped: bytes, title: bytes = b"()") -> bytes:
    """A page that draws A, B, B, A, with `mapped` (UTF-16 in hexadecimal) as what A stands for."""
    drawn = b"BT /F 20 Tf 20 200 Td (ABBA) Tj ET"
    meaning = (
        b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
        b"2 beginbfchar <41> <" + mapped + b"> <42> <0062> endbfchar endcmap"
    )
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(meaning), meaning),
        b"<</Title %s>>" % title,
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, content) for number, content in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Size 8/Root 1 0 R/Info 7 0 R>>\n%%EOF"


def test_letters_beyond_the_basic_plane_are_whole() -> None:
    assert load(_one_page(b"D835DC65"), "a.pdf").text == "\U0001d465bb\U0001d465"


def test_a_title_that_is_no_text_does_not_cost_the_document() -> None:
    loaded = load(_one_page(b"0061", b"<FEFFD8000041>"), "the-plan.pdf")
    assert (loaded.metadata.title, loaded.text) == ("The plan", "abba")
