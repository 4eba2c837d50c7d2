"""Leases on runs, kept in the database, so that no two processes, wherever they run, go on with the same one.

A lease lasts for a minute and is renewed by its holder. One whose process has died is free at once where that can be
seen, which is on the same machine, and a minute later elsewhere.
"""

import os
import platform
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from docmind.database import open_database
from docmind.domain.errors import StoreError, UnderWay
from docmind.memory.run import Run, RunState

LASTS_S = 60.0
RENEWED_EVERY_S = 20.0

_SCHEMA = sa.MetaData()
_LEASES = sa.Table(
    "run_claims",  # the name that the databases of earlier versions have
    _SCHEMA,
    sa.Column("work", sa.String, primary_key=True),
    sa.Column("token", sa.String, nullable=False),
    sa.Column("host", sa.String, nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("born", sa.String, nullable=False),
    sa.Column("until", sa.Float, nullable=False),
)
# Made once: SQLAlchemy takes longer to put a statement together than SQLite to carry it out.
_IS_ITS_WORK = _LEASES.c.work == sa.bindparam("this_work")
_IS = _IS_ITS_WORK, _LEASES.c.token == sa.bindparam("this_token")
_EXPIRE = _LEASES.delete().where(_LEASES.c.until < sa.bindparam("this_now"))
_HELD = _LEASES.select().where(_IS_ITS_WORK)
_RENEW = _LEASES.update().where(*_IS).values(until=sa.bindparam("this_until"))
_RELEASE = _LEASES.delete().where(*_IS)
# One statement that takes what is free, or what the process holds that was found dead, and nothing else.
_TAKE = sa.text(
    "INSERT INTO run_claims (work, token, host, pid, born, until) VALUES (:work, :token, :host, :pid, :born, :until) "
    "ON CONFLICT (work) DO UPDATE SET token = excluded.token, host = excluded.host, pid = excluded.pid, "
    "born = excluded.born, until = excluded.until WHERE run_claims.token = :dead"
)


@dataclass(frozen=True, slots=True)
class Process:
    host: str
    pid: int
    born: str
    """When it was started, as the system counts: another process may get the same number later."""

    @classmethod
    def this(cls) -> "Process":
        return cls(platform.node(), os.getpid(), _born(os.getpid()) or "")

    def has_died(self) -> bool:
        """True if the process has certainly ended. A process on another machine cannot be checked."""
        return self.host == platform.node() and _born(self.pid) != self.born

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


@dataclass(frozen=True, slots=True)
class Lease:
    work: str
    token: str


def open_leases(url: str | None, root: Path, clock: Callable[[], float] = time.time) -> "Leases":
    """The leases at `url`, or in the folder `root` where none is given."""
    return Leases(open_database(url, root / "runs.db", _SCHEMA, holds="The record of runs"), clock)


class Leases:
    """Thread-safe; each method is one transaction."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float]) -> None:
        self._engine = engine
        self._now = clock
        self._given_up: set[str] = set()
        """Tokens of leases that could not be given back; elsewhere these run out."""

    def close(self) -> None:
        self._engine.dispose()

    def take(self, work: str) -> Lease:
        """Take the lease on what the checkpoints of a run are kept under, or say who has it."""
        now, this, lease = self._now(), Process.this(), Lease(work, uuid4().hex)
        with self._engine.begin() as connection:
            connection.execute(_EXPIRE, {"this_now": now})
            there = connection.execute(_HELD, {"this_work": work}).mappings().first()
            holder = _holder(there) if there else this
            dead = there["token"] if there and self._is_free(there) else ""
            row = {**asdict(lease), **asdict(this), "until": now + LASTS_S, "dead": dead}
            taken = connection.execute(_TAKE, row).rowcount == 1
        if not taken:
            who = "this process" if holder == this else f"another process ({holder})"
            raise UnderWay(f"The run, or its conversation, is being worked on or resumed by {who}; wait for it to end.")
        return lease

    def truly(self, read: Callable[[], Sequence[Run]]) -> list[Run]:
        """The runs as they stand: of those that nobody is at any more, their process ended before they did."""
        runs = read()
        works = {run.checkpoints for run in runs if run.state is RunState.RUNNING}
        held = self._held(works) if works else set()
        free = {run.id for run in runs if run.checkpoints in works - held}
        # An end is noted before a lease is given back, and both may have happened since the runs were read.
        return [_lost(run) if run.id in free else run for run in (read() if free else runs)]

    def _held(self, works: Collection[str]) -> set[str]:
        standing = _LEASES.select().where(_LEASES.c.work.in_(works), _LEASES.c.until >= self._now())
        with self._engine.connect() as connection:
            rows = connection.execute(standing).mappings().all()
        return {row["work"] for row in rows if not self._is_free(row)}

    def _is_free(self, row: Any) -> bool:
        return row["token"] in self._given_up or _holder(row).has_died()

    def renew(self, lease: Lease) -> bool:
        """Hold it for another minute; False where it ran out and somebody else has it now."""
        with self._engine.begin() as connection:
            return connection.execute(_RENEW, _this(lease) | {"this_until": self._now() + LASTS_S}).rowcount == 1

    def release(self, lease: Lease) -> None:
        """Give it back, whatever state the database is in."""
        self._given_up.add(lease.token)
        with suppress(StoreError):
            with self._engine.begin() as connection:
                connection.execute(_RELEASE, _this(lease))
            self._given_up.discard(lease.token)


def _holder(row: Any) -> Process:
    return Process(row["host"], row["pid"], row["born"])


def _lost(run: Run) -> Run:
    if run.state is not RunState.RUNNING:
        return run
    return replace(run, state=RunState.STOPPED, reason="Its process ended before it did.")


def _this(lease: Lease) -> dict[str, Any]:
    return {"this_work": lease.work, "this_token": lease.token}


def _born(pid: int) -> str | None:
    """When a process of this machine was started, "" where the system does not tell, None where there is none."""
    try:
        # The name of the program, which may hold anything, ends with the last bracket; the start is the 20th field on.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return "" if _lives(pid) else None


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
