"""What is damaged on disk says so in a sentence that names what to do, and nothing else is affected."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from docmind.domain.errors import StoreError
from docmind.domain.scope import Scope
from docmind.memory.run import RunState
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind
from docmind.runtime.repair import repair
from tests.faults.scenarios import RECEIPTS, settings
from tests.stores import copied

HERE, OTHER = Scope("w"), Scope("other")
FINANCE = "What was the revenue in 2023?"
Open = Callable[[], DocMind]


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two workspaces in which a question was answered, two conversations were held, and one waits."""
    folder = tmp_path_factory.mktemp("used")
    (folder / "receipts.md").write_text("# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n")
    with DocMind(settings(folder / "data")) as engine:
        for scope in (HERE, OTHER):
            engine.ingest([folder / "receipts.md"], scope)
        engine.run(RECEIPTS, HERE)
        engine.run(RECEIPTS, HERE, workflow="chat", thread="sound")
        engine.run("How long are they kept?", HERE, workflow="chat", thread="waits")
    return folder


@pytest.fixture
def home(used: Path, tmp_path: Path) -> Path:
    return copied(used / "data", tmp_path / "data")


@pytest.fixture
def opened(home: Path) -> Iterator[Open]:
    with ExitStack() as engines:

        def open_engine() -> DocMind:
            engines.close()
            return engines.enter_context(DocMind(settings(home)))

        yield open_engine


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        assert database.execute(statement).rowcount


