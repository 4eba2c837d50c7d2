"""The questions that are suggested in a workspace: each was answered from its documents with high confidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from docmind.database import alone, open_database

ASKER = "suggested@docmind"
"""The user whose runs the suggested questions are. It has no documents of its own, so it sees what all share."""

_SCHEMA = sa.MetaData()
_SUGGESTIONS = sa.Table(
    "suggestions",
    _SCHEMA,
    sa.Column("run", sa.String, primary_key=True),
    sa.Column("workspace", sa.String, nullable=False, index=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("workflow", sa.String, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("documents", sa.JSON, nullable=False),
)
_MADE = sa.Table(
    "suggestions_made",
    _SCHEMA,
    sa.Column("workspace", sa.String, primary_key=True),
    sa.Column("documents", sa.String, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question with the run that answered it."""

    workflow: str
    question: str
    run: str | None = None
    """None where it has not been asked here yet."""
    confidence: float | None = None
    documents: tuple[str, ...] = ()
    """The ids of the documents that the answer cites."""


def open_suggestions(url: str | None, root: Path) -> "Suggestions":
    """The suggestions at `url`, or in the folder `root` where none is given."""
    return Suggestions(open_database(url, root / "runs.db", _SCHEMA, holds="The record of suggested questions"))


class Suggestions:
    """Thread-safe; each method is one transaction."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        self._engine.dispose()

    def of(self, workspace: str) -> list[Suggestion]:
        query = sa.select(_SUGGESTIONS).where(_SUGGESTIONS.c.workspace == workspace).order_by(_SUGGESTIONS.c.position)
        with self._engine.connect() as connection:
            return [_as_suggestion(row) for row in connection.execute(query).mappings()]

    def made_for(self, workspace: str) -> str | None:
        """What tells the documents that the suggestions were made for; None where none were made."""
        query = sa.select(_MADE.c.documents).where(_MADE.c.workspace == workspace)
        with self._engine.connect() as connection:
            return connection.scalar(query)

    def replace(self, workspace: str, documents: str, suggestions: Sequence[Suggestion]) -> None:
        """Make these the suggestions of a workspace with just these documents, in place of those it had."""
        rows = [
            {
                **{name: getattr(one, name) for name in ("run", "workflow", "question", "confidence")},
                "workspace": workspace,
                "position": position,
                "documents": list(one.documents),
            }
            for position, one in enumerate(suggestions)
        ]
        with self._engine.begin() as connection:
            # Several services on one database may find them at the same time.
            alone(connection)
            self._forget(connection, workspace)
            connection.execute(_MADE.insert(), {"workspace": workspace, "documents": documents})
            if rows:
                connection.execute(_SUGGESTIONS.insert(), rows)

    def drop(self, workspace: str) -> None:
        with self._engine.begin() as connection:
            self._forget(connection, workspace)

    @staticmethod
    def _forget(connection: sa.Connection, workspace: str) -> None:
        for table in (_SUGGESTIONS, _MADE):
            connection.execute(table.delete().where(table.c.workspace == workspace))


def _as_suggestion(row: Any) -> Suggestion:
    return Suggestion(row["workflow"], row["question"], row["run"], row["confidence"], tuple(row["documents"]))
