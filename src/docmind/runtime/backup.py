"""Everything in the data folder in one file, as it was at one moment, while the folder is in use.

The index is left out: it is written anew from the catalogue, for which the cache of embeddings comes along.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from docmind.corpus.originals import KEPT, LABEL
from docmind.domain.errors import NotFound, StoreError, StoreUnavailable
from docmind.domain.private_files import make_folder
from docmind.runtime.backup_file import Manifest, written
from docmind.runtime.data_folder import BACKUP, CACHE, DATABASES, ORIGINALS, InUse, workroom
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
