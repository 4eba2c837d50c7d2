"""Keeps facility tables in the database, one for each workspace and user, replaced whole by every import."""

import uuid
from collections import OrderedDict
from dataclasses import asdict, fields
from pathlib import Path
from threading import Lock
from typing import Any

import sqlalchemy as sa

from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.facility import Facility
from docmind.database import open_database
from docmind.domain.scope import Scope

SCHEMA = sa.MetaData()
VERSIONS = sa.Table(
    "facility_tables",
    SCHEMA,
    sa.Column("workspace", sa.String, primary_key=True),
    sa.Column("owner", sa.String, primary_key=True),  # "" where everyone in the workspace shares it
    sa.Column("version", sa.String, nullable=False),
)
_TYPES: dict[str, type[sa.types.TypeEngine[Any]]] = {"latitude": sa.Float, "longitude": sa.Float, "services": sa.JSON}
_COLUMNS = tuple(field.name for field in fields(Facility))
FACILITIES = sa.Table(
    "facilities",
    SCHEMA,
    sa.Column("workspace", sa.String, primary_key=True),
    sa.Column("owner", sa.String, primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True),
    *(sa.Column(name, _TYPES.get(name, sa.String), nullable=False) for name in _COLUMNS),
)
KEPT = 8
"""Scopes whose facilities stay in memory; a version tells whether they still hold."""

Version = tuple[str, ...]


def open_facilities(url: str | None, root: Path) -> "FacilityStore":
    """The facilities of the database at `url`, or of the folder `root` where none is given."""
    return FacilityStore(open_database(url, root / "catalogue.db", SCHEMA, holds="The table of facilities"))


class FacilityStore:
    """Thread-safe; each method is one transaction."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._lock = Lock()
        self._kept: OrderedDict[Scope, tuple[Version, Directory]] = OrderedDict()

    def close(self) -> None:
        self._engine.dispose()

    def replace(self, scope: Scope, facilities: tuple[Facility, ...]) -> None:
        """Make these the scope's own facilities, in place of those it had, at once."""
        owner = {"workspace": scope.workspace, "owner": scope.user or ""}
        rows = [
            {**owner, "position": position, **asdict(facility), "services": list(facility.services)}
            for position, facility in enumerate(facilities)
        ]
        with self._engine.begin() as connection:
            for table in (VERSIONS, FACILITIES):
                connection.execute(table.delete().filter_by(**owner))
            connection.execute(VERSIONS.insert(), {**owner, "version": uuid.uuid4().hex})
            if rows:
                connection.execute(FACILITIES.insert(), rows)

    def workspaces(self) -> set[str]:
        with self._engine.connect() as connection:
            return set(connection.scalars(sa.select(VERSIONS.c.workspace).distinct()))

    def drop(self, workspace: str) -> None:
        """Forget the facilities of a whole workspace, whoever owns them."""
        with self._engine.begin() as connection:
            for table in (VERSIONS, FACILITIES):
                connection.execute(table.delete().where(table.c.workspace == workspace))

    def directory(self, scope: Scope) -> Directory:
        """Everything the scope sees: what its workspace shares, and what is its user's own."""
        with self._engine.connect() as connection:
            version = tuple(connection.scalars(_seen(sa.select(VERSIONS.c.version), VERSIONS, scope)))
            with self._lock:
                known = self._kept.get(scope)
            if known is not None and known[0] == version:
                return known[1]
            query = _seen(sa.select(FACILITIES), FACILITIES, scope).order_by(FACILITIES.c.position)
            directory = Directory(_facility(row) for row in connection.execute(query).mappings())
        with self._lock:
            self._kept[scope] = version, directory
            self._kept.move_to_end(scope)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return directory


def _seen(query: sa.Select[Any], table: sa.Table, scope: Scope) -> sa.Select[Any]:
    visible = query.where(table.c.workspace == scope.workspace, table.c.owner.in_({"", scope.user or ""}))
    return visible.order_by(table.c.owner)


def _facility(row: Any) -> Facility:
    return Facility(**{name: row[name] for name in _COLUMNS} | {"services": tuple(row["services"])})
