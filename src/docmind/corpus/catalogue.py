"""The record of every document and passage: SQLite in the data folder, or PostgreSQL by URL.

A document is `pending` while its passages are written to the index, then `ready`, and `stale` from the moment it is
replaced or deleted until its passages are gone from the index. Readers see `ready` documents only, so a document
appears whole, is replaced whole and disappears whole, wherever a process was killed.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from docmind.corpus.tables import (
    DOCUMENTS,
    PASSAGES,
    REPORT,
    SCHEMA,
    TEXTS,
    VECTORS,
    WEB_VERSIONS,
    Version,
    as_document,
    as_passage,
    document_row,
    passage_row,
    stated,
)
from docmind.database import alone, open_database
from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.errors import NotFound, StoreError
from docmind.domain.scope import Scope

ABANDONED_AFTER = timedelta(minutes=15)
"""Where several processes share a store, a pending document older than this belongs to one that died."""
MOST_REPORTS = 5_000
"""Reports that are listed at once: the newest."""
_LONGEST_REFERENCE = 10_000


def open_catalogue(url: str | None, root: Path) -> "Catalogue":
    """The catalogue at `url`, or in the folder `root` where none is given."""
    return Catalogue(open_database(url, root / "catalogue.db", SCHEMA, holds="The catalogue of documents"))


class Catalogue:
    """Thread-safe; each method is one transaction."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        self._engine.dispose()

    # Writing: begin, (the index is written), commit.

    def begin(self, document: Document, recipe: str, text: str, passages: Sequence[Passage]) -> None:
        """Record a document that is not visible yet. Beginning it again is the same as beginning it once."""
        with self._engine.begin() as connection:
            self._forget(connection, [document.id])
            connection.execute(DOCUMENTS.insert(), document_row(document, recipe, "pending"))
            connection.execute(TEXTS.insert(), {"document_id": document.id, "text": text})
            if passages:
                connection.execute(PASSAGES.insert(), [passage_row(passage) for passage in passages])

    def commit(self, document_ids: Sequence[str], vectors: tuple[str, str | None] | None = None) -> list[str] | None:
        """Make these visible and the versions they replace invisible, at once; returns the replaced ids.

        `vectors` are a workspace and whose vectors were written for these; None, and nothing done, where it is searched
        by others by now.
        """
        with self._engine.begin() as connection:
            # Two processes that bring in the same source would each not see the other's version, and let both be seen.
            alone(connection)
            if vectors is not None and connection.scalar(_SEARCHED_BY, {"workspace": vectors[0]}) != vectors[1]:
                return None
            old = list(connection.scalars(_REPLACED, {"ids": list(document_ids)}))
            connection.execute(DOCUMENTS.update().where(DOCUMENTS.c.id.in_(old)).values(state="stale"))
            new_ready = DOCUMENTS.update().where(DOCUMENTS.c.id.in_(document_ids)).values(state="ready")
            if connection.execute(new_ready).rowcount != len(document_ids):
                raise StoreError("Another process took these documents for abandoned and removed them. Ingest again.")
        return old

    def note_version(self, document_id: str, version: Version) -> None:
        """Keep what a web server said of the page that this document was read from."""
        row = {"document_id": document_id, "etag": version.etag, "last_modified": version.last_modified}
        with self._engine.begin() as connection:
            connection.execute(WEB_VERSIONS.delete().where(WEB_VERSIONS.c.document_id == document_id))
            connection.execute(WEB_VERSIONS.insert(), row)

    def retire(self, document_ids: Sequence[str]) -> None:
        """Make documents invisible; `forget` follows once the index has let go of them."""
        with self._engine.begin() as connection:
            for some in _in_parts(document_ids):
                connection.execute(DOCUMENTS.update().where(DOCUMENTS.c.id.in_(some)).values(state="stale"))

    def forget(self, document_ids: Sequence[str]) -> None:
        with self._engine.begin() as connection:
            self._forget(connection, document_ids)

    @staticmethod
    def _forget(connection: sa.Connection, document_ids: Sequence[str]) -> None:
        for some in _in_parts(document_ids):
            for removal in _REMOVALS:
                connection.execute(removal, {"ids": list(some)})

    def all_in(self, workspace: str) -> list[str]:
        """The ids of a workspace's documents, whoever owns them and however far they are written."""
        query = sa.select(DOCUMENTS.c.id).where(DOCUMENTS.c.workspace == workspace)
        with self._engine.connect() as connection:
            return list(connection.scalars(query))

    def all_ready_in(self, workspace: str) -> list[Document]:
        """A workspace's documents, whoever owns them."""
        query = sa.select(DOCUMENTS).where(DOCUMENTS.c.workspace == workspace, DOCUMENTS.c.state == "ready")
        with self._engine.connect() as connection:
            return [as_document(row) for row in connection.execute(query).mappings()]

    def leftovers(self, *, shared: bool) -> dict[str, list[str]]:
        """By workspace, documents that a killed process left half written or half deleted."""
        half = sa.or_(DOCUMENTS.c.state == "stale", DOCUMENTS.c.state == "pending")
        query = sa.select(DOCUMENTS.c.workspace, DOCUMENTS.c.id).where(half)
        if shared:
            limit = (datetime.now(UTC) - ABANDONED_AFTER).isoformat(timespec="seconds")
            query = query.where(DOCUMENTS.c.ingested_at < limit)
        found: dict[str, list[str]] = {}
        with self._engine.connect() as connection:
            for workspace, identifier in connection.execute(query):
                found.setdefault(workspace, []).append(identifier)
        return found

    # Reading: ready documents of a scope, nothing else.

    def current(self, scope: Scope, source: str, content_hash: str, recipe: str) -> str | None:
        """The id of the document with this very content of this source, read this very way, if it is in the store."""
        sought = {"workspace": scope.workspace, "owner": scope.user or "", "source": source}
        # The first version wrote the embedder's name behind the recipe.
        read_so = {"recipe": recipe, "with_embedder": f"{recipe}:%"}
        with self._engine.connect() as connection:
            return connection.scalar(_CURRENT, {**sought, "content_hash": content_hash, **read_so})

    def version(self, scope: Scope, source: str) -> tuple[str, Version] | None:
        """Of the owner's document of a web address: the hash of its content, and what the server said of it."""
        query = (
            sa.select(DOCUMENTS.c.content_hash, WEB_VERSIONS.c.etag, WEB_VERSIONS.c.last_modified)
            .join(WEB_VERSIONS, WEB_VERSIONS.c.document_id == DOCUMENTS.c.id)
            .where(
                DOCUMENTS.c.state == "ready",
                DOCUMENTS.c.workspace == scope.workspace,
                DOCUMENTS.c.owner == (scope.user or ""),
                DOCUMENTS.c.source == source,
            )
        )
        with self._engine.connect() as connection:
            found = connection.execute(query).first()
        return None if found is None else (str(found.content_hash), Version(found.etag, found.last_modified))

    def sources(self, scope: Scope, sources: Sequence[str]) -> set[str]:
        """Those of the sources that the scope's owner has a document of."""
        query = sa.select(DOCUMENTS.c.source).where(
            DOCUMENTS.c.state == "ready",
            DOCUMENTS.c.workspace == scope.workspace,
            DOCUMENTS.c.owner == (scope.user or ""),
            DOCUMENTS.c.source.in_(sources),
        )
        with self._engine.connect() as connection:
            return set(connection.scalars(query))

    def documents(self, scope: Scope, limit: int | None = None) -> Iterator[Document]:
        query = sa.select(DOCUMENTS).where(*_visible(scope)).order_by(DOCUMENTS.c.name, DOCUMENTS.c.id).limit(limit)
        with self._engine.connect() as connection:
            for row in connection.execute(query).mappings():
                yield as_document(row)

    def reports(self, scope: Scope) -> list[Metadata]:
        """Of every document with a company what its metadata says beside the title, newest first, the same once."""
        columns = [stated(name).label(name) for name in REPORT]
        of_companies = sa.select(*columns).where(*_visible(scope), stated("company").is_not(None))
        query = of_companies.distinct().order_by(sa.nulls_last(sa.desc("date")), *REPORT).limit(MOST_REPORTS)
        with self._engine.connect() as connection:
            return [Metadata(**row) for row in connection.execute(query).mappings()]

    def count(self, scope: Scope) -> tuple[int, int]:
        """How many documents and passages the scope sees."""
        query = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(DOCUMENTS.c.passages), 0))
        with self._engine.connect() as connection:
            documents, passages = connection.execute(query.where(*_visible(scope))).one()
        return int(documents), int(passages)

    def workspaces(self) -> dict[str, tuple[int, int]]:
        """Every workspace that holds anything, with the number of its documents and passages, whoever owns them."""
        query = (
            sa.select(DOCUMENTS.c.workspace, sa.func.count(), sa.func.sum(DOCUMENTS.c.passages))
            .where(DOCUMENTS.c.state == "ready")
            .group_by(DOCUMENTS.c.workspace)
            .order_by(DOCUMENTS.c.workspace)
        )
        with self._engine.connect() as connection:
            return {name: (int(documents), int(passages)) for name, documents, passages in connection.execute(query)}

    def changes(self) -> dict[str, str]:
        """Of every workspace that holds anything what is another text once documents have come or gone."""
        told = sa.func.count(), sa.func.sum(DOCUMENTS.c.passages), sa.func.max(DOCUMENTS.c.ingested_at)
        query = sa.select(DOCUMENTS.c.workspace, *told).where(DOCUMENTS.c.state == "ready")
        with self._engine.connect() as connection:
            return {row[0]: str(tuple(row[1:])) for row in connection.execute(query.group_by(DOCUMENTS.c.workspace))}

    def find(self, scope: Scope, reference: str) -> Document:
        """The document with this id, the start of an id, source or name; ambiguity and absence are said in words."""
        # A shell hands over bytes, and PostgreSQL refuses what SQLite only does not find.
        asked = reference.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
        matches = sa.or_(
            DOCUMENTS.c.id.startswith(asked, autoescape=True),
            DOCUMENTS.c.name == asked,
            DOCUMENTS.c.source == asked,
            DOCUMENTS.c.name.endswith("/" + asked, autoescape=True),
        )
        exactly = sa.or_(DOCUMENTS.c.id == asked, DOCUMENTS.c.name == asked, DOCUMENTS.c.source == asked)
        best_first = (sa.case((exactly, 0), else_=1), DOCUMENTS.c.name, DOCUMENTS.c.id)
        query = sa.select(DOCUMENTS).where(*_visible(scope), matches).order_by(*best_first).limit(6)
        with self._engine.connect() as connection:
            # Every id begins with nothing, and nothing is no name; databases refuse to look for an endless one.
            rows = connection.execute(query).mappings() if 0 < len(asked) <= _LONGEST_REFERENCE else ()
            found = [as_document(row) for row in rows]
        exact = [document for document in found if asked in (document.id, document.name, document.source)] or found
        if not exact:
            raise NotFound(f"There is no document {reference[:80]!r} in workspace {scope.workspace!r}.")
        if len(exact) > 1:
            names = ", ".join(f"{document.name} ({document.id[:8]})" for document in exact[:5])
            raise NotFound(f"{reference[:80]!r} is ambiguous: it could be {names}.")
        return exact[0]

    def text(self, document_id: str) -> str:
        query = sa.select(TEXTS.c.text).where(TEXTS.c.document_id == document_id, _is_ready(TEXTS))
        with self._engine.connect() as connection:
            found = connection.scalar(query)
        if found is None:
            raise NotFound(f"There is no document {document_id!r}.")
        return str(found)

    def passages_of(self, document_id: str) -> list[Passage]:
        chosen = sa.select(PASSAGES).where(PASSAGES.c.document_id == document_id, _is_ready(PASSAGES))
        query = chosen.order_by(PASSAGES.c.ordinal)
        with self._engine.connect() as connection:
            return [as_passage(row) for row in connection.execute(query).mappings()]

    def ready_after(self, workspace: str, document_id: str, limit: int) -> list[Document]:
        """The next of a workspace's documents in the order of their ids, whoever owns them."""
        chosen = sa.select(DOCUMENTS).where(DOCUMENTS.c.workspace == workspace, DOCUMENTS.c.state == "ready")
        query = chosen.where(DOCUMENTS.c.id > document_id).order_by(DOCUMENTS.c.id).limit(limit)
        with self._engine.connect() as connection:
            return [as_document(row) for row in connection.execute(query).mappings()]

    def are_ready(self, document_ids: Sequence[str]) -> set[str]:
        """Those of the documents that are there to be seen."""
        query = sa.select(DOCUMENTS.c.id).where(DOCUMENTS.c.id.in_(_IDS), DOCUMENTS.c.state == "ready")
        with self._engine.connect() as connection:
            return {one for ids in _in_parts(document_ids) for one in connection.scalars(query, {"ids": list(ids)})}

    def passages_in_parts(self, document_id: str, size: int) -> Iterator[list[Passage]]:
        """The passages of a document in reading order, never more than `size` of them in memory."""
        chosen = sa.select(PASSAGES).where(PASSAGES.c.document_id == document_id).order_by(PASSAGES.c.ordinal)
        after = -1
        while True:
            with self._engine.connect() as connection:
                rows = connection.execute(chosen.where(PASSAGES.c.ordinal > after).limit(size)).mappings().all()
            if not rows:
                return
            after = rows[-1]["ordinal"]
            yield [as_passage(row) for row in rows]

    def passage_places(self, document_id: str) -> list[tuple[Span, int | None]]:
        """Where the passages of a document stand in its text, and the page that each begins on, in reading order."""
        chosen = sa.select(PASSAGES.c.start, PASSAGES.c.end, PASSAGES.c.page)
        query = chosen.where(PASSAGES.c.document_id == document_id, _is_ready(PASSAGES)).order_by(PASSAGES.c.ordinal)
        with self._engine.connect() as connection:
            return [(Span(start, end), page) for start, end, page in connection.execute(query)]

    def fetch(self, scope: Scope, passage_ids: Iterable[str]) -> dict[str, tuple[Passage, Document]]:
        """Passages by id with their documents, as far as the scope sees them."""
        with self._engine.connect() as connection:
            rows = connection.execute(_PASSAGES_BY_ID, {"ids": list(passage_ids)}).mappings()
            found = [as_passage(row) for row in rows]
            owners = {passage.document_id for passage in found}
            asked = {"ids": list(owners), "workspace": scope.workspace, "owners": ["", scope.user or ""]}
            rows = connection.execute(_READY_BY_ID, asked).mappings()
            seen = {row["id"]: as_document(row) for row in rows}
        return {passage.id: (passage, seen[passage.document_id]) for passage in found if passage.document_id in seen}


