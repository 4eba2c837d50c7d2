"""Ingest: idempotent, whole or not at all, and unimpressed by broken files."""

import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docmind.corpus.discover import Unreadable, count_files, discover
from docmind.corpus.load import Limits
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, Settings

SCOPE = Scope("w")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "papers"
    made.mkdir()
    for number in range(30):
        sections = "\n\n".join(f"## Part {part}\n\n{'Steel and copper. ' * 40}{number}" for part in range(12))
        (made / f"paper-{number:02}.md").write_text(f"# Paper {number}\n\n{sections}")
    return made


def _state(engine: DocMind) -> tuple[list[str], int, int]:
    """Names of the documents, passages in the catalogue, passages in the index."""
    documents = engine.documents(SCOPE)
    return [document.name for document in documents], sum(d.passages for d in documents), engine.index.count("w")


def test_everything_that_went_in_is_there_once(settings: Settings, folder: Path) -> None:
    with DocMind(settings.model_copy(update={"ingest": IngestSettings(workers=2)})) as engine:
        report = engine.ingest([folder], SCOPE)
        names, in_catalogue, in_index = _state(engine)
    assert (report.added, report.rejected) == (30, [])
    assert len(names) == 30
    assert in_catalogue == in_index == report.passages == 360


def test_every_passage_is_an_exact_slice_of_its_document(engine: DocMind, folder: Path) -> None:
    engine.ingest([folder], SCOPE)
    document = engine.documents(SCOPE)[0]
    text = engine.text(document)
    passages = engine.passages(document)
    assert [passage.ordinal for passage in passages] == list(range(document.passages))
    assert all(passage.span.of(text) == passage.text for passage in passages)


def test_unchanged_files_are_skipped_and_changed_ones_replaced(engine: DocMind, folder: Path) -> None:
    engine.ingest([folder], SCOPE)
    (folder / "paper-07.md").write_text("# Paper 7\n\nAll about zinc now.")
    report = engine.ingest([folder], SCOPE)
    assert (report.added, report.replaced, report.unchanged) == (0, 1, 29)
    names, in_catalogue, in_index = _state(engine)
    assert len(names) == 30
    assert in_catalogue == in_index == 29 * 12 + 1
    assert engine.search("zinc", SCOPE)[0].document.name == "papers/paper-07.md"


def test_a_file_pointed_at_twice_is_read_once(engine: DocMind, folder: Path) -> None:
    report = engine.ingest([folder, folder / "paper-01.md", folder], SCOPE)
    assert report.added == 30


def test_the_same_file_of_two_users_is_two_private_documents(engine: DocMind, folder: Path) -> None:
    alice, bob = Scope("w", "alice"), Scope("w", "bob")
    paper = folder / "paper-00.md"
    engine.ingest([paper], alice)
    assert engine.documents(bob) == []
    assert engine.search("steel", bob) == []
    engine.ingest([paper], bob)
    assert {hit.document.scope for hit in engine.search("steel", bob)} == {bob}
    assert engine.documents(SCOPE) == []


def test_a_deleted_document_is_gone_everywhere(engine: DocMind, folder: Path) -> None:
    engine.ingest([folder], SCOPE)
    engine.delete(["paper-03.md"], SCOPE)
    names, in_catalogue, in_index = _state(engine)
    assert "papers/paper-03.md" not in names
    assert in_catalogue == in_index == 29 * 12
    with pytest.raises(NotFound):
        engine.document("paper-03.md", SCOPE)


def test_broken_files_are_named_with_their_reason_and_the_rest_goes_in(engine: DocMind, folder: Path) -> None:
    (folder / "empty.md").write_bytes(b"")
    (folder / "noise.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    (folder / "noise.bin").write_bytes(bytes(range(256)) * 50)
    (folder / "torn.docx").write_bytes(b"PK\x03\x04 and then nothing of use")
    with zipfile.ZipFile(folder / "papers.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside/good.md", "# Good\n\nTungsten melts last.")
        archive.writestr("../outside.md", "# Bad\n\nI climbed out.")
        archive.writestr("bomb.txt", b"0" * (30 << 20))
    report = engine.ingest([folder], SCOPE)
    rejected = {rejection.name: rejection.reason for rejection in report.rejected}
    assert report.added == 31
    assert rejected.keys() == {
        "papers/empty.md",
        "papers/noise.pdf",
        "papers/noise.bin",
        "papers/torn.docx",
        "papers/papers.zip!../outside.md",
        "papers/papers.zip!bomb.txt",
    }
    assert "empty" in rejected["papers/empty.md"]
    assert "climbs out" in rejected["papers/papers.zip!../outside.md"]
    assert "bomb" in rejected["papers/papers.zip!bomb.txt"]
    assert engine.search("tungsten", SCOPE)[0].document.name == "papers/papers.zip!inside/good.md"


def test_a_path_that_is_not_there_is_said_before_anything_is_read(engine: DocMind, folder: Path) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        engine.ingest([folder, folder / "nowhere"], SCOPE)
    assert engine.documents(SCOPE) == []


def test_links_out_of_the_folder_are_not_followed(engine: DocMind, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n\nDo not read.")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    (folder / "circle").symlink_to(folder)
    assert engine.ingest([folder], SCOPE).added == 30


def test_a_file_whose_name_is_no_text_is_read_all_the_same(engine: DocMind, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md")).write_text("# Menu\n\nCoffee.")
    assert engine.ingest([folder], SCOPE).added == 1
    assert engine.documents(SCOPE)[0].name == "odd/caf\\xe9.md"


def test_two_ingests_at_once_do_not_take_each_other_for_dead(engine: DocMind, folder: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda _: engine.ingest([folder], SCOPE), range(2)))
    assert [report.added + report.unchanged for report in reports] == [30, 30]
    assert sum(report.added for report in reports) == 30
    assert _state(engine)[1:] == (360, 360)


def test_a_folder_that_cannot_be_looked_into_is_named(folder: Path) -> None:
    (folder / "z").mkdir()
    found = discover([folder], Limits())
    assert next(found).name == "papers/paper-00.md"
    (folder / "z").rmdir()
    *_, lost = found
    assert isinstance(lost, Unreadable)
    assert (lost.name, lost.reason) == ("papers/z", "cannot be opened: No such file or directory.")


def test_thousands_of_files_may_be_pointed_at(tmp_path: Path) -> None:
    paths = [tmp_path / str(number) for number in range(5_000)]
    assert count_files([*paths, *paths]) == 5_000
