"""The catalogue shows whole documents of one's own scope, and nothing else, on SQLite and on PostgreSQL."""

import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from docmind.corpus.catalogue import Catalogue, open_catalogue
from docmind.corpus.tables import SCHEMA, Version
from docmind.database import open_database
from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.errors import NotFound, StoreError, StoreUnavailable
from docmind.domain.scope import Scope

ALICE, BOB, EVERYONE = Scope("w", "alice"), Scope("w", "bob"), Scope("w")


def _document(identifier: str, scope: Scope = EVERYONE, source: str = "/docs/a.md", content: str = "x") -> Document:
    return Document(
        id=identifier,
        scope=scope,
        source=source,
        name=source.rpartition("/")[2],
        content_hash=content,
        media_type="text/markdown",
        metadata=Metadata(title="A", fiscal_year=2023),
        pages=None,
        characters=11,
        passages=1,
        ingested_at="2026-01-01T00:00:00+00:00",
    )


def _passage(document: Document) -> Passage:
    return Passage(f"{document.id}-0", document.id, 0, Span(0, 5), "Hello", ("A", "B"), 2, "text")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def catalogue(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalogue]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    with closing(open_catalogue(url, tmp_path)) as opened:
        yield opened


def _add(catalogue: Catalogue, document: Document) -> list[str]:
    catalogue.begin(document, "r", "Hello world", [_passage(document)])
    return catalogue.commit([document.id]) or []


def test_what_went_in_comes_out_equal(catalogue: Catalogue) -> None:
    document = _document("d1", ALICE)
    _add(catalogue, document)
    assert list(catalogue.documents(ALICE)) == [document]
    assert catalogue.text("d1") == "Hello world"
    assert catalogue.passages_of("d1") == [_passage(document)]
    assert catalogue.fetch(ALICE, ["d1-0"]) == {"d1-0": (_passage(document), document)}


def test_reports_are_those_of_companies_in_ones_scope_newest_first_the_same_once(catalogue: Catalogue) -> None:
    old, new = Metadata(company="Anvil plc", fiscal_year=2022, date="2022-12-31"), Metadata(company="Anvil plc")
    latest = Metadata(company="Anvil plc", ticker="ANV", fiscal_year=2023, quarter=2, date="2023-06-30")
    told = {"d1": old, "d2": latest, "d3": replace(latest, title="The same"), "d4": new, "d5": Metadata(title="B")}
    for name, metadata in told.items():
        _add(catalogue, replace(_document(name, source=f"/docs/{name}.md"), metadata=metadata))
    hidden = replace(_document("d6", BOB, source="/docs/d6.md"), metadata=Metadata(company="Bellows AG"))
    _add(catalogue, hidden)
    assert catalogue.reports(ALICE) == [latest, old, new]


def test_a_document_is_invisible_until_it_is_committed(catalogue: Catalogue) -> None:
    document = _document("d1")
    catalogue.begin(document, "r", "Hello world", [_passage(document)])
    assert list(catalogue.documents(EVERYONE)) == []
    assert catalogue.fetch(EVERYONE, ["d1-0"]) == {}
    assert catalogue.leftovers(shared=False) == {"w": ["d1"]}


def test_a_new_version_takes_the_place_of_the_old_at_once(catalogue: Catalogue) -> None:
    _add(catalogue, _document("d1", content="old"))
    assert _add(catalogue, _document("d2", content="new")) == ["d1"]
    assert [document.id for document in catalogue.documents(EVERYONE)] == ["d2"]
    assert catalogue.leftovers(shared=False) == {"w": ["d1"]}
    catalogue.forget(["d1"])
    assert catalogue.leftovers(shared=False) == {}


def test_the_same_source_of_two_owners_is_two_documents(catalogue: Catalogue) -> None:
    for identifier, scope in (("d1", ALICE), ("d2", BOB), ("d3", EVERYONE)):
        assert _add(catalogue, _document(identifier, scope)) == []
    assert [document.id for document in catalogue.documents(ALICE)] == ["d1", "d3"]
    assert [document.id for document in catalogue.documents(EVERYONE)] == ["d3"]
    assert list(catalogue.documents(Scope("other", "alice"))) == []
    assert catalogue.fetch(BOB, ["d1-0"]) == {}


def test_what_a_server_said_of_a_web_page_is_kept_with_its_document_and_goes_with_it(catalogue: Catalogue) -> None:
    page = "https://example.org/ü?a=1"
    _add(catalogue, _document("d1", ALICE, page, "old"))
    assert catalogue.version(ALICE, page) is None
    for version in (Version("first"), Version('W/"ü"', "Mon, 02 Mar 2026 00:00:00 GMT")):
        catalogue.note_version("d1", version)
        assert catalogue.version(ALICE, page) == ("old", version)
    assert catalogue.version(BOB, page) is catalogue.version(EVERYONE, page) is None
    catalogue.retire(["d1"])
    assert catalogue.version(ALICE, page) is None
    catalogue.forget(["d1"])
    _add(catalogue, _document("d1", ALICE, page, "new"))
    assert catalogue.version(ALICE, page) is None


