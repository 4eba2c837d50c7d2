"""Everything in the data folder in one file, as it was at one moment, and put back in its place, all at once.

Both work while the folder is in use. The index is left out: it is written anew from the catalogue, for which the cache
of embeddings comes along.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from docmind.corpus.originals import KEPT, LABEL
from docmind.domain.errors import NotFound, StoreError, StoreUnavailable
from docmind.domain.files import make_folder
from docmind.domain.scope import Scope
from docmind.runtime.backup_file import Manifest, opened, written
from docmind.runtime.data_folder import BACKUP, CACHE, DATABASES, ORIGINALS, RESTORE, InUse, exchange, is_used, workroom
from docmind.runtime.engine import DocMind
from docmind.runtime.workspaces import Workspace
from docmind.settings import Settings

_PATIENCE_S = 30.0
_QUEUED = f"{ORIGINALS}/queued"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made."""

    file: Path
    manifest: Manifest

    @property
    def databases(self) -> int:
        return sum(member.name in DATABASES for member in self.manifest.members)

    @property
    def originals(self) -> int:
        names = (member.name for member in self.manifest.members)
        return sum(name.startswith(f"{ORIGINALS}/") and not name.endswith(LABEL) for name in names)


def write_backup(settings: Settings, file: Path, *, overwrite: bool = False) -> Backup:
    """Write `file` from the data folder, which others may go on using, as it was at one moment."""
    root, file = settings.home, file.absolute()
    if file.exists() and not overwrite:
        raise StoreError(f"{file} is there already. Choose another name, or overwrite it with --force.")
    if not file.parent.is_dir():
        raise StoreError(f"There is no folder {str(file.parent)!r} to write the backup into.")
    if not root.is_dir():
        raise NotFound(f"There is nothing to back up: {root} is not there.")
    made = datetime.now(UTC).isoformat(timespec="seconds")
    with ExitStack() as held:
        in_use = InUse(root)
        held.callback(in_use.close)
        room = held.enter_context(workroom(root, BACKUP, "A backup"))
        served = settings.database.url is not None
        names = _collect(root, room, served=served)
        if not names:
            raise NotFound(f"There is nothing to back up in {root}.")
        with written(file) as writer:
            for name in names:
                writer.add(name, room / name)
            manifest = writer.finish(made, "postgresql" if served else "files")
    return Backup(file, manifest)


def _collect(root: Path, room: Path, *, served: bool) -> list[str]:
    """Put everything into `room` as it is at one moment; returns the names."""
    databases = [name for name in DATABASES if not served and (root / name).exists()]
    with ExitStack() as held:
        with _standing_still([root / name for name in databases]):
            # As long as nobody writes, nothing is removed that the catalogue lists.
            seen = {name: held.enter_context(_snapshot(root / name)) for name in databases}
            with _explained(root / "catalogue.db"):
                kept = [*(_all_kept(root) if served else _listed(seen.get("catalogue.db")))]
            found = [name for name in kept if _linked(root / name, room / name)]
        for name, connection in seen.items():
            _copy(connection, root / name, room / name)
    if _copied_cache(root / CACHE, room / CACHE):
        databases.append(CACHE)
    return [*databases, *sorted(found)]


