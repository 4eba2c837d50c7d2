"""A backup is the data folder as it was at one moment; a restore brings all of it back, or changes nothing."""

import hashlib
import json
import os
import sqlite3
import stat
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from docmind.domain.errors import DocMindError, StoreError, StoreLocked
from docmind.domain.scope import Role, Scope
from docmind.memory.recollections import Recollection
from docmind.runtime import data_folder
from docmind.runtime.backup import restore, write_backup
from docmind.runtime.data_folder import DATABASES, EXCHANGED, InUse, is_wanted
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings
from tests.stores import copied

HERE, ADA = Scope("w"), Scope("w", "ada")
NOTE = "# Mill\n\nThe Halden mill has three saws. They were bought in 1998.\n"
ASKED = "How many saws has the Halden mill?"


def of(home: Path) -> Settings:
    return Settings(data_dir=home, models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1))


def send(engine: DocMind, name: str, text: str, scope: Scope = HERE) -> None:
    with engine.originals.incoming() as place:
        place.write_text(text)
        engine.upload([Upload(name, place)], scope)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with something in everything that there is."""
    folder = tmp_path_factory.mktemp("used")
    (folder / "paper.md").write_text("# Paper\n\nReceipts are kept for ten years.\n")
    (folder / "clinics.csv").write_text("id,name,lat,lon\n1,Harbour Clinic,52.66,-8.63\n")
    with DocMind(of(folder / "data")) as engine:
        engine.ingest([folder / "paper.md"], HERE)
        engine.facilities.import_table(folder / "clinics.csv", HERE, engine._limits)
        send(engine, "mill.md", NOTE, ADA)
        engine.run(ASKED, ADA, workflow="chat", thread="t")
        engine._memory.remember(Recollection("Which hall?", "Which hall is meant?", "The eastern."), ADA, "s")
        engine.keys.create(Role.READER, workspace="w")
        with engine.originals.incoming() as place:
            place.write_text("# Waiting\n\nIt waits.\n")
            engine.queue([Upload("waiting.md", place)], HERE)
    return folder / "data"


@pytest.fixture
def home(used: Path, tmp_path: Path) -> Path:
    return copied(used, tmp_path / "data")


@pytest.fixture(scope="module")
def backup(used: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_backup(of(used), tmp_path_factory.mktemp("backups") / "all.docmind").file


def told(home: Path) -> object:
    """Everything that people see of what is in a data folder."""
    with DocMind(of(home)) as engine:
        (upload,) = [one for one in engine.documents(ADA) if one.name == "mill.md"]
        (turn,) = engine.threads(ADA)
        return (
            [(one.name, one.id) for one in engine.documents(ADA)],
            [hit.passage.id for hit in engine.search("saws of the mill", ADA)],
            engine.originals.read(upload),
            [(run.id, run.state, run.result and run.result.answer) for run in turn.runs],
            engine._memory.recall("hall", ADA, 3),
            [key.id for key in engine.keys.all()],
            [(one.id, one.name, one.state, engine.originals.queued(one.id).read_text()) for one in engine.queued(HERE)],
            engine.facilities.workspaces(),
            engine.search("saws of the mill", HERE),
        )


def test_everything_comes_back_and_conversations_go_on(used: Path, backup: Path, tmp_path: Path) -> None:
    home = tmp_path / "other"
    done = restore(of(home), backup)
    assert (done.root, done.replaced) == (home, None)
    assert [(one.name, one.documents, one.runs) for one in done.workspaces] == [("w", 2, 1)]
    assert told(home) == told(copied(used, tmp_path / "before"))
    with DocMind(of(home)) as engine:
        assert "1998" in engine.run("And when were they bought?", ADA, workflow="chat", thread="t").answer
        engine.upload_queue.start()
        while engine.uploads.unfinished():
            threading.Event().wait(0.02)
        assert "waiting.md" in [one.name for one in engine.documents(HERE)]
    assert [one.name for one in home.iterdir() if one.name in ("restore", "backup")] == []


def test_a_backup_and_what_comes_of_it_are_closed_to_others(backup: Path, tmp_path: Path) -> None:
    home = tmp_path / "other"
    before = os.umask(0o022)
    try:
        restore(of(home), backup)
    finally:
        os.umask(before)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert [path for path in (home, *home.rglob("*")) if path.stat().st_mode & 0o077] == []


def test_a_data_folder_holds_nothing_that_a_backup_forgets(used: Path, backup: Path) -> None:
    names = {path.name for path in used.iterdir()}
    assert names <= set(EXCHANGED)
    with zipfile.ZipFile(backup) as archive:
        assert {name for name in archive.namelist() if "/" not in name} == {*DATABASES, "backup.json"}
        assert len([name for name in archive.namelist() if name.startswith("originals/queued/")]) == 1


@pytest.mark.parametrize("links", [True, False])
def test_a_backup_that_is_made_while_documents_come_and_go_has_each_of_them_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    home, stop = tmp_path / "data", threading.Event()
    with DocMind(of(home)) as engine:
        send(engine, "note-0.md", NOTE)

        def change() -> None:
            number = 0
            while not stop.is_set():
                number += 1
                send(engine, f"note-{number % 3}.md", f"# Note\n\nThis is number {number}.\n")

        thread = threading.Thread(target=change)
        thread.start()
        try:
            files = [write_backup(of(home), tmp_path / f"{number}.docmind").file for number in range(4)]
        finally:
            stop.set()
            thread.join()
    for number, file in enumerate(files):
        restore(of(tmp_path / f"home-{number}"), file)
        with DocMind(of(tmp_path / f"home-{number}")) as engine:
            documents = engine.documents(HERE)
            assert documents
            for one in documents:
                assert engine.originals.read(one).decode().endswith(engine.text(one).rpartition("\n")[2] + "\n")
                assert engine.index.count("w", one.id) == one.passages


def test_what_is_there_is_replaced_only_if_that_is_said_and_kept_beside(home: Path, backup: Path) -> None:
    with DocMind(of(home)) as engine:
        send(engine, "later.md", "# Later\n\nThis came later.\n")
    (home / "mine.txt").write_text("left alone")
    with pytest.raises(StoreError, match=r"There is data in .* already"):
        restore(of(home), backup)
    done = restore(of(home), backup, overwrite=True)
    assert done.replaced is not None
    with DocMind(of(home)) as engine, DocMind(of(done.replaced)) as before:
        assert "later.md" not in [one.name for one in engine.documents(HERE)]
        assert "later.md" in [one.name for one in before.documents(HERE)]
        assert before.search("came later", HERE)[0].document.name == "later.md"
    assert (home / "mine.txt").read_text() == "left alone"


def test_two_restores_within_one_second_keep_both_that_were_replaced(
    home: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docmind.runtime.data_folder.time.strftime", lambda _: "20260101-120000")
    with DocMind(of(home)) as engine:
        send(engine, "later.md", "# Later\n\nThis came later.\n")
    first, second = (restore(of(home), backup, overwrite=True).replaced for _ in range(2))
    assert first is not None
    assert second is not None
    with DocMind(of(first)) as engine:
        assert "later.md" in [one.name for one in engine.documents(HERE)]
    with DocMind(of(second)) as engine:
        assert "later.md" not in [one.name for one in engine.documents(HERE)]


def test_a_file_that_is_there_is_overwritten_only_if_that_is_said(home: Path, backup: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(StoreError, match="is there already"):
        write_backup(of(home), tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "x"
    assert write_backup(of(home), tmp_path / "mine", overwrite=True).databases == len(DATABASES)
    with pytest.raises(DocMindError, match="nothing to back up"):
        write_backup(of(tmp_path / "nowhere"), tmp_path / "nothing")
    with pytest.raises(StoreError, match="There is no folder"):
        write_backup(of(home), tmp_path / "no" / "where")
    assert not (tmp_path / "nothing").exists()
    assert not (home / "backup").exists()


def rewritten(backup: Path, target: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A backup with other members; its list of them is made to fit only where `change` does so."""
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


