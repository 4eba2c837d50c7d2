"""The record of whose vectors each workspace is searched by."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import sqlalchemy as sa

from docmind.corpus.index.identity import Identity
from docmind.corpus.tables import DOCUMENTS, SCHEMA, VECTORS
from docmind.database import alone, open_database
from docmind.domain.errors import NotFound

Fingerprint = tuple[object, ...]
"""Of the documents of a workspace; another one once documents have come or gone."""


class VectorState(StrEnum):
    BUILDING = "building"
    CURRENT = "current"
    REPLACED = "replaced"


Recorded = Mapping[VectorState, Identity]


def open_vector_records(url: str | None, root: Path) -> "VectorRecords":
    """The record at `url`, or in the folder `root` where none is given."""
    return VectorRecords(open_database(url, root / "catalogue.db", SCHEMA, holds="The catalogue of documents"))


class VectorRecords:
    """Whose vectors each workspace is searched by, and those of another embedder that are to take their place.

    A workspace without a record is searched by what its store was begun with. Vectors are `building` while an index of
    them is written, then `current`, which makes what was current before `replaced` until it is gone from the index.
    Thread-safe; each method is one transaction.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        self._engine.dispose()

    def of(self, workspace: str) -> Recorded:
        with self._engine.connect() as connection:
            rows = connection.execute(_OF, {"workspace": workspace}).all()
        return {VectorState(row.state): Identity(row.embedder, row.dimension) for row in rows}

    def in_state(self, state: VectorState) -> list[str]:
        """The workspaces with vectors in that state."""
        query = sa.select(VECTORS.c.workspace).where(VECTORS.c.state == state).order_by(VECTORS.c.workspace)
        with self._engine.connect() as connection:
            return list(connection.scalars(query))

    def settle(self, workspace: str, identity: Identity, building: Identity | None = None) -> None:
        """Have a workspace that has no vectors yet searched by these, until those that are `building` take their place;
        another process may have been quicker."""
        with self._engine.begin() as connection:
            alone(connection)
            if connection.execute(_OF, {"workspace": workspace}).first() is None:
                connection.execute(VECTORS.insert(), _row(workspace, identity, VectorState.CURRENT))
                if building is not None:
                    connection.execute(VECTORS.insert(), _row(workspace, building, VectorState.BUILDING))

    def begin(self, workspace: str, identity: Identity) -> None:
        """From now on these are being built; there are none other that are."""
        with self._engine.begin() as connection:
            connection.execute(VECTORS.delete().where(*_is(workspace, VectorState.BUILDING)))
            connection.execute(VECTORS.insert(), _row(workspace, identity, VectorState.BUILDING))

    def fingerprint(self, workspace: str) -> Fingerprint:
        with self._engine.connect() as connection:
            return _fingerprint(connection, workspace)

    def switch(self, workspace: str, before: Identity, seen: Fingerprint) -> bool:
        """Search by what was built from now on; False, and nothing done, where documents came or went since `seen`."""
        with self._engine.begin() as connection:
            # Documents become visible in transactions that none runs beside either.
            alone(connection)
            if _fingerprint(connection, workspace) != seen:
                return False
            connection.execute(VECTORS.delete().where(*_is(workspace, VectorState.CURRENT)))
            built = VECTORS.update().where(*_is(workspace, VectorState.BUILDING)).values(state=VectorState.CURRENT)
            if connection.execute(built).rowcount != 1:
                raise NotFound(f"The workspace {workspace!r} was deleted while it was reindexed.")
            connection.execute(VECTORS.insert(), _row(workspace, before, VectorState.REPLACED))
        return True

    def end(self, workspace: str, state: VectorState) -> None:
        """What was in that state is gone from the index."""
        with self._engine.begin() as connection:
            connection.execute(VECTORS.delete().where(*_is(workspace, state)))

    def forget(self, workspace: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(VECTORS.delete().where(VECTORS.c.workspace == workspace))


_OF = sa.select(VECTORS).where(VECTORS.c.workspace == sa.bindparam("workspace"))


def _is(workspace: str, state: VectorState) -> tuple[sa.ColumnElement[bool], ...]:
    return VECTORS.c.workspace == workspace, VECTORS.c.state == state


def _row(workspace: str, identity: Identity, state: VectorState) -> dict[str, object]:
    kept = {"embedder": identity.embedder, "dimension": identity.dimension}
    return {"workspace": workspace, "state": state, **kept}


def _fingerprint(connection: sa.Connection, workspace: str) -> Fingerprint:
    told = sa.func.count(), sa.func.sum(DOCUMENTS.c.passages), sa.func.max(DOCUMENTS.c.ingested_at)
    ready = DOCUMENTS.c.workspace == workspace, DOCUMENTS.c.state == "ready"
    return tuple(connection.execute(sa.select(*told).where(*ready)).one())
