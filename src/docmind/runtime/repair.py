"""A damaged catalogue built anew: from the rows that can still be read, and from the files behind the documents.

Runs, conversations, memory and keys are in files of their own and stay as they are.
"""

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from docmind.corpus.discover import Unit
from docmind.corpus.originals import KEPT, Originals
from docmind.domain.errors import DocMindError, StoreError
from docmind.domain.files import make_folder
from docmind.domain.scope import Scope
from docmind.runtime.data_folder import CATALOGUE, ORIGINALS, RESTORE, exchange_some, to_oneself, workroom
from docmind.runtime.engine import DocMind
from docmind.settings import Settings

_LAST_ROW = 2**40
_MOST_FAILURES = 10_000
"""Where so many reads of a table have failed, hardly anything of it is left."""
_WHOLE = """
    SELECT d.id FROM documents d JOIN texts t ON t.document_id = d.id
    WHERE d.state = 'ready' AND length(t.text) = d.characters
    AND (SELECT count(*) FROM passages p WHERE p.document_id = d.id) = d.passages
"""


@dataclass
class Repaired:
    """What has become of the documents."""

    damaged: Path
    """Where the damaged file lies now."""
    kept: int = 0
    """Documents whose rows could be read."""
    again: list[str] = field(default_factory=list)
    """Names of those that were read again from their files."""
    lost: list[str] = field(default_factory=list)
    """Names of those of which neither was there."""
    unnamed: list[Path] = field(default_factory=list)
    """Originals of which nothing says whose they are."""


@dataclass(frozen=True, slots=True)
class _Broken:
    """A document that is not whole in the damaged file, or not in it at all."""

    scope: Scope
    source: str
    name: str
    media_type: str
    original: Path | None


def repair(settings: Settings, tell: Callable[[str], None] = lambda _: None) -> Repaired:
    """Build the catalogue anew and move the damaged file aside; raises where it is sound."""
    root = settings.home
    if settings.database.url is not None:
        raise StoreError("The catalogue is in PostgreSQL: repair it with PostgreSQL's own tools, or restore a dump.")
    if not root.is_dir():
        raise StoreError(f"There is nothing to repair: {root} is not there.")
    with to_oneself(root), workroom(root, RESTORE, "A repair") as room:
        if _is_sound(root / CATALOGUE[0]):
            raise StoreError(f"{root / CATALOGUE[0]} is not damaged. Nothing was changed.")
        new = room / "new"
        make_folder(new)
        done = Repaired(root)
        with DocMind(settings.model_copy(update={"data_dir": new})) as engine:
            _make_tables(engine)
            tell("Reading what can still be read of the catalogue.")
            broken = _salvage(_copied(root, room), new / CATALOGUE[0], engine, root, done)
            tell("Reading documents again from their files.")
            _read_again(engine, broken, room, done)
        _move_originals(new / ORIGINALS, root / ORIGINALS)
        done.damaged = exchange_some(root, CATALOGUE)
    tell("Writing what the index lacks.")
    with DocMind(settings) as engine:
        for one in engine.workspaces():
            engine.ingest([], Scope(one.name))
    return done


