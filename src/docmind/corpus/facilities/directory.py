"""The facilities of each scope: kept in the database, replaced whole by every import, and searched in memory."""

import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from docmind.corpus.facilities.facility import Facility
from docmind.corpus.facilities.geography import City, Points, distances_km, middle
from docmind.corpus.facilities.spelling import bags, closest, fold
from docmind.database import open_database
from docmind.domain.scope import Scope


class Directory:
    """The facilities of a scope. It does not change: a new import makes a new one."""

    def __init__(self, facilities: Iterable[Facility]) -> None:
        self.facilities = tuple(facilities)
        self.points = _points(self.facilities)

    def __len__(self) -> int:
        return len(self.facilities)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Most frequent first."""
        return _by_frequency(facility.kind for facility in self.facilities)

    @cached_property
    def services(self) -> tuple[str, ...]:
        return _by_frequency(service for facility in self.facilities for service in facility.services)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(facility.name for facility in self.facilities))

    @cached_property
    def towns(self) -> tuple[City, ...]:
        """The places that the table itself names, each at the middle of its facilities, most facilities first."""
        return _middles(self.facilities, lambda facility: facility.city)

    @cached_property
    def town_names(self) -> dict[str, list[City]]:
        found: dict[str, list[City]] = {}
        for town in self.towns:
            found.setdefault(fold(town.name), []).append(town)
        return found

    @cached_property
    def areas(self) -> dict[str, str]:
        """Regions and countries of the table by their folded names."""
        named = (area for facility in self.facilities for area in (facility.region, facility.country) if area)
        return {fold(area): area for area in named}

    def in_area(self, area: str) -> npt.NDArray[np.bool_]:
        """Which facilities lie in the folded region or country."""
        written = {name for each in self.facilities for name in (each.region, each.country)}
        meant = {name for name in written if fold(name) == area}
        return np.array([each.region in meant or each.country in meant for each in self.facilities], dtype=bool)

    def at_postcode(self, code: str) -> tuple[City, ...]:
        """The places with this postcode, or whose postcodes go on from it after a space, as "SE1 7PB" does from SE1."""
        start = fold(code)
        exact = [each for each in self.facilities if each.postcode and _joined(each.postcode) == _joined(code)]
        if exact:
            return _middles(exact, lambda facility: f"{facility.postcode} {facility.city}".strip())
        begun = [each for each in self.facilities if fold(each.postcode).startswith(f"{start} ")]
        return _middles(begun, lambda facility: f"{start.upper()} {facility.city}".strip()) if start else ()

    def closest_town(self, name: str) -> tuple[list[str], int]:
        names = list(self.town_names)
        return closest(name, names, bags(names))

    def within(self, latitude: float, longitude: float, radius_km: float) -> int:
        """How many facilities lie around a place."""
        return int((distances_km(latitude, longitude, self.points) <= radius_km).sum())


def _joined(code: str) -> str:
    return fold(code).replace(" ", "")


def _by_frequency(values: Iterable[str]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return tuple(sorted(counts, key=lambda value: (-counts[value], value)))


def _middles(facilities: Iterable[Facility], name: Callable[[Facility], str]) -> tuple[City, ...]:
    groups: dict[tuple[str, str, str], list[Facility]] = {}
    for facility in facilities:
        if name(facility):
            groups.setdefault((name(facility), facility.region, facility.country), []).append(facility)
    largest_first = sorted(groups.items(), key=lambda group: -len(group[1]))
    return tuple(City(*where, *middle(_points(members)), members[0].timezone) for where, members in largest_first)


def _points(facilities: Sequence[Facility]) -> Points:
    positions = [(facility.latitude, facility.longitude) for facility in facilities]
    return np.array(positions, dtype=np.float64).reshape(-1, 2)


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
            directory = Directory(_as_facility(row) for row in connection.execute(query).mappings())
        with self._lock:
            self._kept[scope] = version, directory
            self._kept.move_to_end(scope)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return directory


def _seen(query: sa.Select[Any], table: sa.Table, scope: Scope) -> sa.Select[Any]:
    visible = query.where(table.c.workspace == scope.workspace, table.c.owner.in_({"", scope.user or ""}))
    return visible.order_by(table.c.owner)


def _as_facility(row: Any) -> Facility:
    return Facility(**{name: row[name] for name in _COLUMNS} | {"services": tuple(row["services"])})
