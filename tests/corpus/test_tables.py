"""The catalogue's tables: what older versions made is brought up to date, what newer ones made is refused."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from docmind.corpus.catalogue import open_catalogue
from docmind.corpus.tables import DOCUMENTS, ONE_READY, SCHEMA, Version, document_row
from docmind.database import open_database
from docmind.domain.documents import Document, Metadata
from docmind.domain.errors import StoreError, StoreMismatch
from docmind.domain.scope import Scope

SCOPE = Scope("w")


def _document(identifier: str, year: int = 2026) -> Document:
    facts = ("/a.md", "a.md", identifier, "text/markdown", Metadata(), None, 5, 0)
    return Document(identifier, SCOPE, *facts, ingested_at=f"{year}-01-01T00:00:00+00:00")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest) -> str | None:
    found: str | None = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return found


@pytest.fixture
def database(url: str | None, tmp_path: Path) -> Iterator[sa.Engine]:
    engine = open_database(url, tmp_path / "catalogue.db", SCHEMA, holds="The catalogue")
    yield engine
    engine.dispose()


def test_a_catalogue_of_the_first_version_keeps_the_newest_of_each_source(
    database: sa.Engine, url: str | None, tmp_path: Path
) -> None:
    with database.begin() as connection:
        ONE_READY.drop(connection)
        connection.exec_driver_sql("DROP TABLE table_versions")
        connection.exec_driver_sql("ALTER TABLE passages DROP COLUMN facts")
        for identifier, year in (("old", 2024), ("new", 2026), ("older", 2023)):
            connection.execute(DOCUMENTS.insert(), document_row(_document(identifier, year), "r", "ready"))
    for _ in range(2):
        with closing(open_catalogue(url, tmp_path)) as catalogue:
            assert [document.id for document in catalogue.documents(SCOPE)] == ["new"]
            assert sorted(catalogue.leftovers(shared=True)["w"]) == ["old", "older"]
            assert catalogue.passages_of("new") == []


def test_a_catalogue_from_before_web_pages_were_read_opens_and_keeps_what_their_servers_say(
    database: sa.Engine, url: str | None, tmp_path: Path
) -> None:
    with database.begin() as connection:
        connection.execute(DOCUMENTS.insert(), document_row(_document("d1"), "r", "ready"))
        connection.exec_driver_sql("DROP TABLE web_versions")
        connection.exec_driver_sql("DELETE FROM table_versions WHERE name = 'web_versions'")
    with closing(open_catalogue(url, tmp_path)) as catalogue:
        assert catalogue.version(SCOPE, "/a.md") is None
        catalogue.note_version("d1", Version('W/"1"'))
        assert catalogue.version(SCOPE, "/a.md") == ("d1", Version('W/"1"'))


def test_a_source_cannot_have_two_versions_that_are_seen(database: sa.Engine) -> None:
    rows = [document_row(_document(identifier), "r", "ready") for identifier in ("one", "two")]
    with pytest.raises(StoreError, match="The catalogue failed"), database.begin() as connection:
        connection.execute(DOCUMENTS.insert(), rows)


def test_processes_that_bring_in_the_same_source_leave_one_version(url: str | None, tmp_path: Path) -> None:
    def bring_in(identifier: str) -> None:
        with closing(open_catalogue(url, tmp_path)) as catalogue:
            for number in range(10):
                catalogue.begin(_document(f"{identifier}{number}"), "r", "text", [])
                catalogue.commit([f"{identifier}{number}"])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(bring_in, "abcd"))
    with closing(open_catalogue(url, tmp_path)) as catalogue:
        assert len(list(catalogue.documents(SCOPE))) == 1
        assert len(catalogue.leftovers(shared=False)["w"]) == 39


def test_a_catalogue_of_a_newer_version_is_refused(database: sa.Engine, url: str | None, tmp_path: Path) -> None:
    with database.begin() as connection:
        connection.exec_driver_sql("UPDATE table_versions SET version = 99 WHERE name = 'documents'")
    with pytest.raises(StoreMismatch, match="made by a newer version of DocMind: its table 'documents' has version 99"):
        open_catalogue(url, tmp_path)