def listed(members: dict[str, bytes], name: str, content: bytes) -> None:
    """Put a member in, and into the list, as somebody would who means harm."""
    manifest = json.loads(members["backup.json"])
    others = [one for one in manifest["members"] if one["name"] != name]
    digest = hashlib.sha256(content).hexdigest()
    manifest["members"] = [*others, {"name": name, "size": len(content), "sha256": digest}]
    members[name] = content
    members["backup.json"] = json.dumps(manifest).encode()


def with_a_trigger(members: dict[str, bytes]) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(members["catalogue.db"].replace(b"\x02\x02", b"\x01\x01", 1))
        database.execute("CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM documents; END")
        listed(members, "catalogue.db", database.serialize())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda all_: all_.pop("backup.json"), "it has no list of what is in it"),
        (lambda all_: all_.update({"backup.json": b"[" * 10_000}), "the list of what is in it is damaged"),
        (lambda all_: all_.update({"backup.json": b'{"format": 2}'}), "its format is 2"),
        (lambda all_: all_.pop("runs.db"), "what is in it is not what its list says"),
        (lambda all_: all_.update({"more.txt": b""}), "what is in it is not what its list says"),
        (lambda all_: all_.update({"runs.db": all_["runs.db"][::-1]}), "runs.db is not what was backed up"),
        (lambda all_: listed(all_, "../climbed", b"x"), "holds '../climbed', which no backup holds"),
        (lambda all_: listed(all_, "/etc/passwd", b"x"), "which no backup holds"),
        (lambda all_: listed(all_, "originals/../../x", b"x"), "which no backup holds"),
        (lambda all_: listed(all_, ".env", b"DOCMIND_MODELS__CHAT=x"), "which no backup holds"),
        (lambda all_: listed(all_, "restore/decided.json", b"{}"), "which no backup holds"),
        (lambda all_: listed(all_, "runs.db", b"x" * 5000), "runs.db is damaged"),
        (with_a_trigger, "catalogue.db holds what DocMind never writes"),
    ],
)
def test_a_backup_that_is_not_as_it_was_written_changes_nothing(
    home: Path, backup: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None], reason: str
) -> None:
    before = {path: path.read_bytes() for path in home.glob("*.db")}
    with pytest.raises(StoreError, match=reason):
        restore(of(home), rewritten(backup, tmp_path / "other", change), overwrite=True)
    assert {path: path.read_bytes() for path in home.glob("*.db")} == before
    assert not (home / "restore").exists()
    assert not (tmp_path / "climbed").exists()


