"""What is recorded of workspaces: which there are or are being deleted, and whose vectors each is searched by."""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import sqlalchemy as sa

from docmind.corpus.catalogue import ABANDONED_AFTER
from docmind.corpus.index.identity import Identity
from docmind.corpus.tables import DOCUMENTS, SCHEMA, VECTORS, WORKSPACES
from docmind.database import alone, open_database
from docmind.domain.errors import NotFound


def open_register(url: str | None, root: Path) -> "Register":
    """The register at `url`, or in the folder `root` where none is given."""
    return Register(open_database(url, root / "catalogue.db", SCHEMA, holds="The register of workspaces"))


class Register:
    """The workspaces made before anything is in them, and those whose deletion is not finished yet.

    A workspace is there as soon as anything is in it; only an empty one needs to be written down. One that is deleted
    is condemned first, which takes its documents out of sight at once, and struck off when nothing of it is left.
    Thread-safe; each method is one transaction.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        self._engine.dispose()

    def names(self) -> set[str]:
        with self._engine.connect() as connection:
            return set(connection.scalars(sa.select(WORKSPACES.c.name).where(WORKSPACES.c.condemned_at.is_(None))))

    def add(self, name: str) -> None:
        with self._engine.begin() as connection:
            self._write(connection, name, condemned_at=None)

    def condemn(self, name: str) -> None:
        """Begin a deletion: whatever happens to the process, it will be finished, and no document is seen any more."""
        with self._engine.begin() as connection:
            self._write(connection, name, condemned_at=_now())
            connection.execute(DOCUMENTS.update().where(DOCUMENTS.c.workspace == name).values(state="stale"))

    def condemned(self, *, shared: bool) -> list[str]:
        """Workspaces that a killed process left half deleted; where others share the store, one may be at it still."""
        query = sa.select(WORKSPACES.c.name).where(WORKSPACES.c.condemned_at.is_not(None))
        if shared:
            query = query.where(WORKSPACES.c.condemned_at < _now(ago=True))
        with self._engine.connect() as connection:
            return list(connection.scalars(query.order_by(WORKSPACES.c.name)))

    def strike(self, name: str) -> None:
        """Nothing is left of it."""
        with self._engine.begin() as connection:
            connection.execute(WORKSPACES.delete().where(WORKSPACES.c.name == name))

    @staticmethod
    def _write(connection: sa.Connection, name: str, *, condemned_at: str | None) -> None:
        connection.execute(WORKSPACES.delete().where(WORKSPACES.c.name == name))
        connection.execute(WORKSPACES.insert(), {"name": name, "condemned_at": condemned_at})


def _now(*, ago: bool = False) -> str:
    moment = datetime.now(UTC) - ABANDONED_AFTER if ago else datetime.now(UTC)
    return moment.isoformat(timespec="seconds")


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
            rows = connection.execute(_VECTORS_OF, {"workspace": workspace}).all()
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
            if connection.execute(_VECTORS_OF, {"workspace": workspace}).first() is None:
                connection.execute(VECTORS.insert(), _vector_row(workspace, identity, VectorState.CURRENT))
                if building is not None:
                    connection.execute(VECTORS.insert(), _vector_row(workspace, building, VectorState.BUILDING))

    def begin(self, workspace: str, identity: Identity) -> None:
        """From now on these are being built; there are none other that are."""
        with self._engine.begin() as connection:
            connection.execute(VECTORS.delete().where(*_in_state(workspace, VectorState.BUILDING)))
            connection.execute(VECTORS.insert(), _vector_row(workspace, identity, VectorState.BUILDING))

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
            connection.execute(VECTORS.delete().where(*_in_state(workspace, VectorState.CURRENT)))
            built = (
                VECTORS.update().where(*_in_state(workspace, VectorState.BUILDING)).values(state=VectorState.CURRENT)
            )
            if connection.execute(built).rowcount != 1:
                raise NotFound(f"The workspace {workspace!r} was deleted while it was reindexed.")
            connection.execute(VECTORS.insert(), _vector_row(workspace, before, VectorState.REPLACED))
        return True

    def end(self, workspace: str, state: VectorState) -> None:
        """What was in that state is gone from the index."""
        with self._engine.begin() as connection:
            connection.execute(VECTORS.delete().where(*_in_state(workspace, state)))

    def forget(self, workspace: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(VECTORS.delete().where(VECTORS.c.workspace == workspace))


_VECTORS_OF = sa.select(VECTORS).where(VECTORS.c.workspace == sa.bindparam("workspace"))


def _in_state(workspace: str, state: VectorState) -> tuple[sa.ColumnElement[bool], ...]:
    return VECTORS.c.workspace == workspace, VECTORS.c.state == state


def _vector_row(workspace: str, identity: Identity, state: VectorState) -> dict[str, object]:
    kept = {"embedder": identity.embedder, "dimension": identity.dimension}
    return {"workspace": workspace, "state": state, **kept}


def _fingerprint(connection: sa.Connection, workspace: str) -> Fingerprint:
    told = sa.func.count(), sa.func.sum(DOCUMENTS.c.passages), sa.func.max(DOCUMENTS.c.ingested_at)
    ready = DOCUMENTS.c.workspace == workspace, DOCUMENTS.c.state == "ready"
    return tuple(connection.execute(sa.select(*told).where(*ready)).one())
