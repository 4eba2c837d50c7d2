"""Files made to do harm: each ends in a rejection with its reason, soon, and the honest file beside it is read."""

import gzip
import io
import os
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.corpus.discover import Unit, Unreadable, discover
from docmind.corpus.load import Limits, Member, Rejected, expand, load
from docmind.corpus.originals import upload_name
from docmind.domain.errors import FileRejected

# Whoever hangs is stopped long before the limit of the whole suite.
pytestmark = pytest.mark.timeout(300)

OVERRIDE = "\u202e"


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def listing(count: int, name: bytes = b"a.txt") -> bytes:
    """An archive that is nothing but a directory: 51 bytes a member, none of which is there."""
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0x21, 0, 0, 0, len(name), 0, 0, 0, 0, 0, 0)
    most = min(count, 0xFFFF)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, most, most, count * len(entry + name), 0, 0)
    return (entry + name) * count + end


def outcomes(data: bytes) -> dict[str, str]:
    return {one.name: one.reason if isinstance(one, Rejected) else "" for one in expand(data, Limits())}


def test_a_directory_of_a_million_members_is_not_even_read(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.write_bytes(listing(1_000_000))
    (found,) = discover([archive], Limits())
    assert isinstance(found, Unreadable)
    assert found.reason == "has a directory of 49 MB; the limit is 10 MB."
    with pytest.raises(FileRejected, match="has a directory of 49 MB"):
        load(archive.read_bytes(), "a.docx")


def test_a_directory_that_fits_is_counted_before_any_member_is_read() -> None:
    with pytest.raises(FileRejected, match="holds 20,000 files; the limit is 10,000"):
        outcomes(listing(20_000))


def test_archives_within_archives_are_not_opened_however_they_are_called() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    inner = zipped({"a.txt": b"x"})
    found = outcomes(zipped({"a.gz": bomb, "b.zip": inner, "C.ZIP": inner, "good.txt": b"Text."}))
    assert found == {"a.gz": "", "b.zip": found["b.zip"], "C.ZIP": found["b.zip"], "good.txt": ""}
    assert "an archive inside an archive" in found["b.zip"]
    for name, data in (("a.gz", bomb), ("a.bin", inner), ("a.txt", inner)):
        with pytest.raises(FileRejected, match=r"not in a supported format|is a ZIP file"):
            load(data, name)


def office(kind: str, part: bytes) -> bytes:
    return zipped({"[Content_Types].xml": b"<Types/>", kind: part})


ENTITIES = b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + b"".join(
    b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(10)
)
EXTERNAL = b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><x>Text &e; here</x>"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.docx", office("word/document.xml", bytes(20_000_000))),
        ("a.xlsx", office("xl/workbook.xml", bytes(20_000_000))),
        ("a.xml", ENTITIES + b"]><x>&k;</x>"),
        ("a.json", b"[" * 200_000 + b"]" * 200_000),
        ("a.json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
        ("a.xml", b"<a>" * 100_000 + b"x" + b"</a>" * 100_000),
        ("a.html", b"<div>" * 5_000 + b"x"),
    ],
    ids=["docx bomb", "xlsx bomb", "entities", "deep lists", "deep objects", "deep XML", "deep HTML"],
)
def test_a_bomb_of_any_format_is_rejected(name: str, data: bytes) -> None:
    with pytest.raises(FileRejected):
        load(data, name)


def test_what_xml_refers_to_is_not_fetched() -> None:
    try:
        text = load(EXTERNAL, "a.xml").text
    except FileRejected:
        return
    assert Path("/etc/hostname").read_text().strip() not in text


def test_a_stream_of_a_pdf_that_unpacks_for_ever_is_rejected_or_read() -> None:
    from zlib import compress

    stream = compress(b"0 0 m 1 1 l S\n" * 100_000)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    body = b"%PDF-1.7\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, each) for n, each in enumerate(objects, start=1))
    with pytest.raises(FileRejected):
        load(body + b"trailer << /Root 1 0 R >>\n%%EOF", "a.pdf")