def truncate(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


@pytest.mark.parametrize("bytes_", ["FFFF00", "A161"])
@pytest.mark.fault(
    "damage",
    "A checkpoint",
    left="Every other run and conversation",
    seen="“What this run or conversation had come to is damaged …, so it cannot go on from there. Ask again …”",
)
def test_a_damaged_checkpoint_stops_its_conversation_alone_and_can_be_deleted(
    home: Path, opened: Open, bytes_: str
) -> None:
    change(home / "checkpoints.db", f"UPDATE checkpoints SET checkpoint = X'{bytes_}' WHERE thread_id LIKE '%/waits'")
    engine = opened()
    (waiting,) = engine.pending(HERE)
    damaged = pytest.raises(StoreError, match=r"is damaged \(.*\), so it cannot go on from there\. Ask again")
    with damaged:
        engine.resume(waiting.id, HERE, "Receipts")
    with damaged:
        engine.run(RECEIPTS, HERE, workflow="chat", thread="waits")
    assert "arrival" in engine.run("And when are they scanned?", HERE, workflow="chat", thread="sound").answer
    assert engine.delete_thread("waits", HERE).title == "How long are they kept?"
    assert "ten years" in engine.run(RECEIPTS, HERE, workflow="chat", thread="waits").answer


@pytest.mark.parametrize("thread", [None, "sound"])
@pytest.mark.fault(
    "damage",
    "The recorded result of a run",
    left="Its steps, replies and searches",
    seen="It is listed as stopped, “The record of its result is damaged.”; resuming makes the same result anew",
)
def test_a_damaged_result_is_listed_as_such_and_made_anew_from_what_the_run_recorded(
    home: Path, opened: Open, thread: str | None
) -> None:
    whose = "thread IS NULL" if thread is None else f"thread = '{thread}'"
    whole = next(run for run in opened().runs(HERE) if run.thread == thread)
    change(home / "runs.db", f"UPDATE runs SET result = substr(result, 1, 50) WHERE {whose}")
    engine = opened()
    states = {run.thread: (run.state, run.reason) for run in engine.runs(HERE)}
    assert states.pop(thread) == (RunState.STOPPED, "The record of its result is damaged.")
    assert all(reason == "" for _, reason in states.values())
    result = engine.resume(whole.id, HERE)
    assert whole.result is not None
    assert (result.answer, result.citations) == (whole.result.answer, whole.result.citations)
    assert engine.find_run(whole.id, HERE).state is RunState.ENDED


@pytest.mark.parametrize(
    ("file", "broken", "sound"),
    [
        ("runs.db", lambda engine: engine.runs(HERE), lambda engine: engine.search("receipts", HERE)),
        ("catalogue.db", lambda engine: engine.documents(HERE), lambda engine: engine.runs(HERE)),
        ("checkpoints.db", lambda engine: engine.run(RECEIPTS, HERE), lambda engine: engine.search("receipts", HERE)),
    ],
)
@pytest.mark.fault(
    "damage",
    "A truncated SQLite file: the catalogue, the record of runs, the checkpoints",
    left="What the other files hold",
    seen="“… is damaged (…). Put a copy of …/runs.db back, or move it away and start again.”",
)
def test_a_truncated_database_is_named_with_what_to_do_and_what_is_not_in_it_still_works(
    home: Path, opened: Open, file: str, broken: Callable[[DocMind], object], sound: Callable[[DocMind], object]
) -> None:
    truncate(home / file)
    engine = opened()
    with pytest.raises(StoreError, match=rf"damaged \(.*\)\. .*{file}.* and start again"):
        broken(engine)
    assert sound(engine)
    engine.close()
    (home / file).rename(home / "away")
    assert broken(opened()) is not None


def send(engine: DocMind, name: str, text: str, scope: Scope) -> None:
    with engine.originals.incoming() as place:
        place.write_text(text)
        engine.upload([Upload(name, place)], scope)


def overwrite_pages(file: Path, first: float, last: float) -> None:
    """Put other bytes in the place of a stretch of a database, as a failing disk does."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = database.execute("PRAGMA page_size").fetchone()
    pages = file.stat().st_size // page
    with file.open("r+b") as opened:
        for number in range(max(1, int(pages * first)), int(pages * last)):
            opened.seek(number * page)
            opened.write(b"\xa5" * page)


@pytest.mark.parametrize(
    ("harm", "salvaged"),
    [
        (lambda file: overwrite_pages(file, 0.6, 0.8), True),
        (truncate, False),
        (lambda file: file.write_bytes(b"not a database at all" * 1000), False),
    ],
)
@pytest.mark.fault(
    "damage",
    "The catalogue: some of its pages, half of it, all of it",
    left="Every uploaded file, what can still be read of the rows, and all runs, conversations, memory and keys",
    seen="`docmind repair` builds it anew, says what it kept, read again and lost, and moves the damaged file aside",
)
def test_a_damaged_catalogue_is_built_anew_from_what_can_be_read_and_from_the_originals(
    used: Path, opened: Open, home: Path, harm: Callable[[Path], None], salvaged: bool
) -> None:
    ada = Scope("w", "ada")
    engine = opened()
    for number in range(9):
        send(
            engine, f"folder/note-{number}.md", f"# Note {number}\n\nShelf {number} holds paper. " + "Dry. " * 900, ada
        )
    before = {one.name: one.id for one in engine.documents(ada) if one.source.startswith("upload:")}
    runs = [run.id for run in engine.runs(HERE)]
    found = [hit.passage.id for hit in engine.search("What does shelf 7 hold?", ada)]
    engine.close()
    harm(home / "catalogue.db")
    done = repair(settings(home))
    assert len(done.again) + done.kept >= 9
    assert (done.kept > 0) == salvaged
    assert done.unnamed == []
    engine = opened()
    assert {one.name: one.id for one in engine.documents(ada) if one.source.startswith("upload:")} == before
    for one in engine.documents(ada):
        assert engine.index.count("w", one.id) == one.passages
        if one.source.startswith("upload:"):
            assert engine.originals.read(one).decode().startswith(f"# {engine.text(one).partition(chr(10))[0]}")
    assert [hit.passage.id for hit in engine.search("What does shelf 7 hold?", ada)] == found
    assert [run.id for run in engine.runs(HERE)] == runs
    # Of a file that was not uploaded there is no copy, and nothing says where it lay if its row is gone.
    engine.ingest([used / "receipts.md"], HERE)
    assert "arrival" in engine.run("And when are they scanned?", HERE, workflow="chat", thread="sound").answer
    engine.close()
    assert not (home / "restore").exists()
    with pytest.raises(StoreError, match="is not damaged"):
        repair(settings(home))


@pytest.mark.parametrize("part", ["current.json", "000001/wal/open-1", "all of it"])
@pytest.mark.fault(
    "damage",
    "The index of a workspace, damaged or gone",
    left="The documents, in the catalogue; other workspaces",
    seen="Which folder to move away; the next ingest writes the index anew, with no file read again",
)
def test_a_damaged_index_is_named_and_written_anew_from_the_catalogue_once_it_is_moved_away(
    used: Path, home: Path, opened: Open, part: str
) -> None:
    (folder,) = (home / "index").glob("w-*")
    before = [hit.passage.id for hit in opened().search("receipts", HERE)]
    opened().close()
    if part == "all of it":
        shutil.rmtree(folder)
        told = "The index holds nothing of workspace 'w', though the catalogue lists 1 of its documents"
    else:
        (folder / part).write_bytes(b"{" * 100)
        told = "damaged"
    engine = opened()
    with pytest.raises(StoreError, match=told):
        engine.search("receipts", HERE)
    assert engine.search("receipts", OTHER)
    engine.close()
    if folder.exists():
        folder.rename(home / "away")
    engine = opened()
    assert engine.ingest([used / "receipts.md"], HERE).unchanged == 1
    assert [hit.passage.id for hit in engine.search("receipts", HERE)] == before
    assert engine.index.count("w") == len(before)
