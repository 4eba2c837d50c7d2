"""The catalogue's tables, and how their rows become documents and passages and back."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from docmind.database import UPGRADES
from docmind.domain.documents import Document, Metadata, Passage, Span, dump_facts, load_facts
from docmind.domain.scope import Scope

SCHEMA = sa.MetaData()


@dataclass(frozen=True, slots=True)
class Version:
    """What a server says of the page it sent, by which it tells later whether it has changed."""

    etag: str = ""
    last_modified: str = ""


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
_READY = DOCUMENTS.c.state == "ready"
ONE_READY = sa.Index(
    "documents_one_ready",
    *(DOCUMENTS.c[name] for name in ("workspace", "owner", "source")),
    unique=True,
    sqlite_where=_READY,
    postgresql_where=_READY,
)
"""A source has at most one version that is seen."""
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
    sa.Column("facts", sa.JSON),
)
WEB_VERSIONS = sa.Table(
    "web_versions",
    SCHEMA,
    sa.Column("document_id", sa.String, primary_key=True),
    sa.Column("etag", sa.String, nullable=False),
    sa.Column("last_modified", sa.String, nullable=False),
)
"""By what the servers of web pages tell whether these have changed."""
VECTORS = sa.Table(
    "workspace_vectors",
    SCHEMA,
    sa.Column("workspace", sa.String, primary_key=True),
    sa.Column("state", sa.String, primary_key=True),  # building, current or replaced
    sa.Column("embedder", sa.String, nullable=False),
    sa.Column("dimension", sa.Integer, nullable=False),
)
"""Whose vectors a workspace is searched by. Collections beside the documents have names here as in the index."""
WORKSPACES = sa.Table(
    "workspaces",
    SCHEMA,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("condemned_at", sa.String),  # when its deletion began, where it did
)


def _keep_the_newest(connection: sa.Connection) -> None:
    """The first version let two processes each bring in a version of a source that was seen beside the other."""
    newer = DOCUMENTS.alias("newer")
    replaced = sa.exists().where(
        newer.c.state == "ready",
        *(newer.c[column.name] == column for column in ONE_READY.columns),
        sa.tuple_(newer.c.ingested_at, newer.c.id) > sa.tuple_(DOCUMENTS.c.ingested_at, DOCUMENTS.c.id),
    )
    connection.execute(DOCUMENTS.update().where(_READY, replaced).values(state="stale"))
    ONE_READY.create(connection)


def _make_room_for_facts(connection: sa.Connection) -> None:
    """The first version had no figures that documents tag themselves."""
    connection.execute(sa.text("ALTER TABLE passages ADD COLUMN facts JSON"))


DOCUMENTS.info[UPGRADES] = (_keep_the_newest,)
PASSAGES.info[UPGRADES] = (_make_room_for_facts,)

REPORT = ("company", "ticker", "fiscal_year", "quarter", "document_type", "date", "year_end")
"""The fields of metadata that tell one report of a company from another."""
_NUMBERS = ("fiscal_year", "quarter", "year_end")
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
    return {
        "id": passage.id,
        "document_id": passage.document_id,
        "ordinal": passage.ordinal,
        "start": passage.span.start,
        "end": passage.span.end,
        "text": passage.text,
        "heading": list(passage.heading),
        "page": passage.page,
        "kind": passage.kind,
        "facts": dump_facts(passage.facts) or None,
    }


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
        facts=load_facts(row["facts"] or ()),
    )


def as_document(row: Any) -> Document:
    return Document(
        scope=Scope(row["workspace"], row["owner"] or None),
        metadata=Metadata(**row["metadata"]),
        **{name: row[name] for name in _PLAIN},
    )


def stated(name: str) -> sa.ColumnElement[Any]:
    """A field of the metadata; empty where a document does not state it."""
    field: Any = DOCUMENTS.c.metadata[name]
    found: sa.ColumnElement[Any] = field.as_integer() if name in _NUMBERS else field.as_string()
    return found