NAMES = st.sampled_from(
    ["../up.txt", "/etc/passwd", "C:\\x.txt", "a\\..\\b.txt", "CON", "-rf.txt", "--help", "~/x.txt", "$(id).txt",
     "a\nb.txt", f"a{OVERRIDE}txt.exe", "\x1b[2J.md", "💣.md", "a" * 10_000 + ".md", "%2e%2e%2fx.md", "%s%n.md",
     "{0.__class__}.md", "upload:x.md", "a!b!c.md", ".hidden.md", "a\0b.md", "'; DROP TABLE documents; --.md",
     "．．/ｕｐ.md"]
)  # fmt: skip


@settings(max_examples=40)
@given(name=NAMES, other=st.text(min_size=1, max_size=30))
def test_no_name_in_an_archive_or_upload_leads_anywhere(name: str, other: str) -> None:
    for given_name in (name, name + other, other):
        shown = upload_name(given_name)
        assert shown
        assert not shown.startswith("/")
        assert ".." not in shown.split("/")
        assert shown.isprintable()
        assert len(shown) <= 200
    plain = name.encode("utf-8", "replace").decode()
    for member in expand(zipped({plain: b"Text."}), Limits()):
        if isinstance(member, Member):
            assert ".." not in member.name.split("/")
            assert not member.name.startswith("/")
            assert "\\" not in member.name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One honest paper among things that never end, lead in a circle or lead out."""
    root = tmp_path / "folder"
    (root / "below").mkdir(parents=True)
    (tmp_path / "secret.md").write_text("Secret.")
    (root / "good.md").write_text("Text.")
    (root / "below" / "up").symlink_to(root)
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "away").symlink_to(tmp_path)
    (root / "itself.md").symlink_to(root / "itself.md")
    os.mkfifo(root / "pipe.md")
    return root


def test_of_a_folder_only_its_own_files_are_read(folder: Path) -> None:
    found = list(discover([folder], Limits()))
    assert [one.name for one in found] == ["folder/good.md"]


@pytest.mark.parametrize("name", ["pipe.md", "pipe.zip"])
def test_a_pipe_or_device_that_is_pointed_at_is_rejected_and_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    for path in (tmp_path / name, Path("/dev/zero")):
        (found,) = discover([path], Limits())
        assert isinstance(found, Unreadable)
        assert found.reason == "is neither a file nor a folder; a pipe or a device may never end."


def test_a_file_that_grows_while_it_is_read_is_held_to_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("Text.")
    limits = Limits(max_bytes=1_000)
    (found,) = discover([file], limits)
    assert isinstance(found, Unit)
    file.write_text("Text. " * 1_000)
    with pytest.raises(FileRejected, match="is larger than"):
        load(found.read(), found.name, limits)


def test_what_a_page_hides_from_its_reader_is_not_read() -> None:
    page = """<html><head><title>Gate</title><style>.x { color: red }</style></head><body>
    <h1>Gate<span style="display: none">SECRET</span></h1><p>Opens <b hidden>SECRET</b>at seven.</p>
    <p style="color: red; font-size: 0px">SECRET</p><p style="VISIBILITY:hidden">SECRET</p>
    <p style="opacity:0">SECRET</p><p style="opacity: 0.5; font-size: 0.8em">Closes at nine.</p>
    <table><tr><th>Day</th><th>Hour</th></tr><tr><td>Monday<script>SECRET</script></td>
    <td>7<i hidden>SECRET</i></td></tr></table><pre>x<span style="display:none">SECRET</span>y</pre>
    <!-- SECRET --><template>SECRET</template></body></html>"""
    text = load(page.encode(), "a.html").text
    assert "SECRET" not in text
    assert all(seen in text for seen in ("Gate", "Opens at seven.", "Closes at nine.", "Monday", "xy"))