@contextmanager
def _standing_still(files: list[Path]) -> Iterator[None]:
    """Nobody else writes to these databases meanwhile; whoever wants to waits."""
    with ExitStack() as held:
        for file in files:
            connection = held.enter_context(closing(_connected(file)))
            with _explained(file):
                connection.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def _snapshot(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection that goes on seeing the database as it is now, whatever is written later."""
    with closing(_connected(file)) as connection:
        with _explained(file):
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield connection


def _connected(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{file.as_uri()}?mode=rw", uri=True, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
    )


def _copy(connection: sqlite3.Connection, file: Path, target: Path) -> None:
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with _explained(file), closing(sqlite3.connect(target)) as copy:
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)


def _copied_cache(file: Path, target: Path) -> bool:
    """What can be computed again is no reason to make no backup."""
    if not file.exists():
        return False
    try:
        with _snapshot(file) as connection:
            _copy(connection, file, target)
    except StoreError:
        target.unlink(missing_ok=True)
        return False
    return True


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreUnavailable(f"No backup was made: {file} cannot be read ({error}).") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"No backup was made: {file} is damaged ({error}).") from error


def _listed(catalogue: sqlite3.Connection | None) -> Iterator[str]:
    """The files behind documents, and those that wait to be read."""
    if catalogue is None:
        return
    tables = {name for (name,) in catalogue.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "documents" in tables:
        for identifier, source in catalogue.execute("SELECT id, source FROM documents WHERE state = 'ready'"):
            if source.startswith(KEPT):
                yield from (f"{ORIGINALS}/{UUID(identifier)}{end}" for end in ("", LABEL))
    if "uploads" in tables:
        for (identifier,) in catalogue.execute("SELECT id FROM uploads WHERE state IN ('queued', 'reading')"):
            yield f"{_QUEUED}/{UUID(identifier).hex}"


def _all_kept(root: Path) -> Iterator[str]:
    for folder in (ORIGINALS, _QUEUED):
        if (root / folder).is_dir():
            yield from (f"{folder}/{path.name}" for path in (root / folder).iterdir() if path.is_file())


def _linked(file: Path, target: Path) -> bool:
    """The same content under another name, which stays when the first is removed; False where there is none."""
    make_folder(target.parent)
    try:
        try:
            os.link(file, target)
        except FileNotFoundError:
            return False
        except OSError:
            # Not every file system has links.
            shutil.copyfile(file, target)
    except OSError as error:
        raise StoreError(f"No backup was made: {file} cannot be read ({error.strerror}).") from error
    return True


PATIENCE_S = 60.0
"""How long everybody who uses the folder may take to close it."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore has brought back."""

    root: Path
    manifest: Manifest
    workspaces: tuple[Workspace, ...]
    replaced: Path | None
    """Where what was there before lies now."""


def restore(
    settings: Settings,
    file: Path,
    *,
    overwrite: bool = False,
    tell: Tell = lambda _: None,
    patience_s: float = PATIENCE_S,
) -> Restored:
    """Put the backup into the data folder of these settings; `tell` hears what is being done."""
    root, file = settings.home, file.absolute()
    with opened(file) as reader:
        _refuse_mismatch(reader.manifest, settings)
        # Also to finish what an earlier restore began.
        InUse(root).close()
        if is_used(root) and not overwrite:
            raise StoreError(
                f"There is data in {root} already. Restore into an empty folder with --into FOLDER, or replace "
                "what is there with --force; it is kept beside the new data."
            )
        _require_room(root, reader.manifest)
        tell("Checking the backup.")
        reader.check()
        with workroom(root, RESTORE, "A restore") as room:
            new = room / "new"
            make_folder(new)
            tell("Unpacking it.")
            reader.unpack(new)
            found = _prepare(settings.model_copy(update={"data_dir": new}), tell)
            tell("Putting it in place; a running service needs a moment to make room.")
            replaced = exchange(root, patience_s)
    if settings.index.url is not None and settings.database.url is None:
        _fill_server(settings, found, tell)
    return Restored(root, reader.manifest, tuple(found), replaced)


def _refuse_mismatch(manifest: Manifest, settings: Settings) -> None:
    here = "files" if settings.database.url is None else "postgresql"
    if manifest.database != here:
        held = "PostgreSQL" if manifest.database == "postgresql" else "files of the data folder"
        raise StoreError(
            f"This backup was made where documents, runs and keys were kept in {held}, and these settings keep them "
            f"{'in files' if here == 'files' else 'in PostgreSQL'}. Set DOCMIND_DATABASE__URL as it was then."
        )


def _require_room(root: Path, manifest: Manifest) -> None:
    free = shutil.disk_usage(root).free
    if manifest.size > free:
        raise StoreError(
            f"The backup needs {manifest.size / 1e9:,.1f} GB in {root}, and {free / 1e9:,.1f} GB are free. "
            "Nothing was changed."
        )


def _prepare(settings: Settings, tell: Tell) -> list[Workspace]:
    """Bring the unpacked stores up to this version and write their index; returns what is in them."""
    root = settings.home
    for name in (*DATABASES, CACHE):
        if (root / name).exists():
            _require_sound(root / name)
    if settings.database.url is not None:
        return []
    _forget_processes(root)
    with DocMind(settings) as engine:
        engine.keys.exist()
        found = engine.workspaces()
        if settings.index.url is None:
            _write_index(engine, found, tell)
    return found


def _require_sound(file: Path) -> None:
    """A database that is whole, and in which nothing is carried out behind one's back."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA trusted_schema=OFF")
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            query = "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE '%VIRTUAL%'"
            foreign = connection.execute(query).fetchone()[0]
    except sqlite3.DatabaseError as error:
        found, foreign = str(error), 0
    if found != "ok" or foreign:
        told = f"is damaged ({found})" if found != "ok" else "holds what DocMind never writes (triggers or views)"
        raise StoreError(f"The backup cannot be restored: its {file.name} {told}. Nothing was changed.")


def _forget_processes(root: Path) -> None:
    """Nobody is at the runs of a backup any more, and no index has its recollections."""
    for name, table, change in (
        ("runs.db", "run_claims", "DELETE FROM run_claims"),
        ("memory.db", "conversation_memory", "UPDATE conversation_memory SET indexed = 0"),
    ):
        if (root / name).exists():
            with closing(sqlite3.connect(root / name)) as connection, connection:
                if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
                    connection.execute(change)


def _write_index(engine: DocMind, workspaces: list[Workspace], tell: Tell) -> None:
    for one in workspaces:
        if one.passages:
            tell(f"Writing the index of workspace {one.name} anew.")
            # An ingest of nothing writes what the catalogue has and the index has not.
            engine.ingest([], Scope(one.name))
    if (engine.home / "memory.db").exists():
        engine.index_recollections()


def _fill_server(settings: Settings, workspaces: list[Workspace], tell: Tell) -> None:
    """The server has the passages of the documents that were replaced."""
    with DocMind(settings) as engine:
        for one in workspaces:
            engine.index.drop(one.name)
        _write_index(engine, workspaces, tell)
