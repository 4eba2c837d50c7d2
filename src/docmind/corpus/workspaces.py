"""The register of workspaces."""

from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from docmind.corpus.catalogue import ABANDONED_AFTER
from docmind.corpus.tables import DOCUMENTS, SCHEMA, WORKSPACES
from docmind.database import open_database


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
