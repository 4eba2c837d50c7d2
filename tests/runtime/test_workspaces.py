"""Workspaces are made empty, listed with what they hold, and deleted with everything."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from docmind.corpus.load.limits import Limits
from docmind.domain.answers import Status
from docmind.domain.errors import InvalidScope, NotFound, StoreLocked
from docmind.domain.scope import Role, Scope
from docmind.memory.recollections import Recollection
from docmind.runtime.engine import DocMind
from docmind.runtime.workspaces import Workspace
from docmind.settings import DatabaseSettings, IndexSettings, IngestSettings, ModelSettings, Settings
from tests.stores import copied, without_sockets

HERON, ADA, OTHER = Scope("heron"), Scope("heron", "ada"), Scope("other")
BUDGET = "What is the capital budget of Project Heron?"
PAPERS = {
    "board.md": "# Board paper\n\nThe capital budget of Project Heron is EUR 42.0 million.\n",
    "minutes.md": "# Minutes\n\nThe capital budget of Project Heron is EUR 47.5 million.\n",
    "ada.md": "# Ada's notes\n\nThe lease of the hall ends in May.\n",
    "soup.md": "# Cafeteria\n\nThe cafeteria serves soup.\n",
}
TABLE = "name,kind,latitude,longitude\nHeron Clinic,clinic,52.66,-8.63\n"


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    for name, text in PAPERS.items():
        (folder / name).write_text(text)
    (folder / "clinics.csv").write_text(TABLE)
    return folder


@pytest.fixture(scope="module")
def two(papers: Path) -> Path:
    """The data folder of an installation with two workspaces, one of them with all that there can be in one."""
    with DocMind(chosen(papers / "data")) as engine:
        engine.ingest([papers / "board.md", papers / "minutes.md"], HERON)
        engine.ingest([papers / "ada.md"], ADA)
        engine.ingest([papers / "soup.md"], OTHER)
        engine.facilities.import_table(papers / "clinics.csv", HERON, Limits())
        engine.run(BUDGET, HERON)
        engine.run("When does the lease end?", ADA)
        # It waits for a person, so its checkpoints are kept.
        assert engine.run(BUDGET, HERON, workflow="strategy").status is Status.NEEDS_CLARIFICATION
        engine.run("What does the cafeteria serve?", OTHER)
        for scope in (ADA, OTHER):
            asyncio.run(engine.aremember(Recollection("Which hall?", "Which hall?", "The eastern."), scope, "s"))
    return papers / "data"


@pytest.fixture
def data(two: Path, tmp_path: Path) -> Path:
    return copied(two, tmp_path / "data")


@pytest.fixture
def filled(data: Path) -> Iterator[DocMind]:
    with DocMind(chosen(data)) as engine:
        yield engine


def chosen(data: Path, **servers: Any) -> Settings:
    embedder, ingest = ModelSettings(embedder="static"), IngestSettings(workers=1)
    return Settings(data_dir=data, models=embedder, ingest=ingest, **servers)


def rows(data: Path, file: str, table: str) -> int:
    with closing(sqlite3.connect(data / file)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def left(data: Path) -> dict[str, int]:
    """What the files of an installation hold."""
    places = {
        "catalogue.db": ("documents", "texts", "passages", "facilities", "facility_tables", "workspaces"),
        "runs.db": ("runs", "run_records"),
        "checkpoints.db": ("checkpoints", "writes"),
        "memory.db": ("conversation_memory",),
    }
    return {table: rows(data, file, table) for file, tables in places.items() for table in tables}


def test_a_workspace_is_listed_while_it_is_empty_and_with_what_it_holds(filled: DocMind) -> None:
    assert filled.create_workspace("empty") == filled.create_workspace("empty") == Workspace("empty", 0, 0, 0)
    assert filled.workspaces() == [
        Workspace("empty", 0, 0, 0), Workspace("heron", 3, 3, 3), Workspace("other", 1, 1, 1),
    ]  # fmt: skip
    assert filled.create_workspace("heron") == Workspace("heron", 3, 3, 3)
    with pytest.raises(InvalidScope, match="cannot be a workspace name"):
        filled.create_workspace("no such name")


def test_deleting_a_workspace_leaves_nothing_of_it_and_all_of_the_others(filled: DocMind, data: Path) -> None:
    assert filled.delete_workspace("heron") == Workspace("heron", 3, 3, 3)
    assert filled.workspaces() == [Workspace("other", 1, 1, 1)]
    assert filled.index.count("heron") == 0
    for scope in (HERON, ADA):
        assert (filled.documents(scope), filled.runs(scope), filled.search("Heron", scope)) == ([], [], [])
        assert not len(filled.facilities.directory(scope))
    filled.close()
    kept = left(data)
    assert (kept["documents"], kept["texts"], kept["passages"], kept["runs"]) == (1, 1, 1, 1)
    assert kept["conversation_memory"] == 1
    assert sum(kept[table] for table in ("facilities", "facility_tables", "workspaces", "checkpoints", "writes")) == 0
    (asked,) = filled.runs(OTHER)
    assert filled.replay(asked.id, OTHER).difference is None


def test_the_keys_of_a_deleted_workspace_open_nothing_any_more(filled: DocMind) -> None:
    _, going = filled.keys.create(Role.EDITOR, workspace="heron")
    _, staying = filled.keys.create(Role.EDITOR, workspace="other")
    filled.delete_workspace("heron")
    filled.create_workspace("heron")
    assert filled.keys.find(going) is None
    assert filled.keys.find(staying) is not None


def test_a_workspace_that_is_not_there_cannot_be_deleted(filled: DocMind) -> None:
    filled.delete_workspace("heron")
    for name in ("heron", "Other", "", "no such name"):
        with pytest.raises(NotFound, match="There is no workspace"):
            filled.delete_workspace(name)


def test_a_workspace_that_another_engine_works_in_is_deleted_for_both(filled: DocMind) -> None:
    with DocMind(filled.settings) as second:
        assert second.search("Heron", HERON)
        assert filled.delete_workspace("heron") == Workspace("heron", 3, 3, 3)
        assert second.search("Heron", HERON) == []
        assert second.index.count("heron") == 0
        assert second.workspaces() == [Workspace("other", 1, 1, 1)]


def test_nothing_is_deleted_while_another_engine_holds_a_store_that_cannot_be_shared(filled: DocMind) -> None:
    without_sockets(filled.settings)
    _, secret = filled.keys.create(Role.EDITOR, workspace="heron")
    assert filled.index.count("heron") > 0
    with DocMind(filled.settings) as second, pytest.raises(StoreLocked):
        second.delete_workspace("heron")
    assert Workspace("heron", 3, 3, 3) in filled.workspaces()
    assert filled.keys.find(secret) is not None
    assert filled.search("Heron", HERON)


def test_a_run_that_is_under_way_while_its_workspace_goes_leaves_no_record(filled: DocMind, data: Path) -> None:
    watched = filled.stream(BUDGET, HERON)
    next(watched)
    filled.delete_workspace("heron")
    list(watched)
    filled.close()
    assert [run.scope for run in filled.runs(OTHER)] == [OTHER]
    with closing(sqlite3.connect(data / "runs.db")) as connection:
        orphans = "SELECT count(*) FROM run_records WHERE run_id NOT IN (SELECT id FROM runs)"
        assert connection.execute(orphans).fetchone() == (0,)


@pytest.mark.services
def test_on_servers_a_deletion_leaves_nothing_either(
    qdrant_url: str, postgres_url: str, papers: Path, tmp_path: Path
) -> None:
    servers = {"index": IndexSettings(url=qdrant_url), "database": DatabaseSettings(url=postgres_url)}
    with DocMind(chosen(tmp_path / "data", **servers)) as engine:
        engine.ingest([papers / "board.md", papers / "minutes.md"], HERON)
        assert engine.run(BUDGET, HERON, workflow="strategy").status is Status.NEEDS_CLARIFICATION
        assert engine.delete_workspace("heron") == Workspace("heron", 2, 2, 1)
        assert engine.workspaces() == []
        assert engine.index.count("heron") == 0
