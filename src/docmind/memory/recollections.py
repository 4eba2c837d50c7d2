"""Conversation memory: what each user asked and was answered, found again whichever session it was said in."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import sqlalchemy as sa

from docmind.database import open_database
from docmind.domain.scope import Scope

COLLECTION = "conversation_memory"
_SCHEMA = sa.MetaData()
_TURNS = sa.Table(
    COLLECTION,
    _SCHEMA,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("workspace", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("session", sa.String, nullable=False),
    sa.Column("said", sa.Float, nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("companies", sa.JSON, nullable=False),
    sa.Column("indexed", sa.Boolean, nullable=False),
    sa.Index("turns_by_owner", "workspace", "owner", "said"),
)


@dataclass(frozen=True, slots=True)
class Recollection:
    """A question as it was asked and as it was understood, and what was answered."""

    query: str
    question: str
    answer: str
    companies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What of a turn it is found by."""

    id: str
    question: str
    scope: Scope
    session: str


class Notes(Protocol):
    """Where texts are found again by their meaning."""

    def put(self, note_id: str, text: str, scope: Scope, *, group: str) -> None: ...

    def near(self, text: str, scope: Scope, limit: int) -> list[str]: ...

    def forget(self, group: str, workspace: str) -> None: ...

    def drop(self, workspace: str) -> None: ...


def open_memory(url: str | None, root: Path, notes: Notes) -> "ConversationMemory":
    """The memory at `url`, or in the folder `root` where none is given."""
    return ConversationMemory(open_database(url, root / "memory.db", _SCHEMA, holds="The conversation memory"), notes)


class ConversationMemory:
    """A turn is kept from the moment `remember` returns. Finding it by meaning follows in the background.

    What a process left undone when it ended, the next one does.
    """

    def __init__(self, engine: sa.Engine, notes: Notes) -> None:
        self._engine = engine
        self._notes = notes
        self._behind = ThreadPoolExecutor(1, thread_name_prefix="docmind-memory")
        self._behind.submit(self._catch_up)

    def close(self) -> None:
        """Finish what is under way."""
        self._behind.shutdown(wait=True)
        self._engine.dispose()

    def remember(self, turn: Recollection, scope: Scope, session: str, turn_id: str | None = None) -> None:
        """Keep a turn; one of a known id is kept once, however often it is handed in."""
        row: dict[str, Any] = {
            "id": turn_id or str(uuid4()),
            "workspace": scope.workspace,
            "owner": scope.user or "",
            "session": session,
        }
        row |= {"said": time.time(), "query": turn.query, "question": turn.question, "answer": turn.answer}
        with self._engine.begin() as connection:
            if connection.execute(sa.select(_TURNS.c.id).where(_TURNS.c.id == row["id"])).first() is None:
                connection.execute(_TURNS.insert(), {**row, "companies": list(turn.companies), "indexed": False})
        self._behind.submit(self._catch_up)

    def recall(self, query: str, scope: Scope, limit: int) -> list[Recollection]:
        """The turn that a user said last and those nearest to the query, oldest first; nobody else's."""
        owned = sa.select(_TURNS).where(*_owned(scope)).order_by(_TURNS.c.said.desc())
        with self._engine.connect() as connection:
            last = connection.execute(owned.limit(1)).mappings().all()
            near = self._notes.near(query, scope, limit) if last else []
            found = connection.execute(owned.where(_TURNS.c.id.in_(near))).mappings().all()
        rows = {row["id"]: row for row in (*last, *found)}
        return [_as_turn(row) for row in sorted(rows.values(), key=lambda row: row["said"])]

    def forget(self, session: str, scope: Scope) -> None:
        """Forget a conversation."""
        with self._engine.begin() as connection:
            connection.execute(_TURNS.delete().where(*_owned(scope), _TURNS.c.session == session))
        self._notes.forget(session, scope.workspace)

    def workspaces(self) -> set[str]:
        """Those in which anything is remembered."""
        with self._engine.connect() as connection:
            return set(connection.scalars(sa.select(_TURNS.c.workspace).distinct()))

    def turns_in(self, workspace: str, at_once: int) -> Iterator[Turn]:
        """Every turn of a workspace, whoever said it, never more than `at_once` of them in memory."""
        last = ""
        chosen = sa.select(_TURNS).where(_TURNS.c.workspace == workspace).order_by(_TURNS.c.id).limit(at_once)
        while True:
            with self._engine.connect() as connection:
                rows = connection.execute(chosen.where(_TURNS.c.id > last)).mappings().all()
            if not rows:
                return
            last = rows[-1]["id"]
            for row in rows:
                yield Turn(row["id"], row["question"], Scope(workspace, row["owner"] or None), row["session"])

    def drop(self, workspace: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(_TURNS.delete().where(_TURNS.c.workspace == workspace))
        self._notes.drop(workspace)

    def _catch_up(self) -> None:
        """Make findable what is not yet; what fails stays for the next time."""
        with self._engine.connect() as connection:
            waiting = connection.execute(sa.select(_TURNS).where(~_TURNS.c.indexed)).mappings().all()
        for row in waiting:
            scope = Scope(row["workspace"], row["owner"] or None)
            self._notes.put(row["id"], row["question"], scope, group=row["session"])
            with self._engine.begin() as connection:
                connection.execute(_TURNS.update().where(_TURNS.c.id == row["id"]).values(indexed=True))


def _owned(scope: Scope) -> Sequence[sa.ColumnElement[bool]]:
    return _TURNS.c.workspace == scope.workspace, _TURNS.c.owner == (scope.user or "")


def _as_turn(row: Any) -> Recollection:
    return Recollection(row["query"], row["question"], row["answer"], tuple(row["companies"]))
