"""Who works on a run: claimed in the database, so that no two processes, wherever they run, go on with the same one.

A claim lasts for a minute and is renewed by its holder. One whose process has died is free at once where that can be
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
_CLAIMS = sa.Table(
    "run_claims",
    _SCHEMA,
    sa.Column("work", sa.String, primary_key=True),
    sa.Column("token", sa.String, nullable=False),
    sa.Column("host", sa.String, nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("born", sa.String, nullable=False),
    sa.Column("until", sa.Float, nullable=False),
)
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
        """Whether it surely has; of a process on another machine nobody can tell."""
        return self.host == platform.node() and _born(self.pid) != self.born

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


@dataclass(frozen=True, slots=True)
class Claim:
    work: str
    token: str


def open_claims(url: str | None, root: Path, clock: Callable[[], float] = time.time) -> "Claims":
    """The claims at `url`, or in the folder `root` where none is given."""
    return Claims(open_database(url, root / "runs.db", _SCHEMA, holds="The record of runs"), clock)


class Claims:
    """Thread-safe; each method is one transaction."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float]) -> None:
        self._engine = engine
        self._now = clock
        self._given_up: set[str] = set()
        """Tokens of claims that could not be given back; elsewhere these run out."""

    def close(self) -> None:
        self._engine.dispose()

    def take(self, work: str) -> Claim:
        """Claim what the checkpoints of a run are kept under, or say who has it."""
        now, this, claim = self._now(), Process.this(), Claim(work, uuid4().hex)
        with self._engine.begin() as connection:
            connection.execute(_CLAIMS.delete().where(_CLAIMS.c.until < now))
            there = connection.execute(_CLAIMS.select().where(_CLAIMS.c.work == work)).mappings().first()
            holder = _holder(there) if there else this
            dead = there["token"] if there and self._is_free(there) else ""
            row = {**asdict(claim), **asdict(this), "until": now + LASTS_S, "dead": dead}
            taken = connection.execute(_TAKE, row).rowcount == 1
        if not taken:
            who = "this process" if holder == this else f"another process ({holder})"
            raise UnderWay(f"The run, or its conversation, is being worked on or resumed by {who}; wait for it to end.")
        return claim

    def truly(self, read: Callable[[], Sequence[Run]]) -> list[Run]:
        """The runs as they stand: of those that nobody is at any more, their process ended before they did."""
        runs = read()
        works = {run.checkpoints for run in runs if run.state is RunState.RUNNING}
        held = self._held(works) if works else set()
        free = {run.id for run in runs if run.checkpoints in works - held}
        # An end is noted before a claim is given back, and both may have happened since the runs were read.
        return [_lost(run) if run.id in free else run for run in (read() if free else runs)]

    def _held(self, works: Collection[str]) -> set[str]:
        standing = _CLAIMS.select().where(_CLAIMS.c.work.in_(works), _CLAIMS.c.until >= self._now())
        with self._engine.connect() as connection:
            rows = connection.execute(standing).mappings().all()
        return {row["work"] for row in rows if not self._is_free(row)}

    def _is_free(self, row: Any) -> bool:
        return row["token"] in self._given_up or _holder(row).has_died()

    def renew(self, claim: Claim) -> bool:
        """Hold it for another minute; False where it ran out and somebody else has it now."""
        renewed = _CLAIMS.update().where(*_is(claim)).values(until=self._now() + LASTS_S)
        with self._engine.begin() as connection:
            return connection.execute(renewed).rowcount == 1

    def release(self, claim: Claim) -> None:
        """Give it back, whatever state the database is in."""
        self._given_up.add(claim.token)
        with suppress(StoreError):
            with self._engine.begin() as connection:
                connection.execute(_CLAIMS.delete().where(*_is(claim)))
            self._given_up.discard(claim.token)


def _holder(row: Any) -> Process:
    return Process(row["host"], row["pid"], row["born"])


def _lost(run: Run) -> Run:
    if run.state is not RunState.RUNNING:
        return run
    return replace(run, state=RunState.STOPPED, reason="Its process ended before it did.")


def _is(claim: Claim) -> tuple[sa.ColumnElement[bool], ...]:
    return _CLAIMS.c.work == claim.work, _CLAIMS.c.token == claim.token


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
