"""Slides, books, e-mails, RTF and OpenDocument made to do harm: each ends in a rejection, or is read without harm."""

from pathlib import Path

import pytest

from docmind.corpus.discover import Unit, Unreadable, discover
from docmind.corpus.load import Limits, load
from docmind.domain.errors import FileRejected
from tests.office_files import book, letter, open_document, zipped

# Whoever hangs is stopped long before the limit of the whole suite.
pytestmark = pytest.mark.timeout(300)

ENTITIES = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><x>&b;</x>"
EXTERNAL = "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><x>&e;</x>"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.pptx", zipped({"ppt/presentation.xml": bytes(20_000_000)})),
        ("a.epub", book(**{"OPS/picture": "x" * 20_000_000})),
        ("a.odt", zipped({"content.xml": bytes(20_000_000)})),
        ("a.odt", zipped({"content.xml": ENTITIES})),
        ("a.odt", zipped({"content.xml": EXTERNAL})),
        ("a.epub", zipped({"META-INF/container.xml": ENTITIES})),
        ("a.odt", open_document(f"<office:text>{'<text:section>' * 300}x{'</text:section>' * 300}</office:text>")),
        ("a.odt", open_document(f"<office:text><text:p>{'<text:a>' * 300}x{'</text:a>' * 300}</text:p></office:text>")),
        ("a.epub", book("<div>" * 5_000 + "x")),
        ("a.rtf", b"{\\rtf1 " + b"{" * 100_000 + b"x" + b"}" * 100_000),
        ("a.rtf", b"{\\rtf1 \\bin999999999 x"),
    ],
    ids=["pptx bomb", "epub bomb", "odt bomb", "entities", "external", "book's entities", "deep sections", "deep spans",
         "deep book", "deep RTF", "endless picture"],
)  # fmt: skip
def test_a_bomb_of_any_of_these_formats_is_rejected(name: str, data: bytes) -> None:
    with pytest.raises(FileRejected):
        load(data, name)


def test_a_sheet_that_says_of_a_row_that_it_stands_a_billion_times_is_rejected() -> None:
    cell = "<table:table-cell><text:p>x</text:p></table:table-cell>"
    row = f'<table:table-row table:number-rows-repeated="9999999">{cell}'
    with pytest.raises(FileRejected, match="more than 1,000 rows"):
        load(
            open_document(
                f"<office:spreadsheet><table:table>{row}</table:table-row></table:table></office:spreadsheet>"
            ),
            "a.ods",
            Limits(max_rows=1_000),
        )


def mail(file: Path, content: bytes) -> list[Unit | Unreadable]:
    file.write_bytes(content)
    return list(discover([file], Limits()))


def test_attachments_have_names_that_lead_nowhere_and_none_twice(tmp_path: Path) -> None:
    content = letter(first=b"Text.", second=b"Text.", third=b"Text.")
    for name, harmful in (
        (b'"first"', b'"../../up.md"'),
        (b'"second"', b'"C:\\\\a\\\\up.md"'),
        (b'"third"', b'"a!b.md"'),
    ):
        content = content.replace(name, harmful)
    names = [one.name for one in mail(tmp_path / "a.eml", content)]
    assert names == ["a.eml", "a.eml!up.md", "a.eml!2-up.md", "a.eml!a-b.md"]


def test_an_archive_in_an_email_is_not_opened(tmp_path: Path) -> None:
    _, attached = mail(tmp_path / "a.eml", letter(all_zip=zipped({"a.md": "Text."})))
    assert isinstance(attached, Unreadable)
    assert attached.reason == "is an archive inside an e-mail; save it as a file and ingest that."


def test_an_email_of_parts_within_parts_harms_nobody(tmp_path: Path) -> None:
    parts = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(2_000))
    for content in (b"Subject: x\n" + parts, b"Subject: x\n" + b"Content-Type: message/rfc822\n\n" * 2_000 + b"name=x"):
        for one in mail(tmp_path / "a.eml", content):
            assert one.name.startswith("a.eml")


def test_a_header_made_to_keep_a_parser_busy_does_not_keep_the_other_files_from_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docmind.corpus.discover.TIMEOUT_S", 1.0)
    (tmp_path / "z.md").write_text("Text.")
    header = b'Content-Disposition: attachment; filename="' + b";" * 3_000_000
    (tmp_path / "a.eml").write_bytes(
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + header + b"\n\nx"
    )
    found = {one.name.rpartition("/")[2]: one for one in discover([tmp_path], Limits())}
    assert isinstance(found["z.md"], Unit)
    assert "a.eml" in found
