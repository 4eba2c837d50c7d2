"""Data folders that earlier versions wrote are used as if this one had written them."""

import pkgutil
import sqlite3
import tarfile
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest
import sqlalchemy as sa

import docmind
from docmind.domain.scope import Scope
from docmind.memory.run import RunState
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings

KEPT = sorted((Path(__file__).parent.parent / "kept").glob("*.tar.xz"))
HERE, ADA = Scope("w"), Scope("w", "ada")
OF_LANGGRAPH = "checkpoints.db"
"""Its tables are LangGraph's, which brings them up to date itself."""


def unpacked(kept: Path, home: Path) -> Path:
    home.mkdir(mode=0o700)
    with tarfile.open(kept) as archive:
        archive.extractall(home, filter="data")
    return home


def column(file: Path, query: str) -> list[str]:
    """What is in a file before this version has opened it; nothing where it has no such table."""
    if not file.exists():
        return []
    with closing(sqlite3.connect(file)) as database:
        there = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if query.split()[3] not in there:
            return []
        return sorted(value for (value,) in database.execute(query))


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.name.partition(".")[0])
def test_what_an_earlier_version_kept_is_listed_searched_asked_and_its_runs_go_on(kept: Path, tmp_path: Path) -> None:
    home = unpacked(kept, tmp_path / "data")
    documents = column(home / "catalogue.db", "SELECT id FROM documents WHERE owner = ''")
    tables = column(home / "catalogue.db", "SELECT workspace FROM facility_tables")
    workspaces = column(home / "catalogue.db", "SELECT name FROM workspaces")
    runs = column(home / "runs.db", "SELECT id FROM runs WHERE owner = ''")
    waiting = column(home / "runs.db", "SELECT id FROM runs WHERE state = 'waiting'")
    conversations = column(home / "runs.db", "SELECT thread FROM runs WHERE thread = 'sound'") if runs else []
    turns = column(home / "memory.db", "SELECT question FROM conversation_memory")
    settings = Settings(data_dir=home, models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1))
    with DocMind(settings) as engine:
        assert documents
        assert [one.id for one in engine.documents(HERE)] == documents
        # The kept folder has no index; an ingest writes what is missing.
        engine.ingest([], HERE)
        assert engine.search("How long are receipts kept?", HERE)[0].document.id in documents
        assert {*workspaces, "w"} <= {one.name for one in engine.workspaces()}
        assert engine.facilities.workspaces() == set(tables)
        assert sorted(run.id for run in engine.runs(HERE)) == runs
        for run in engine.runs(HERE):
            assert (run.state is RunState.WAITING) == (run.id in waiting)
            assert run.result is not None
        for identifier in waiting:
            assert "ten years" in engine.resume(identifier, HERE, "Receipts").answer
        for thread in conversations:
            assert "arrival" in engine.run("And when are they scanned?", HERE, workflow="chat", thread=thread).answer
        assert "ten years" in engine.run("How long are receipts kept?", HERE).answer
        assert sorted(turn.question for turn in engine._memory.recall("revenue", ADA, 5)) == turns
        assert engine.keys.all() == []
        assert engine.queued(HERE) == []
        document = engine.documents(HERE)[0]
        engine.delete([document.id], HERE)
        assert document.id not in [one.id for one in engine.documents(HERE)]


def test_the_tables_of_today_are_among_those_that_are_kept(tmp_path: Path) -> None:
    """Where this fails, tables have changed: write an upgrade, and `python scripts/keep_store.py NAME`."""
    kept = [tables_in(unpacked(one, tmp_path / one.name)) for one in KEPT]
    assert tables_of_today() in kept


def tables_of_today() -> dict[str, str]:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        for module in pkgutil.walk_packages(docmind.__path__, "docmind."):
            if module.name.startswith(("docmind.corpus", "docmind.memory", "docmind.database")):
                held = vars(import_module(module.name)).values()
                for table in {one for one in held if isinstance(one, sa.Table)}:
                    table.metadata.create_all(connection)
        return _tables(connection.connection.driver_connection)  # type: ignore[arg-type]


def tables_in(home: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in home.glob("*.db"):
        if file.name != OF_LANGGRAPH:
            with closing(sqlite3.connect(file)) as database:
                found |= _tables(database)
    return found


def _tables(database: sqlite3.Connection) -> dict[str, str]:
    query = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    return {name: " ".join(statement.split()) for name, statement in database.execute(query)}
