"""Whatever changes a store and is killed with kill -9 on the way, the store is as before or as it was meant to be."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from docmind.corpus.load.limits import Limits
from docmind.corpus.uploads import FileState
from docmind.corpus.workspaces import VectorState
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.memory.recollections import Recollection
from docmind.runtime.engine import DocMind
from docmind.runtime.workspaces import Workspace
from tests.faults.dying import ADA, CHANGES, HERE, MINILM, TURN, named
from tests.faults.scenarios import CLINICS, settings

# Many processes are started for one test.
pytestmark = pytest.mark.timeout(600)

ROOT = Path(__file__).parents[2]
OTHER = Scope("other", "ada")
BEFORE, AFTER = "# Paper\n\nAll about copper.\n", "# Paper\n\nAll about zinc now.\n\n## More\n\nZinc is grey.\n"

Dead = Callable[[str], Iterator[tuple[str, Path]]]


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with something of everything in two workspaces, and a folder that has changed since it was read."""
    folder = tmp_path_factory.mktemp("stock")
    papers, table = folder / "papers", folder / "clinics.csv"
    papers.mkdir()
    (papers / "changed.md").write_text(BEFORE)
    (papers / "kept.md").write_text("# Kept\n\nSteel rusts.\n")
    table.write_text(CLINICS)
    with DocMind(settings(folder / "data")) as engine:
        engine.ingest([papers], HERE)
        engine.ingest([papers / "kept.md"], OTHER)
        engine.facilities.import_table(table, HERE, Limits())
        engine.run("What rusts?", ADA, workflow="chat", thread="t")
        engine.run("What rusts?", OTHER, workflow="chat", thread="t")
        for scope in (ADA, OTHER):
            asyncio.run(engine.aremember(Recollection("Steel?", "Is it steel?", "It is."), scope, "old"))
    (papers / "changed.md").write_text(AFTER)
    (papers / "new.md").write_text("# New\n\nTungsten melts last.\n")
    return folder / "data"


@pytest.fixture
def papers(stock: Path) -> Path:
    return stock.parent / "papers"


@pytest.fixture(scope="module")
def dead(stock: Path, tmp_path_factory: pytest.TempPathFactory) -> Dead:
    """The stores that a change left which was killed at each place it passes, each by its place."""
    folder = tmp_path_factory.mktemp("dead")
    command = [sys.executable, "-m", "tests.faults.dying", str(stock), str(folder)]
    died = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert died.returncode == 0, died.stderr
    places = json.loads(died.stdout)

    def stores(change: str) -> Iterator[tuple[str, Path]]:
        assert set(places[change]) == {named(place) for place in CHANGES[change][1]}
        yield from ((place, folder / change / place) for place in (*places[change], "whole"))

    return stores


@contextmanager
def opened(store: Path) -> Iterator[DocMind]:
    with DocMind(settings(store)) as engine:
        yield engine


def seen(engine: DocMind, scope: Scope = HERE) -> dict[str, list[str]]:
    """What a person sees: the passages of each document, which the index has all of, and nothing else of it."""
    documents = engine.documents(scope)
    passages = {document.name: [one.text for one in engine.passages(document)] for document in documents}
    for document in documents:
        assert engine.index.count(scope.workspace, document.id) == document.passages == len(passages[document.name])
    assert {hit.document.id for hit in engine.search("steel copper zinc", scope)} <= {one.id for one in documents}
    return passages


def rows(store: Path, file: str, query: str) -> list[Any]:
    with closing(sqlite3.connect(store / file)) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.fault(
    "kill -9",
    "An ingest that replaces a changed file and adds a new one, at every stage: finding, reading, "
    "recording, embedding, indexing, making visible, removing the old version, optimising",
    left="Every document in its old or its new version, whole",
    seen="Half a document never; the next ingest gives the store that one without a kill gives",
)
def test_a_killed_ingest_leaves_each_document_whole_and_the_next_one_finishes_it(dead: Dead, papers: Path) -> None:
    before = {"papers/changed.md": ["All about copper."], "papers/kept.md": ["Steel rusts."]}
    after = {
        "papers/changed.md": ["All about zinc now.", "Zinc is grey."],
        "papers/kept.md": ["Steel rusts."],
        "papers/new.md": ["Tungsten melts last."],
    }
    for place, store in dead("ingest"):
        with opened(store) as engine:
            assert seen(engine) in (before, after), place
            engine.ingest([papers], HERE)
            assert seen(engine) == after, place
            assert engine.index.count("w") == 4, place
            assert engine.ingest([papers], HERE).unchanged == 3
        assert len(rows(store, "catalogue.db", "SELECT id FROM documents WHERE workspace = 'w'")) == 3, place


@pytest.mark.fault(
    "kill -9",
    "An upload through the service",
    left="The document with its original, or neither",
    seen="It is listed or it is not; it can be sent again",
)
def test_a_killed_upload_is_there_whole_or_not_at_all_and_can_be_sent_again(dead: Dead, papers: Path) -> None:
    for place, store in dead("upload"):
        with opened(store) as engine:
            assert seen(engine).get("sent.md") in (None, ["Tungsten melts last."]), place
            engine.ingest([papers / "kept.md"], HERE)
            sent = [document for document in engine.documents(HERE) if document.name == "sent.md"]
            kept = {path.name.removesuffix(".json") for path in (store / "originals").iterdir() if path.is_file()}
            assert kept == {document.id for document in sent}, place


