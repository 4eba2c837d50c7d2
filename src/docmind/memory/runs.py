"""The record of runs: what each asked and gave, and every reply and search it rests on. Each belongs to its scope."""

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from pydantic import ValidationError

from docmind.database import UPGRADES, open_database
from docmind.domain.answers import RunResult
from docmind.domain.confidence import Below, Threshold
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.memory.run import Answer, Run, RunState, checkpoints_of

_LONGEST_REFERENCE = 80
"""No id is as long, and databases refuse to look for the start of an endless one."""
_SCHEMA = sa.MetaData()
_RUNS = sa.Table(
    "runs",
    _SCHEMA,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("workspace", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),  # "" where no user was named
    sa.Column("workflow", sa.String, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("started", sa.Float, nullable=False),
    sa.Column("thread", sa.String),
    sa.Column("base", sa.String),
    sa.Column("models", sa.JSON, nullable=False),
    sa.Column("state", sa.String, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("answers", sa.JSON, nullable=False),
    sa.Column("ended", sa.Float),
    sa.Column("result", sa.Text),
    sa.Column("threshold", sa.JSON, nullable=False, server_default="{}"),
    sa.Column("max_retries", sa.Integer),
    sa.Index("runs_by_scope", "workspace", "owner", "started"),
)
_RUNS.info[UPGRADES] = (
    # The first version gave every answer, however sure it was.
    lambda connection: connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN threshold JSON NOT NULL DEFAULT '{}'"),
    # The second left the retries to the settings.
    lambda connection: connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN max_retries INTEGER"),
)
_RECORDS = sa.Table(
    "run_records",
    _SCHEMA,
    sa.Column("run_id", sa.String, primary_key=True),
    sa.Column("key", sa.String, primary_key=True),
    sa.Column("record", sa.Text, nullable=False),
)
_DAMAGED = "The record of its result is damaged."
# Made once: SQLAlchemy takes longer to put a statement together than SQLite to carry it out.
_BEGIN = _RUNS.insert()
_RUN = sa.bindparam("run", type_=sa.String)
_CHANGE = _RUNS.update().where(_RUNS.c.id == _RUN)
_RECORD = _RECORDS.insert().from_select(
    ["run_id", "key", "record"],
    sa.select(_RUN, sa.bindparam("at", type_=sa.String), sa.bindparam("said", type_=sa.Text)).where(
        sa.exists().where(_RUNS.c.id == _RUN)
    ),
)


def open_runs(url: str | None, root: Path) -> "Runs":
    """The record of runs at `url`, or in the folder `root` where none is given."""
    return Runs(open_database(url, root / "runs.db", _SCHEMA, holds="The record of runs"))


class Runs:
    """Thread-safe; each method is one transaction."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        self._engine.dispose()

    def begin(self, run: Run) -> None:
        row = {name: getattr(run, name) for name in ("id", "workflow", "question", "started", "thread", "base")}
        row |= {"workspace": run.scope.workspace, "owner": run.scope.user or "", "models": run.models}
        row |= {"threshold": asdict(run.threshold), "max_retries": run.max_retries}
        row |= {"state": run.state, "reason": "", "answers": []}
        with self._engine.begin() as connection:
            connection.execute(_BEGIN, row)

    def go_on(self, run: Run) -> None:
        """It is under way again, with what a person has answered so far; what it asked is not open any more."""
        answers = [asdict(answer) for answer in run.answers]
        self._update(run, state=RunState.RUNNING, reason="", answers=answers, result=None)

    def stop(self, run: Run, reason: str) -> None:
        self._update(run, state=RunState.STOPPED, reason=reason)

    def wait(self, run: Run, result: RunResult) -> None:
        """It asks a person something."""
        self._update(run, state=RunState.WAITING, result=result.model_dump_json())

    def end(self, run: Run, result: RunResult) -> None:
        self._update(run, state=RunState.ENDED, ended=time.time(), result=result.model_dump_json())

    def _update(self, run: Run, **values: Any) -> None:
        with self._engine.begin() as connection:
            connection.execute(_CHANGE, {"run": run.id, **values})

    def find(self, reference: str, scope: Scope) -> Run:
        """The scope's run with this id or the start of it; another's is not found."""
        query = sa.select(_RUNS).where(*_owned(scope), _RUNS.c.id.startswith(_text(reference), autoescape=True))
        with self._engine.connect() as connection:
            rows = connection.execute(query.limit(2)).mappings() if 0 < len(reference) <= _LONGEST_REFERENCE else ()
            found = [_as_run(row) for row in rows]
        if not found:
            raise NotFound(f"There is no run {reference[:80]!r} in workspace {scope.workspace!r}.")
        if len(found) > 1:
            raise NotFound(f"{reference[:80]!r} is not exact enough: several runs begin with it.")
        return found[0]

    def latest(self, scope: Scope, limit: int) -> list[Run]:
        query = sa.select(_RUNS).where(*_owned(scope)).order_by(_RUNS.c.started.desc(), _RUNS.c.id).limit(limit)
        with self._engine.connect() as connection:
            return [_as_run(row) for row in connection.execute(query).mappings()]

    def count(self, scope: Scope) -> int:
        with self._engine.connect() as connection:
            return int(connection.scalar(sa.select(sa.func.count()).where(*_owned(scope))) or 0)

    def last_of(self, run: Run) -> Run:
        """The newest run of the conversation that a run belongs to."""
        same = (*_owned(run.scope), _RUNS.c.workflow == run.workflow, _RUNS.c.thread == run.thread)
        query = sa.select(_RUNS).where(*same).order_by(_RUNS.c.started.desc()).limit(1)
        with self._engine.connect() as connection:
            return _as_run(connection.execute(query).mappings().one())

    def waiting(self, scope: Scope) -> list[Run]:
        """The scope's runs that ask a person something, oldest first."""
        asks = _RUNS.c.state == RunState.WAITING
        query = sa.select(_RUNS).where(*_owned(scope), asks).order_by(_RUNS.c.started, _RUNS.c.id)
        with self._engine.connect() as connection:
            return [_as_run(row) for row in connection.execute(query).mappings()]

    def in_threads(self, scope: Scope, thread: str | None = None) -> list[Run]:
        """The scope's runs that belong to conversations, or to one of them, oldest first."""
        wanted = _RUNS.c.thread.is_not(None) if thread is None else _RUNS.c.thread == _text(thread)
        query = sa.select(_RUNS).where(*_owned(scope), wanted).order_by(_RUNS.c.started, _RUNS.c.id)
        with self._engine.connect() as connection:
            return [_as_run(row) for row in connection.execute(query).mappings()]

    def delete(self, run: Run) -> None:
        """Forget a run with everything that was recorded for it."""
        with self._engine.begin() as connection:
            connection.execute(_RECORDS.delete().where(_RECORDS.c.run_id == run.id))
            connection.execute(_RUNS.delete().where(_RUNS.c.id == run.id))

    def workspaces(self) -> dict[str, int]:
        """Every workspace in which something was asked, with the number of its runs, whoever asked."""
        query = sa.select(_RUNS.c.workspace, sa.func.count()).group_by(_RUNS.c.workspace)
        with self._engine.connect() as connection:
            return {workspace: int(count) for workspace, count in connection.execute(query)}

    def checkpoints_in(self, workspace: str) -> set[str]:
        """What the checkpoints of a workspace's runs and threads are kept under."""
        named = sa.select(*(_RUNS.c[name] for name in ("id", "workflow", "workspace", "owner", "thread")))
        with self._engine.connect() as connection:
            rows = connection.execute(named.where(_RUNS.c.workspace == workspace))
            return {checkpoints_of(*row) for row in rows}

    def drop(self, workspace: str) -> None:
        """Forget the runs of a whole workspace with everything that was recorded for them."""
        theirs = sa.select(_RUNS.c.id).where(_RUNS.c.workspace == workspace)
        with self._engine.begin() as connection:
            connection.execute(_RECORDS.delete().where(_RECORDS.c.run_id.in_(theirs)))
            connection.execute(_RUNS.delete().where(_RUNS.c.workspace == workspace))

    def recorder(self, run: Run) -> "RunRecorder":
        """Where the replies and searches of a run are kept, with those it has already."""
        query = sa.select(_RECORDS.c.key, _RECORDS.c.record).where(_RECORDS.c.run_id == run.id)
        with self._engine.connect() as connection:
            return RunRecorder(self, run.id, dict(connection.execute(query).all()))

    def record(self, run_id: str, key: str, record: str) -> None:
        """Keep a record, unless the run was deleted while it was under way: nothing of it is to stay."""
        with self._engine.begin() as connection:
            connection.execute(_RECORD, {"run": run_id, "at": key, "said": record})


class RunRecorder:
    """A `Recorder` whose records outlive the process from the moment they are stored."""

    def __init__(self, runs: Runs, run_id: str, records: dict[str, str] | None = None) -> None:
        self._runs = runs
        self._run_id = run_id
        self.records = records or {}

    def lookup(self, key: str) -> str | None:
        return self.records.get(key)

    def store(self, key: str, record: str) -> None:
        # Two that ask the same at the same time are both answered, and the first answer is the one on record.
        if self.records.setdefault(key, record) is record:
            self._runs.record(self._run_id, key, record)


def _owned(scope: Scope) -> list[sa.ColumnElement[bool]]:
    return [_RUNS.c.workspace == scope.workspace, _RUNS.c.owner == (scope.user or "")]


def _text(reference: str) -> str:
    """A shell hands over bytes, and PostgreSQL refuses what SQLite only does not find."""
    return reference.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def _threshold(most_wrong: float | None = None, below: str = Below.WITHHOLD) -> Threshold:
    return Threshold(most_wrong, Below(below))


def _as_run(row: Any) -> Run:
    plain = ("id", "workflow", "question", "started", "thread", "base", "models", "reason", "ended", "max_retries")
    run = Run(
        scope=Scope(row["workspace"], row["owner"] or None),
        state=RunState(row["state"]),
        answers=tuple(Answer(**answer) for answer in row["answers"]),
        threshold=_threshold(**row["threshold"]),
        **{name: row[name] for name in plain},
    )
    try:
        return replace(run, result=RunResult.model_validate_json(row["result"]) if row["result"] else None)
    except ValidationError:
        # One that cannot be read is made anew from the steps and replies on record, and keeps no other from being seen.
        return replace(run, state=RunState.STOPPED, reason=_DAMAGED, ended=None)