def test_it_is_told_of_each_workspace_that_documents_came_or_went(catalogue: Catalogue) -> None:
    assert catalogue.changes() == {}
    _add(catalogue, _document("d1"))
    first = catalogue.changes()
    assert set(first) == {"w"}
    assert catalogue.changes() == first
    _add(catalogue, _document("d2", ALICE))
    second = catalogue.changes()
    assert second["w"] != first["w"]
    catalogue.retire(["d2"])
    assert catalogue.changes() == first


def test_the_places_of_passages_are_told_in_reading_order(catalogue: Catalogue) -> None:
    document = _document("d1")
    second = replace(_passage(document), id="d1-1", ordinal=1, span=Span(6, 11), page=None)
    catalogue.begin(document, "r", "Hello world", [second, _passage(document)])
    assert catalogue.passage_places("d1") == []
    catalogue.commit(["d1"])
    assert catalogue.passage_places("d1") == [(Span(0, 5), 2), (Span(6, 11), None)]


def test_a_document_is_found_by_id_prefix_and_name_within_the_scope(catalogue: Catalogue) -> None:
    _add(catalogue, _document("abc1", source="/x/report.pdf"))
    _add(catalogue, _document("abd2", ALICE, source="/y/notes.md"))
    assert catalogue.find(EVERYONE, "report.pdf").id == "abc1"
    assert catalogue.find(ALICE, "abd").id == "abd2"
    with pytest.raises(NotFound, match="is ambiguous"):
        catalogue.find(ALICE, "ab")
    with pytest.raises(NotFound, match=r"no document 'notes\.md'"):
        catalogue.find(BOB, "notes.md")


@pytest.mark.parametrize("reference", ["%", "_", "d\0", "d\udce9", ""])
def test_a_reference_that_no_name_can_be_finds_nothing(catalogue: Catalogue, reference: str) -> None:
    _add(catalogue, _document("d1"))
    _add(catalogue, _document("d2", source="/docs/b.md"))
    with pytest.raises(NotFound):
        catalogue.find(EVERYONE, reference)


def test_a_long_document_of_any_script_comes_out_as_it_went_in(catalogue: Catalogue) -> None:
    document = replace(_document("d1"), metadata=Metadata(title='Größe "1" \\ 大 😀', company="Æ & Søn"), passages=3000)
    text = "Straße 大阪 😀 'quoted' \\ % _ \u2028"
    passages = [
        replace(_passage(document), id=f"d1-{n}", ordinal=n, text=text, heading=(text, "")) for n in range(3000)
    ]
    catalogue.begin(document, "r", text * 3000, passages)
    catalogue.commit(["d1"])
    assert list(catalogue.documents(EVERYONE)) == [document]
    assert catalogue.passages_of("d1") == passages
    assert catalogue.text("d1") == text * 3000
    assert len(catalogue.fetch(EVERYONE, [passage.id for passage in passages])) == 3000


def test_only_the_same_content_read_the_same_way_is_current(catalogue: Catalogue) -> None:
    _add(catalogue, _document("d1", content="x"))
    assert catalogue.current(EVERYONE, "/docs/a.md", "x", "r") == "d1"
    assert catalogue.current(EVERYONE, "/docs/a.md", "y", "r") is None
    assert catalogue.current(EVERYONE, "/docs/a.md", "x", "another way") is None
    assert catalogue.current(ALICE, "/docs/a.md", "x", "r") is None


def test_a_document_of_the_first_version_is_current_whichever_embedder_it_named(catalogue: Catalogue) -> None:
    document = _document("d1", content="x")
    catalogue.begin(document, "7:minilm@00000000", "Hello world", [_passage(document)])
    catalogue.commit(["d1"])
    assert catalogue.current(EVERYONE, "/docs/a.md", "x", "7") == "d1"
    assert catalogue.current(EVERYONE, "/docs/a.md", "x", "8") is None


def test_documents_are_not_made_visible_with_vectors_that_nobody_searches_by(catalogue: Catalogue) -> None:
    document = _document("d1")
    catalogue.begin(document, "r", "Hello world", [_passage(document)])
    assert catalogue.commit(["d1"], (document.scope.workspace, "another")) is None
    assert list(catalogue.documents(EVERYONE)) == []
    assert catalogue.commit(["d1"], (document.scope.workspace, None)) == []


def test_pending_documents_of_a_live_process_are_left_alone_in_a_shared_store(catalogue: Catalogue) -> None:
    old = _document("d1")
    fresh = replace(old, id="d2", ingested_at="2999")
    for document in (old, fresh):
        catalogue.begin(document, "r", "Hello world", [_passage(document)])
    assert catalogue.leftovers(shared=True) == {"w": ["d1"]}