def test_a_torn_compressed_or_linked_file_is_no_backup(backup: Path, tmp_path: Path) -> None:
    torn, bomb, linked, no = (tmp_path / name for name in ("torn", "bomb", "linked", "no"))
    torn.write_bytes(backup.read_bytes()[:-200])
    with zipfile.ZipFile(backup) as archive, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as other:
        for name in archive.namelist():
            other.writestr(name, archive.read(name))
    with zipfile.ZipFile(backup) as archive, zipfile.ZipFile(linked, "w") as other:
        for entry in archive.infolist():
            if entry.filename == "keys.db":
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            other.writestr(entry, archive.read(entry.filename))
    no.write_text("no backup")
    for file, reason in (
        (torn, "not a whole one"),
        (bomb, "it is no backup"),
        (linked, "keys.db is not as a backup writes it"),
        (no, "it is no backup"),
        (tmp_path / "absent", "There is no file"),
    ):
        with pytest.raises(StoreError, match=reason):
            restore(of(tmp_path / "home"), file)
    assert not (tmp_path / "home" / "catalogue.db").exists()


def test_a_backup_that_does_not_fit_is_refused_before_anything_is_written(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docmind.runtime.backup.shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000})())
    with pytest.raises(StoreError, match=r"are free\. Nothing was changed"):
        restore(of(tmp_path / "home"), backup)


def test_a_damaged_database_is_not_backed_up_as_if_it_were_sound(home: Path, tmp_path: Path) -> None:
    with (home / "runs.db").open("r+b") as opened:
        opened.truncate(5000)
    with pytest.raises(StoreError, match=r"No backup was made: .*runs\.db is damaged"):
        write_backup(of(home), tmp_path / "file")
    assert list(tmp_path.glob("file*")) == []


def test_a_restore_that_somebody_is_in_the_way_of_gives_up_and_changes_nothing(home: Path, backup: Path) -> None:
    with DocMind(of(home)) as engine:
        documents = engine.documents(ADA)
        with pytest.raises(StoreLocked, match="Nothing was restored: another process uses"):
            restore(of(home), backup, overwrite=True, patience_s=0)
        assert engine.documents(ADA) == documents
        assert not is_wanted(home)
    assert [path for path in home.iterdir() if path.name not in EXCHANGED] == []


@pytest.mark.parametrize("left", range(6))
@pytest.mark.fault(
    "kill -9",
    "A restore: as it unpacks, when all is unpacked, and at every step of putting the new data in place",
    left="The old data until the new is complete, then the new; the old lie beside",
    seen="Whoever opens the data folder next finishes what had begun; never half of each",
)
def test_a_restore_that_is_killed_leaves_the_old_data_or_the_new(
    home: Path, backup: Path, tmp_path: Path, left: int
) -> None:
    with DocMind(of(home)) as engine:
        send(engine, "later.md", "# Later\n\nThis came later.\n")
    if not (child := os.fork()):
        try:
            die_after(left)
            restore(of(home), backup, overwrite=True)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 9
    with DocMind(of(home)) as engine:
        there = {one.name for one in engine.documents(HERE)}
        assert ("later.md" in there) == (left < 2)
        assert engine.search("Receipts", HERE)
        assert len(engine.keys.all()) == 1
        assert engine.threads(ADA)
    restore(of(home), backup, overwrite=True)
    assert not (home / "restore").exists()


def die_after(step: int) -> None:
    """Have this process killed: while it unpacks, once that is written down, or in the middle of the exchange."""
    replace, moved = Path.replace, 0

    def die() -> None:
        os.kill(os.getpid(), 9)

    def dying(self: Path, target: Path) -> Path:
        nonlocal moved
        if step == 1 and self.name == "asked.json.draft":
            die()
        done = replace(self, target)
        if step == 2 and target.name == "asked.json":
            die()
        if target.name == "decided.json" or moved:
            moved += 1
            if moved == {3: 1, 4: 2, 5: 5}.get(step):
                die()
        return done

    Path.replace = dying  # type: ignore[method-assign, assignment]
    if step == 0:
        restore.__globals__["_prepare"] = lambda *_: die()


def test_two_restores_do_not_meet(home: Path, backup: Path) -> None:
    with (
        data_folder.workroom(home, "restore", "A restore"),
        pytest.raises(DocMindError, match=r"A restore of .* is under way in another process"),
    ):
        restore(of(home), backup, overwrite=True)


def test_an_engine_that_was_closed_makes_room(home: Path, backup: Path) -> None:
    in_use = InUse(home)
    threading.Timer(0.3, in_use.close).start()
    assert restore(of(home), backup, overwrite=True, patience_s=60).replaced is not None
