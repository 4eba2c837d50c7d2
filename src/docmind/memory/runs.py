"""The record of runs: what each asked and gave, and every reply and search it rests on. Each belongs to its scope."""

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from pydantic import ValidationError

from docmind.database import UPGRADES, open_database
from docmind.domain.answers import COURTESIES, RunResult
from docmind.domain.confidence import Below, Threshold
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.memory.run import Answer, Feedback, Outline, Run, RunState, checkpoints_of
from docmind.memory.suggestions import ASKER

SCHEMA = sa.MetaData()
RUNS = sa.Table(
    "runs",
    SCHEMA,
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
    info={
        UPGRADES: (
            # The first version gave every answer, however sure it was.
            lambda connection: connection.exec_driver_sql(
                "ALTER TABLE runs ADD COLUMN threshold JSON NOT NULL DEFAULT '{}'"
            ),
            # The second left the retries to the settings.
            lambda connection: connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN max_retries INTEGER"),
        )
    },
)
RECORDS = sa.Table(
    "run_records",
    SCHEMA,
    sa.Column("run_id", sa.String, primary_key=True),
    sa.Column("key", sa.String, primary_key=True),
    sa.Column("record", sa.Text, nullable=False),
)
FEEDBACK = sa.Table(
    "run_feedback",
    SCHEMA,
    sa.Column("run_id", sa.String, primary_key=True),
    # "right" is a word of SQL.
    sa.Column("is_right", sa.Boolean, nullable=False),
    sa.Column("comment", sa.Text, nullable=False),
    sa.Column("given", sa.Float, nullable=False),
)
LABELS = sa.Table(
    "conversation_labels",
    SCHEMA,
    # What the checkpoints of the conversation are kept under: nobody else's has the same name.
    sa.Column("conversation", sa.String, primary_key=True),
    sa.Column("workspace", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("title", sa.Text),
    sa.Column("pinned", sa.Boolean, nullable=False),
)


def storable_text(given: str) -> str:
    """Text that every database takes: shells hand over any bytes, and PostgreSQL refuses what SQLite does not find."""
    return given.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


_LONGEST_REFERENCE = 80
"""No id is as long, and databases refuse to look for the start of an endless one."""
_DAMAGED = "The record of its result is damaged."
# Made once: SQLAlchemy takes longer to put a statement together than SQLite to carry it out.
_BEGIN = RUNS.insert()
_SELECT = sa.select(RUNS, FEEDBACK.c.is_right, FEEDBACK.c.comment, FEEDBACK.c.given).select_from(
    RUNS.outerjoin(FEEDBACK, FEEDBACK.c.run_id == RUNS.c.id)
)
_START_OF_RESULT = 4_000
"""Characters that hold the whole reply to a courtesy, and the kind of message, which stands behind it."""
_IS_COURTESY = sa.and_(
    RUNS.c.thread.is_not(None),
    sa.or_(
        *(
            sa.func.substr(RUNS.c.result, 1, _START_OF_RESULT).contains(f'"message_kind":"{kind}"', autoescape=True)
            for kind in sorted(COURTESIES)
        )
    ),
)
_RUN = sa.bindparam("run", type_=sa.String)
_CHANGE = RUNS.update().where(RUNS.c.id == _RUN)
_RECORD = RECORDS.insert().from_select(
    ["run_id", "key", "record"],
    sa.select(_RUN, sa.bindparam("at", type_=sa.String), sa.bindparam("said", type_=sa.Text)).where(
        sa.exists().where(RUNS.c.id == _RUN)
    ),
)

# Only of a run that is still there: one that is deleted meanwhile takes its feedback with it.
_PUT_FEEDBACK = sa.text(
    "INSERT INTO run_feedback (run_id, is_right, comment, given) SELECT id, CAST(:is_right AS BOOLEAN), "
    "CAST(:comment AS TEXT), CAST(:given AS FLOAT) FROM runs WHERE id = :run_id ON CONFLICT (run_id) DO UPDATE SET "
    "is_right = excluded.is_right, comment = excluded.comment, given = excluded.given"
)


def open_runs(url: str | None, root: Path) -> "Runs":
    """The record of runs at `url`, or in the folder `root` where none is given."""
    return Runs(open_database(url, root / "runs.db", SCHEMA, holds="The record of runs"))


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

    def put_feedback(self, run: Run, feedback: Feedback | None) -> None:
        """Keep what the person who asked made of the answer, in place of what they said before; None takes it back."""
        with self._engine.begin() as connection:
            if feedback is None:
                connection.execute(FEEDBACK.delete().where(FEEDBACK.c.run_id == run.id))
                return
            row = {"is_right": feedback.right, "comment": storable_text(feedback.comment), "given": feedback.given}
            connection.execute(_PUT_FEEDBACK, row | {"run_id": run.id})

    def with_feedback(self, scope: Scope) -> list[Run]:
        """The scope's runs that feedback was given on, the latest feedback first."""
        query = _SELECT.where(*_owned(scope), FEEDBACK.c.given.is_not(None))
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(FEEDBACK.c.given.desc(), RUNS.c.id)).mappings()
            return [_as_run(row) for row in rows]

    def outlines(self, scope: Scope) -> list[Outline]:
        """What was asked, oldest first, without what it gave: results take long to read."""
        columns = [RUNS.c[name] for name in ("id", "workflow", "thread", "question", "started", "state")]
        is_courtesy = sa.func.coalesce(_IS_COURTESY, sa.false()).label("is_courtesy")
        query = sa.select(*columns, is_courtesy).where(*_owned(scope)).order_by(RUNS.c.started, RUNS.c.id)
        with self._engine.connect() as connection:
            rows = connection.execute(query).mappings()
            return [
                Outline(
                    **{**row, "state": RunState(row["state"]), "is_courtesy": bool(row["is_courtesy"])}, scope=scope
                )
                for row in rows
            ]

    def find(self, reference: str, scope: Scope) -> Run:
        """The scope's run with this id or the start of it; another's is not found."""
        query = _SELECT.where(*_owned(scope), RUNS.c.id.startswith(storable_text(reference), autoescape=True))
        with self._engine.connect() as connection:
            rows = connection.execute(query.limit(2)).mappings() if 0 < len(reference) <= _LONGEST_REFERENCE else ()
            found = [_as_run(row) for row in rows]
        if not found:
            raise NotFound(f"There is no run {reference[:80]!r} in workspace {scope.workspace!r}.")
        if len(found) > 1:
            raise NotFound(f"{reference[:80]!r} is ambiguous: several runs begin with it.")
        return found[0]

    def latest(self, scope: Scope, limit: int) -> list[Run]:
        query = _SELECT.where(*_owned(scope)).order_by(RUNS.c.started.desc(), RUNS.c.id).limit(limit)
        with self._engine.connect() as connection:
            return [_as_run(row) for row in connection.execute(query).mappings()]

    def count(self, scope: Scope) -> int:
        with self._engine.connect() as connection:
            return int(connection.scalar(sa.select(sa.func.count()).where(*_owned(scope))) or 0)

    def last_of(self, run: Run) -> Run:
        """The newest run of the conversation that a run belongs to."""
        same = (*_owned(run.scope), RUNS.c.workflow == run.workflow, RUNS.c.thread == run.thread)
        query = _SELECT.where(*same).order_by(RUNS.c.started.desc()).limit(1)
        with self._engine.connect() as connection:
            return _as_run(connection.execute(query).mappings().one())

    def waiting(self, scope: Scope) -> list[Run]:
        """The scope's runs that ask a person something, oldest first."""
        asks = RUNS.c.state == RunState.WAITING
        query = _SELECT.where(*_owned(scope), asks).order_by(RUNS.c.started, RUNS.c.id)
        with self._engine.connect() as connection:
            return [_as_run(row) for row in connection.execute(query).mappings()]

    def in_threads(self, scope: Scope, thread: str | None = None) -> list[Run]:
        """The scope's runs that belong to conversations, or to one of them, oldest first."""
        wanted = RUNS.c.thread.is_not(None) if thread is None else RUNS.c.thread == storable_text(thread)
        query = _SELECT.where(*_owned(scope), wanted).order_by(RUNS.c.started, RUNS.c.id)
        with self._engine.connect() as connection:
            return [_as_run(row) for row in connection.execute(query).mappings()]

    def delete(self, run: Run) -> None:
        """Forget a run with everything that was recorded for it."""
        with self._engine.begin() as connection:
            connection.execute(RECORDS.delete().where(RECORDS.c.run_id == run.id))
            connection.execute(FEEDBACK.delete().where(FEEDBACK.c.run_id == run.id))
            connection.execute(RUNS.delete().where(RUNS.c.id == run.id))
            connection.execute(LABELS.delete().where(LABELS.c.conversation == run.checkpoints, ~_has_runs(run)))

    def delete_by_id(self, run_id: str, scope: Scope) -> None:
        """Forget a run of the scope, if it is there, with everything that was recorded for it."""
        theirs = sa.select(RUNS.c.id).where(*_owned(scope), RUNS.c.id == run_id)
        with self._engine.begin() as connection:
            connection.execute(RECORDS.delete().where(RECORDS.c.run_id.in_(theirs)))
            connection.execute(FEEDBACK.delete().where(FEEDBACK.c.run_id.in_(theirs)))
            connection.execute(RUNS.delete().where(RUNS.c.id.in_(theirs)))

    def copy(self, run: Run, scope: Scope) -> Run:
        """The same run as one of another scope, which it ended in just now. Its searches were made in the scope it was
        asked in, so their records stay there and the copy cannot be replayed."""
        now, new = time.time(), uuid4().hex
        result = run.result and run.result.model_copy(update={"run_id": new})
        copied = replace(run, id=new, scope=scope, started=now, ended=now, result=result)
        self.begin(copied)
        if result is not None:
            self.end(copied, result)
        return copied

    def workspaces(self) -> dict[str, int]:
        """Every workspace in which something was asked, with the number of its runs, whoever asked."""
        asked = sa.select(RUNS.c.workspace, sa.func.count()).where(RUNS.c.owner != ASKER)
        query = asked.group_by(RUNS.c.workspace)
        with self._engine.connect() as connection:
            return {workspace: int(count) for workspace, count in connection.execute(query)}

    def checkpoints_in(self, workspace: str) -> set[str]:
        """What the checkpoints of a workspace's runs and threads are kept under."""
        named = sa.select(*(RUNS.c[name] for name in ("id", "workflow", "workspace", "owner", "thread")))
        with self._engine.connect() as connection:
            rows = connection.execute(named.where(RUNS.c.workspace == workspace))
            return {checkpoints_of(*row) for row in rows}

    def drop(self, workspace: str) -> None:
        """Forget the runs of a whole workspace with everything that was recorded for them."""
        theirs = sa.select(RUNS.c.id).where(RUNS.c.workspace == workspace)
        with self._engine.begin() as connection:
            connection.execute(RECORDS.delete().where(RECORDS.c.run_id.in_(theirs)))
            connection.execute(FEEDBACK.delete().where(FEEDBACK.c.run_id.in_(theirs)))
            connection.execute(LABELS.delete().where(LABELS.c.workspace == workspace))
            connection.execute(RUNS.delete().where(RUNS.c.workspace == workspace))

    def recorder(self, run: Run) -> "RunRecorder":
        """Where the replies and searches of a run are kept, with those it has already."""
        query = sa.select(RECORDS.c.key, RECORDS.c.record).where(RECORDS.c.run_id == run.id)
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
    return [RUNS.c.workspace == scope.workspace, RUNS.c.owner == (scope.user or "")]