def test_many_threads_write_and_read_at_once(catalogue: Catalogue) -> None:
    documents = [_document(f"d{n}", source=f"/docs/{n}.md") for n in range(24)]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda document: _add(catalogue, document), documents)) == [[]] * 24
    assert catalogue.count(EVERYONE) == (24, 24)


@pytest.mark.services
def test_processes_that_start_together_on_an_empty_database_all_open_it(postgres_url: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        opened = list(threads.map(lambda _: open_catalogue(postgres_url, tmp_path), range(8)))
    for each in opened:
        assert each.workspaces() == {}
        each.close()


@pytest.mark.services
def test_a_connection_that_the_server_closed_is_replaced(postgres_url: str, tmp_path: Path) -> None:
    import psycopg

    with closing(open_catalogue(f"{postgres_url}&application_name=victim", tmp_path)) as catalogue:
        _add(catalogue, _document("d1"))
        with psycopg.connect(postgres_url) as other:
            victims = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'"
            assert other.execute(victims).fetchall() == [(True,)]
        assert catalogue.count(EVERYONE) == (1, 1)


def test_a_server_that_does_not_answer_is_said_so_without_the_password(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="needs pip install 'docmind[postgres]'")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(StoreUnavailable, match=f"port {port} failed") as refused:
        open_catalogue(f"postgresql://me:swordfish@127.0.0.1:{port}/docs", tmp_path)
    assert refused.value.retryable
    assert "swordfish" not in str(refused.value)


@pytest.mark.parametrize("url", ["mysql://me:swordfish@host/docs", "swordfish", "postgresql://me:swordfish@[::1"])
def test_what_is_no_address_of_a_database_is_refused_and_not_repeated(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="postgresql://user@host/name") as refused:
        open_catalogue(url, tmp_path)
    assert "swordfish" not in str(refused.value)


def test_a_damaged_catalogue_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "catalogue.db").write_bytes(b"this is not a database, whatever its name says" * 100)
    with pytest.raises(StoreError, match="damaged"):
        open_catalogue(None, tmp_path)


def test_an_exact_name_goes_before_names_that_end_so(catalogue: Catalogue) -> None:
    for number in range(8):
        inner = replace(_document(f"a{number}", source=f"/x/{number}/plan.md"), name=f"x/{number}/plan.md")
        _add(catalogue, inner)
    _add(catalogue, _document("b", source="/plan.md"))
    assert catalogue.find(EVERYONE, "plan.md").id == "b"
    assert catalogue.find(EVERYONE, "x/3/plan.md").id == "a3"


def test_no_reference_at_all_is_not_the_only_document(catalogue: Catalogue) -> None:
    _add(catalogue, _document("d1"))
    with pytest.raises(NotFound):
        catalogue.find(EVERYONE, "")


def test_a_retired_document_shows_neither_text_nor_passages(catalogue: Catalogue) -> None:
    _add(catalogue, _document("d1"))
    catalogue.retire(["d1"])
    with pytest.raises(NotFound):
        catalogue.text("d1")
    assert catalogue.passages_of("d1") == []


def test_a_document_that_was_removed_meanwhile_is_not_committed_in_silence(catalogue: Catalogue) -> None:
    for identifier in ("d1", "d2"):
        document = _document(identifier, source=f"/{identifier}.md")
        catalogue.begin(document, "r", "Hello world", [_passage(document)])
    catalogue.forget(["d1"])
    with pytest.raises(StoreError, match="took these documents for abandoned"):
        catalogue.commit(["d1", "d2"])
    assert list(catalogue.documents(EVERYONE)) == []


def test_any_number_of_documents_is_retired_and_forgotten(catalogue: Catalogue) -> None:
    _add(catalogue, _document("d1"))
    many = [f"d{number}" for number in range(70_000)]
    catalogue.retire(many)
    assert list(catalogue.documents(EVERYONE)) == []
    catalogue.forget(many)
    assert catalogue.leftovers(shared=False) == {}


def test_a_data_folder_may_be_called_anything(tmp_path: Path) -> None:
    root = tmp_path / "what? 50%41 & more"
    with closing(open_catalogue(None, root)) as catalogue:
        _add(catalogue, _document("d1"))
    assert (root / "catalogue.db").is_file()


def test_a_commit_takes_no_more_steps_in_a_large_catalogue_than_in_a_small_one(tmp_path: Path) -> None:
    engine = open_database(None, tmp_path / "catalogue.db", SCHEMA, holds="The catalogue")
    steps, phase = Counter[str](), "opening"
    sa.event.listen(engine, "checkout", lambda connection, *_: connection.set_progress_handler(count, 1))

    def count() -> None:
        steps[phase] += 1

    with closing(Catalogue(engine)) as catalogue:
        for number in range(302):
            document = _document(f"d{number}", source=f"/{number}.md")
            catalogue.begin(document, "r", "Hello world", [_passage(document)])
            phase = {1: "small", 301: "large"}.get(number, "other")
            catalogue.commit([document.id])
            phase = "other"
    assert steps["large"] < 1.5 * steps["small"]