def _is_sound(file: Path) -> bool:
    if not file.exists():
        return False
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True)) as database:
            return bool(database.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


def _make_tables(engine: DocMind) -> None:
    engine.workspaces()
    engine.uploads.unfinished()


def _copied(root: Path, room: Path) -> Path:
    """Reading may change a database with a log beside it; the damaged one stays as it is."""
    for name in CATALOGUE[:2]:
        if (root / name).exists():
            shutil.copyfile(root / name, room / name)
    return room / CATALOGUE[0]


def _salvage(damaged: Path, target: Path, engine: DocMind, root: Path, done: Repaired) -> list[_Broken]:
    """Bring over every row that can be read, without documents that are not whole; returns those."""
    with closing(sqlite3.connect(damaged)) as source, closing(sqlite3.connect(target)) as catalogue:
        with catalogue:
            _copy_rows(source, catalogue)
        whole = {identifier for (identifier,) in catalogue.execute(_WHOLE)}
        query = "SELECT id, workspace, owner, source, name, media_type FROM documents WHERE state = 'ready'"
        rows = {row[0]: row[1:] for row in catalogue.execute(query) if row[0] not in whole}
        going = {one for (one,) in catalogue.execute("SELECT id FROM documents WHERE state != 'ready'")}
        with catalogue:
            catalogue.execute("CREATE TEMP TABLE whole AS SELECT id FROM (" + _WHOLE + ")")  # noqa: S608 - a constant
            for table, column in (
                ("passages", "document_id"), ("texts", "document_id"), ("web_versions", "document_id"),
                ("documents", "id"),
            ):  # fmt: skip
                catalogue.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM whole)")  # noqa: S608
    done.kept = len(whole)
    originals = {one: (file, label) for one, file, label in Originals(root / ORIGINALS, engine._limits).all()}
    broken = [
        _Broken(Scope(workspace, owner or None), source, name, media_type, originals.get(identifier, (None,))[0])
        for identifier, (workspace, owner, source, name, media_type) in rows.items()
    ]
    for identifier, (file, label) in originals.items():
        if identifier in whole or identifier in rows or identifier in going:
            continue
        if label is None:
            done.unnamed.append(file)
        else:
            scope = Scope(label.workspace, label.user)
            broken.append(_Broken(scope, label.source, label.name, label.media_type, file))
    return broken


def _copy_rows(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    # A file that was cut off is read as far as it goes.
    source.execute("PRAGMA writable_schema=ON")
    tables = [name for (name,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        if table == "table_versions":
            continue
        there = _columns(source, table)
        columns = [name for name in _columns(target, table) if name in there]
        if columns:
            names, places = ", ".join(f'"{name}"' for name in columns), ", ".join("?" for _ in columns)
            put = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({places})"  # noqa: S608 - names of our own tables
            target.executemany(put, _rows(source, f"SELECT rowid, {names} FROM {table}"))  # noqa: S608


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    try:
        return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    except sqlite3.DatabaseError:
        return []


def _rows(database: sqlite3.Connection, query: str) -> Iterator[Sequence[object]]:
    """Every row that can be read: where reading fails, what lies before and behind is tried in ever smaller parts."""
    parts, failures = [(0, _LAST_ROW)], 0
    while parts and failures < _MOST_FAILURES:
        low, high = parts.pop()
        last = low - 1
        try:
            for row in database.execute(f"{query} WHERE rowid BETWEEN ? AND ? ORDER BY rowid", (low, high)):
                last = row[0]
                yield row[1:]
        except sqlite3.DatabaseError:
            failures += 1
            if last >= low:
                parts.append((last + 1, high))
            elif low < high:
                middle = (low + high) // 2
                parts += [(middle + 1, high), (low, middle)]


def _read_again(engine: DocMind, broken: list[_Broken], room: Path, done: Repaired) -> None:
    for one in broken:
        try:
            found = _read(engine, one, room)
        except DocMindError:
            found = False
        (done.again if found else done.lost).append(one.name)


def _read(engine: DocMind, one: _Broken, room: Path) -> bool:
    """Bring a document in from its original, or from where it lay; whether it is there now."""
    if one.original is not None:
        place = room / one.original.name
        _link(one.original, place)
        content = hashlib.sha256(place.read_bytes()).hexdigest()
        media_type = "" if one.source.startswith("upload:") else one.media_type
        engine._ingestor.ingest_units([Unit(one.source, one.name, content, place, media_type)], one.scope)
    elif not one.source.startswith(KEPT):
        engine._ingestor.ingest([Path(one.source.partition("!")[0])], one.scope)
    return bool(engine.catalogue.sources(one.scope, [one.source]))


def _move_originals(new: Path, there: Path) -> None:
    for file in new.iterdir() if new.is_dir() else ():
        if file.is_file():
            make_folder(there)
            file.replace(there / file.name)


def _link(file: Path, target: Path) -> None:
    try:
        os.link(file, target)
    except OSError:
        # Not every file system has links.
        shutil.copyfile(file, target)
