"""The record of what is read in the background: files and web pages that wait, and what became of others."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from docmind.corpus.report import Filed, Outcome
from docmind.database import open_database
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope

_ADDRESSES = ("http://", "https://")
KEPT_S = 7 * 24 * 3600.0
"""How long it is remembered what became of a file."""

_SCHEMA = sa.MetaData()
_FILES = sa.Table(
    "uploads",
    _SCHEMA,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("upload", sa.String, nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("workspace", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),  # "" where everyone in the workspace shares it
    sa.Column("name", sa.String, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("state", sa.String, nullable=False),
    sa.Column("sent", sa.Float, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("ended", sa.Float),
    sa.Column("outcomes", sa.JSON, nullable=False),
    sa.Index("uploads_by_scope", "workspace", "owner", "sent"),
    sa.Index("uploads_by_state", "state"),
)


class FileState(StrEnum):
    QUEUED = "queued"
    READING = "reading"
    """Also where the process that read it was killed; another takes it up."""
    DONE = "done"
    REJECTED = "rejected"
    """Nothing of it could be read."""
    CANCELLED = "cancelled"


OPEN = (FileState.QUEUED, FileState.READING)


@dataclass(frozen=True, slots=True)
class QueuedFile:
    """A file that was sent, and what has become of it so far."""

    id: str
    upload: str
    position: int
    scope: Scope
    name: str
    bytes: int
    state: FileState = FileState.QUEUED
    sent: float = 0.0
    """Seconds since 1970."""
    attempts: int = 0
    """How often its reading was begun."""
    ended: float | None = None
    outcomes: tuple[Filed, ...] = ()
    """What became of it, or of each member of an archive."""

    @property
    def is_web_page(self) -> bool:
        """Whether it is to be fetched, from the address that is its name; no file's name has two slashes in a row."""
        return self.name.startswith(_ADDRESSES)


def open_uploads(url: str | None, root: Path, clock: Callable[[], float] = time.time) -> "Uploads":
    """The record at `url`, or in the folder `root` where none is given."""
    return Uploads(open_database(url, root / "catalogue.db", _SCHEMA, holds="The record of uploads"), clock)


class Uploads:
    """Thread-safe; each method is one transaction."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float]) -> None:
        self._engine = engine
        self._now = clock

    def close(self) -> None:
        self._engine.dispose()

    def add(self, files: Sequence[QueuedFile]) -> None:
        """Record files that wait from now on, and forget what became of others long ago."""
        now = self._now()
        with self._engine.begin() as connection:
            connection.execute(_FILES.delete().where(_FILES.c.ended < now - KEPT_S))
            connection.execute(_FILES.insert(), [_row(replace(one, sent=now)) for one in files])

    def listed(self, scope: Scope) -> list[QueuedFile]:
        """The files that were sent to exactly this scope, in the order they came."""
        return self._read(*_of(scope))

    def unfinished(self) -> list[QueuedFile]:
        """Every file that is still to be read or is being read, whoever sent it, in the order they came."""
        return self._read(_FILES.c.state.in_(OPEN))

    def upload(self, reference: str, scope: Scope) -> list[QueuedFile]:
        """The files of an upload by its id, or the one file with that id."""
        asked = reference.encode("utf-8", "replace").decode().replace("\0", "\ufffd")[:80]
        found = self._read(*_of(scope), sa.or_(_FILES.c.upload == asked, _FILES.c.id == asked))
        if not found:
            raise NotFound(f"There is no upload {reference[:80]!r} in workspace {scope.workspace!r}.")
        return found

    def ended(self, file_ids: Collection[str]) -> list[str]:
        """Those of these files that are not to be read any more."""
        return [one.id for one in self._read(_FILES.c.id.in_(file_ids)) if one.state not in OPEN]

    def begin(self, file: QueuedFile) -> bool:
        """Its reading begins; False where it was cancelled or finished meanwhile."""
        open_still = _FILES.c.state.in_(OPEN), _FILES.c.attempts == file.attempts
        values = {"state": FileState.READING, "attempts": file.attempts + 1}
        return self._change([file.id], values, *open_still) == 1

    def end(self, file_id: str, outcomes: Iterable[Filed]) -> None:
        """Record what became of it."""
        told = list(outcomes)
        # An archive without any file in it has nothing that was rejected.
        failed = bool(told) and all(one.outcome is Outcome.REJECTED for one in told)
        state = FileState.REJECTED if failed else FileState.DONE
        values = {"state": state, "ended": self._now(), "outcomes": [asdict(one) for one in told]}
        self._change([file_id], values, _FILES.c.state == FileState.READING)

    def put_back(self, file_id: str) -> None:
        """Its reading was broken off for no fault of the file; it waits again, as if it had not begun."""
        values = {"state": FileState.QUEUED, "attempts": _FILES.c.attempts - 1}
        self._change([file_id], values, _FILES.c.state == FileState.READING)

    def cancel(self, file_ids: Sequence[str]) -> None:
        """Those that wait are not read any more."""
        values = {"state": FileState.CANCELLED, "ended": self._now()}
        self._change(file_ids, values, _FILES.c.state == FileState.QUEUED)

    def forget(self, file_ids: Sequence[str]) -> None:
        with self._engine.begin() as connection:
            connection.execute(_FILES.delete().where(_FILES.c.id.in_(file_ids)))

    def drop(self, workspace: str) -> list[str]:
        """Forget the files of a whole workspace; returns their ids."""
        theirs = _FILES.c.workspace == workspace
        with self._engine.begin() as connection:
            ids = list(connection.scalars(sa.select(_FILES.c.id).where(theirs)))
            connection.execute(_FILES.delete().where(theirs))
        return ids

    def _change(self, file_ids: Sequence[str], values: dict[str, Any], *where: sa.ColumnElement[bool]) -> int:
        with self._engine.begin() as connection:
            changed = connection.execute(_FILES.update().where(_FILES.c.id.in_(file_ids), *where).values(values))
            return changed.rowcount

    def _read(self, *where: sa.ColumnElement[bool]) -> list[QueuedFile]:
        query = sa.select(_FILES).where(*where).order_by(_FILES.c.sent, _FILES.c.upload, _FILES.c.position)
        with self._engine.connect() as connection:
            return [_as_file(row) for row in connection.execute(query).mappings()]


_PLAIN = ("id", "upload", "position", "name", "bytes", "sent", "attempts", "ended")


def _of(scope: Scope) -> tuple[sa.ColumnElement[bool], ...]:
    return _FILES.c.workspace == scope.workspace, _FILES.c.owner == (scope.user or "")


def _row(file: QueuedFile) -> dict[str, Any]:
    owned = {"workspace": file.scope.workspace, "owner": file.scope.user or ""}
    told = {"state": file.state, "outcomes": [asdict(one) for one in file.outcomes]}
    return {**{name: getattr(file, name) for name in _PLAIN}, **owned, **told}


def _as_file(row: Any) -> QueuedFile:
    return QueuedFile(
        scope=Scope(row["workspace"], row["owner"] or None),
        state=FileState(row["state"]),
        outcomes=tuple(_as_filed(**told) for told in row["outcomes"]),
        **{name: row[name] for name in _PLAIN},
    )


def _as_filed(name: str, outcome: str, document: str | None, reason: str, notes: Sequence[str]) -> Filed:
    return Filed(name, Outcome(outcome), document, reason, tuple(notes))