def _has_runs(run: Run) -> sa.ColumnElement[bool]:
    """Whether the conversation that a run belongs to has any left; of a run by itself that is the run."""
    same = RUNS.c.id == run.id if run.thread is None else RUNS.c.thread == run.thread
    return sa.exists().where(*_owned(run.scope), RUNS.c.workflow == run.workflow, same)


def _threshold(most_wrong: float | None = None, below: str = Below.WITHHOLD) -> Threshold:
    return Threshold(most_wrong, Below(below))


def _as_run(row: Any) -> Run:
    plain = ("id", "workflow", "question", "started", "thread", "base", "models", "reason", "ended", "max_retries")
    run = Run(
        scope=Scope(row["workspace"], row["owner"] or None),
        state=RunState(row["state"]),
        answers=tuple(Answer(**answer) for answer in row["answers"]),
        threshold=_threshold(**row["threshold"]),
        feedback=None if row["is_right"] is None else Feedback(row["is_right"], row["comment"], row["given"]),
        **{name: row[name] for name in plain},
    )
    try:
        return replace(run, result=RunResult.model_validate_json(row["result"]) if row["result"] else None)
    except ValidationError:
        # One that cannot be read is made anew from the steps and replies on record, and keeps no other from being seen.
        return replace(run, state=RunState.STOPPED, reason=_DAMAGED, ended=None)
