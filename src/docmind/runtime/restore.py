"""A backup put in the place of a data folder: checked, unpacked and indexed beside it, then exchanged all at once.

A service that runs goes on serving the old data until the new is ready, and then opens the new one.
"""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from docmind.domain.errors import StoreError
from docmind.domain.private_files import make_folder
from docmind.domain.scope import Scope
from docmind.runtime.backup_file import Manifest, opened
from docmind.runtime.data_folder import CACHE, DATABASES, RESTORE, InUse, exchange, is_used, workroom
from docmind.runtime.engine import DocMind
from docmind.runtime.workspaces import Workspace
from docmind.settings import Settings

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