def _in_parts(ids: Sequence[str], size: int = 1_000) -> Iterator[Sequence[str]]:
    """Databases take only so many values in one statement."""
    return (ids[start : start + size] for start in range(0, len(ids), size))


def _is_ready(table: sa.Table) -> sa.ColumnElement[bool]:
    return sa.exists().where(DOCUMENTS.c.id == table.c.document_id, DOCUMENTS.c.state == "ready")


def _visible(scope: Scope) -> list[sa.ColumnElement[bool]]:
    return [
        DOCUMENTS.c.state == "ready",
        DOCUMENTS.c.workspace == scope.workspace,
        DOCUMENTS.c.owner.in_(["", scope.user or ""]),
    ]


# Every search runs the first two, every file that comes in the others: composing one takes longer than running it.
_IDS: sa.BindParameter[list[str]] = sa.bindparam("ids", expanding=True)
_PASSAGES_BY_ID = sa.select(PASSAGES).where(PASSAGES.c.id.in_(_IDS))
_READY_BY_ID = sa.select(DOCUMENTS).where(
    DOCUMENTS.c.id.in_(_IDS),
    DOCUMENTS.c.state == "ready",
    DOCUMENTS.c.workspace == sa.bindparam("workspace"),
    DOCUMENTS.c.owner.in_(sa.bindparam("owners", expanding=True)),
)
_CURRENT = sa.select(DOCUMENTS.c.id).where(
    DOCUMENTS.c.state == "ready",
    *(DOCUMENTS.c[name] == sa.bindparam(name) for name in ("workspace", "owner", "source", "content_hash")),
    sa.or_(
        DOCUMENTS.c.recipe == sa.bindparam("recipe"),
        DOCUMENTS.c.recipe.like(sa.bindparam("with_embedder")),
    ),
)
_SEARCHED_BY = sa.select(VECTORS.c.embedder).where(
    VECTORS.c.workspace == sa.bindparam("workspace"), VECTORS.c.state == "current"
)
_NEW = DOCUMENTS.alias("new")
# From the new documents to the old ones of their sources: the other way round every document would be looked at.
_REPLACED = (
    sa.select(DOCUMENTS.c.id)
    .select_from(_NEW)
    .join(DOCUMENTS, sa.and_(*(_NEW.c[name] == DOCUMENTS.c[name] for name in ("workspace", "owner", "source"))))
    .where(_NEW.c.id.in_(_IDS), DOCUMENTS.c.id != _NEW.c.id, DOCUMENTS.c.state == "ready")
    .distinct()
)
_REMOVALS = tuple(
    column.table.delete().where(column.in_(_IDS))
    for column in (PASSAGES.c.document_id, TEXTS.c.document_id, WEB_VERSIONS.c.document_id, DOCUMENTS.c.id)
)