@pytest.mark.fault(
    "kill -9",
    "Files that were uploaded to be read in the background, before and while they are read",
    left="Every file that was confirmed, waiting or read, and each document once",
    seen="The service reads on when it starts again, and the list of uploads says what became of each file",
)
def test_a_killed_queue_is_read_to_its_end_when_the_service_starts_again(dead: Dead) -> None:
    sent = {f"sent-{number}.md" for number in range(3)}
    for place, store in dead("queued_upload"):
        with opened(store) as engine:
            before = {one.name for one in engine.queued(HERE)}
            assert before == (set() if place == "Uploads.add" else sent), place
            engine.upload_queue.start()
            while engine.uploads.unfinished():
                time.sleep(0.02)
            engine.upload_queue.stop()
            there = [one.name for one in engine.documents(HERE) if one.name.startswith("sent-")]
            assert sorted(there) == sorted(before), place
            assert {one.state for one in engine.queued(HERE)} <= {FileState.DONE}, place
            seen(engine)
            kept = {path.name.removesuffix(".json") for path in (store / "originals").iterdir() if path.is_file()}
            assert kept == {one.id for one in engine.documents(HERE) if one.name in before}, place
            waiting = list((store / "originals" / "queued").iterdir())
            # One that was not on record yet is nobody's; it goes when it has lain there for a day.
            assert bool(waiting) is (place == "Uploads.add"), place


@pytest.mark.fault(
    "kill -9",
    "The memory of conversations, before and while a turn is made findable",
    left="The turn, from the moment it was taken",
    seen="It is found again; the next process finishes what was left",
)
def test_what_is_remembered_is_kept_once_and_found_again(dead: Dead) -> None:
    for place, store in dead("remember"):
        with opened(store) as engine:
            asyncio.run(engine.arecall("hall", ADA, limit=3))
        with opened(store) as engine:
            turns = asyncio.run(engine.arecall("Which hall is meant?", ADA, limit=3))
        assert turns.count(TURN) == (0 if place == "ConversationMemory.remember" else 1), place
        assert rows(store, "memory.db", "SELECT count(*) FROM conversation_memory WHERE NOT indexed") == [(0,)], place


@pytest.mark.fault(
    "kill -9",
    "A reindex by another embedder, at each of its stages",
    left="The old index or the new one, whole",
    seen="Searches find everything; the next reindex goes on, and the next ingest removes what was replaced",
)
def test_a_killed_reindex_leaves_one_whole_index_and_the_next_one_goes_on(dead: Dead, papers: Path) -> None:
    whole = {"papers/changed.md": ["All about copper."], "papers/kept.md": ["Steel rusts."]}
    for place, store in dead("reindex"):
        with DocMind(settings(store).model_copy(update={"models": MINILM})) as engine:
            assert seen(engine) == whole, place
            assert engine.search("steel", HERE)[0].document.name == "papers/kept.md", place
            engine.ingest([papers / "kept.md"], HERE)
            records = engine.index.records
            assert "w" not in records.in_state(VectorState.REPLACED), place
            engine.reindex("w")
            assert seen(engine)["papers/kept.md"] == ["Steel rusts."], place
            assert [one.is_current for one in engine.vectors() if one.workspace == "w"] == [True], place
            assert records.in_state(VectorState.BUILDING) == records.in_state(VectorState.REPLACED) == [], place
            assert engine._notes.near("Is it steel?", ADA, 3), place
            assert {one.embedder for one in engine.vectors() if one.workspace == "other"} == {"static"}, place


@pytest.mark.fault(
    "kill -9",
    "The deletion of a workspace, at each of its nine steps",
    left="The whole workspace, or nothing that can be seen of it",
    seen="It is gone at once; whoever opens the store next removes the rest",
)
def test_a_killed_deletion_of_a_workspace_is_finished_by_whoever_comes_next(dead: Dead) -> None:
    for place, store in dead("delete_workspace"):
        with opened(store) as engine:
            if place in ("Keys.revoke_in", "Register.condemn"):
                assert len(seen(engine)) == 2, place
                engine.delete_workspace("w")
            assert engine.documents(HERE) == [], place
            assert engine.workspaces() == [Workspace("other", 1, 1, 1)], place
            assert engine.index.count("w") == 0, place
            assert seen(engine, OTHER) == {"kept.md": ["Steel rusts."]}, place
        for file, table in (
            ("catalogue.db", "documents"), ("catalogue.db", "facilities"), ("runs.db", "runs"),
            ("memory.db", "conversation_memory"),
        ):  # fmt: skip
            assert rows(store, file, f"SELECT count(*) FROM {table} WHERE workspace = 'w'") == [(0,)], (place, table)
        assert rows(store, "checkpoints.db", "SELECT count(*) FROM checkpoints WHERE thread_id LIKE '%/w/%'") == [(0,)]


@pytest.mark.fault(
    "kill -9",
    "The deletion of a conversation",
    left="The conversation, until it is gone as a whole",
    seen="It is still listed; deleting it again removes it",
)
def test_a_killed_deletion_of_a_thread_can_be_asked_for_again(dead: Dead) -> None:
    for place, store in dead("delete_thread"):
        with opened(store) as engine:
            if place == "whole":
                with pytest.raises(NotFound):
                    engine.find_thread("t", ADA)
            else:
                assert engine.delete_thread("t", ADA).title == "What rusts?"
            assert engine.threads(ADA) == [], place
            assert len(engine.threads(OTHER)) == 1, place


@pytest.mark.fault(
    "kill -9",
    "The making of a key",
    left="No key",
    seen="None is listed; it is made again",
)
def test_a_key_whose_making_was_killed_opens_nothing(dead: Dead) -> None:
    for place, store in dead("create_key"):
        with opened(store) as engine:
            assert len(engine.keys.all()) == (1 if place == "whole" else 0), place
