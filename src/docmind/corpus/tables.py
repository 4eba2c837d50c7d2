"""The catalogue's tables, and how their rows become documents and passages and back."""

from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.scope import Scope

SCHEMA = sa.MetaData()

DOCUMENTS = sa.Table(
    "documents",
    SCHEMA,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("workspace", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),  # "" where everyone in the workspace shares it
    sa.Column("source", sa.String, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("content_hash", sa.String, nullable=False),
    sa.Column("recipe", sa.String, nullable=False),
    sa.Column("media_type", sa.String, nullable=False),
    sa.Column("metadata", sa.JSON, nullable=False),
    sa.Column("pages", sa.Integer),
    sa.Column("characters", sa.Integer, nullable=False),
    sa.Column("passages", sa.Integer, nullable=False),
    sa.Column("ingested_at", sa.String, nullable=False),
    sa.Column("state", sa.String, nullable=False),
    sa.Index("documents_by_source", "workspace", "owner", "source"),
    sa.Index("documents_by_state", "state"),
)
TEXTS = sa.Table(
    "texts",
    SCHEMA,
    sa.Column("document_id", sa.String, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)
PASSAGES = sa.Table(
    "passages",
    SCHEMA,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("document_id", sa.String, nullable=False, index=True),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("heading", sa.JSON, nullable=False),
    sa.Column("page", sa.Integer),
    sa.Column("kind", sa.String, nullable=False),
)
WORKSPACES = sa.Table(
    "workspaces",
    SCHEMA,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("condemned_at", sa.String),  # when its deletion began, where it did
)

_PLAIN = ("id", "source", "name", "content_hash", "media_type", "pages", "characters", "passages", "ingested_at")


def document_row(document: Document, recipe: str, state: str) -> dict[str, Any]:
    return {
        **{name: getattr(document, name) for name in _PLAIN},
        "workspace": document.scope.workspace,
        "owner": document.scope.user or "",
        "metadata": document.metadata.known(),
        "recipe": recipe,
        "state": state,
    }


def passage_row(passage: Passage) -> dict[str, Any]:
    row = asdict(passage)
    span = row.pop("span")
    return {**row, "start": span["start"], "end": span["end"], "heading": list(passage.heading)}


def as_passage(row: Any) -> Passage:
    return Passage(
        id=row["id"],
        document_id=row["document_id"],
        ordinal=row["ordinal"],
        span=Span(row["start"], row["end"]),
        text=row["text"],
        heading=tuple(row["heading"]),
        page=row["page"],
        kind=row["kind"],
    )


def as_document(row: Any) -> Document:
    return Document(
        scope=Scope(row["workspace"], row["owner"] or None),
        metadata=Metadata(**row["metadata"]),
        **{name: row[name] for name in _PLAIN},
    )
