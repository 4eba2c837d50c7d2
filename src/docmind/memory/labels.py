"""The titles that people gave their conversations, and which of them they pinned."""

from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from docmind.database import open_database
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.memory.tables import LABELS, SCHEMA, text

LONGEST_TITLE = 200
_PUT = sa.text(
    "INSERT INTO conversation_labels (conversation, workspace, owner, title, pinned) "
    "VALUES (:conversation, :workspace, :owner, :title, :pinned) "
    "ON CONFLICT (conversation) DO UPDATE SET title = excluded.title, pinned = excluded.pinned"
)


@dataclass(frozen=True, slots=True)
class Label:
    title: str | None = None
    """None where the first question is the title."""
    pinned: bool = False


def open_labels(url: str | None, root: Path) -> "Labels":
    """The labels at `url`, or in the folder `root` where none is given."""
    return Labels(open_database(url, root / "runs.db", SCHEMA, holds="The record of runs"))


class Labels:
    """Thread-safe; each method is one transaction. Conversations are named by what their checkpoints are kept under."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        self._engine.dispose()

    def find(self, conversation: str, scope: Scope) -> Label:
        this = (*_owned(scope), LABELS.c.conversation == conversation)
        with self._engine.connect() as connection:
            row = connection.execute(LABELS.select().where(*this)).mappings().first()
        return Label(row["title"], row["pinned"]) if row else Label()

    def all(self, scope: Scope) -> dict[str, Label]:
        """Those of a scope, by conversation."""
        with self._engine.connect() as connection:
            rows = connection.execute(LABELS.select().where(*_owned(scope))).mappings()
            return {row["conversation"]: Label(row["title"], row["pinned"]) for row in rows}

    def put(self, conversation: str, scope: Scope, label: Label) -> None:
        row = {"conversation": conversation, "workspace": scope.workspace, "owner": scope.user or ""}
        with self._engine.begin() as connection:
            connection.execute(_PUT, row | {"title": label.title, "pinned": label.pinned})


def title_of(given: str) -> str | None:
    """The title that was typed, on one line; None for an empty one, which brings the first question back."""
    title = " ".join(text(given).split())
    if len(title) > LONGEST_TITLE:
        raise InvalidQuery(f"The title has {len(title)} characters; the most is {LONGEST_TITLE}.")
    return title or None


def _owned(scope: Scope) -> tuple[sa.ColumnElement[bool], ...]:
    return LABELS.c.workspace == scope.workspace, LABELS.c.owner == (scope.user or "")
