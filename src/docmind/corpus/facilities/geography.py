"""Where places are: the world's cities of 15,000 people and more, offline, and distances on the globe."""

import sqlite3
from bisect import bisect_right
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from docmind.corpus.facilities.spelling import bags, closest, fold
from docmind.domain.errors import StoreError

EARTH_RADIUS_KM = 6371.0088
Points = npt.NDArray[np.float64]
"""Latitude and longitude in degrees, a row a point."""


def distances_km(latitude: float, longitude: float, points: Points) -> npt.NDArray[np.float64]:
    """Great-circle distances from one place to each point, by the haversine formula."""
    here = np.radians((latitude, longitude))
    there = np.radians(points)
    north, east = ((there - here) / 2).T
    chord = np.sin(north) ** 2 + np.cos(here[0]) * np.cos(there[:, 0]) * np.sin(east) ** 2
    # Rounding can take antipodes a hair above one.
    return np.asarray(2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.minimum(chord, 1.0))))


def nearest(points: Points, among: Points, *, at_once: int = 128) -> npt.NDArray[np.intp]:
    """For each of `points` the row of `among` that is nearest to it."""
    targets = _on_sphere(among).T
    found = np.empty(len(points), dtype=np.intp)
    for start in range(0, len(points), at_once):
        some = slice(start, start + at_once)
        found[some] = np.argmax(_on_sphere(points[some]) @ targets, axis=1)
    return found


def middle(points: Points) -> tuple[float, float]:
    """Latitude and longitude of the middle of the points, also where longitudes start anew among them."""
    east, across, north = _on_sphere(points).mean(axis=0)
    return float(np.degrees(np.arctan2(north, np.hypot(east, across)))), float(np.degrees(np.arctan2(across, east)))


def _on_sphere(points: Points) -> Points:
    latitudes, longitudes = np.radians(points).T
    level = np.cos(latitudes)
    return np.stack((level * np.cos(longitudes), level * np.sin(longitudes), np.sin(latitudes)), axis=1)


_CITIES = """
    SELECT c.name, c.ascii_name, coalesce(c.name_en, c.name), coalesce(a.name_en, a.name, ''),
           coalesce(a.key, ''), coalesce(k.name_en, k.name), c.country_code, c.latitude, c.longitude, c.timezone,
           c.population
    FROM city c JOIN country k ON k.geonames_id = c.country_id
    LEFT JOIN administrative_unit a ON a.geonames_id = c.administrative_unit_id
    ORDER BY c.population DESC, c.geonames_id"""
_OTHER_NAMES = "SELECT coalesce(alternate_names, '') FROM city ORDER BY population DESC, geonames_id"
_COUNTRY_NAMES = {"GB": ("uk", "great britain", "britain"), "US": ("usa", "us", "america", "united states of america")}


class _Entry(NamedTuple):
    """A city as the file has it."""

    name: str
    ascii_name: str
    english_name: str
    region: str
    region_key: str
    country: str
    country_code: str
    latitude: float
    longitude: float
    timezone: str
    population: int


@dataclass(frozen=True, slots=True)
class City:
    """A place with a name, of the gazetteer or of a facility table."""

    name: str
    region: str
    country: str
    latitude: float
    longitude: float
    timezone: str = ""
    population: int = 0
    codes: frozenset[str] = frozenset()
    """Other ways to write its region and country, folded: "il", "us"."""

    @property
    def label(self) -> str:
        region = self.region if self.region != self.name else ""
        return ", ".join(filter(None, (self.name, region, self.country)))

    def lies_in(self, area: str) -> bool:
        """Whether the folded `area` names its region or country."""
        return area in self.codes or area in (fold(self.region), fold(self.country))


class Gazetteer:
    """Loaded on the first question; a few tens of megabytes that most processes never need."""

    def named(self, name: str) -> list[City]:
        """The cities with this folded name, largest first."""
        return [_city(entry) for entry in self._by_name.get(name, ())]

    def also_named(self, name: str) -> list[City]:
        """The cities that have this folded name among their other names, in whatever language, largest first."""
        text, starts = self._other_names
        found: list[City] = []
        at = text.find(f",{name},")
        while at >= 0:
            row = bisect_right(starts, at) - 1
            found.append(_city(self._entries[row]))
            at = text.find(f",{name},", starts[row + 1]) if row + 1 < len(starts) else -1
        return found

    def closest(self, name: str) -> tuple[list[str], int]:
        """The folded names with the fewest slips from `name`, and how many."""
        return closest(name, self._names, self._letters)

    def timezones(self, points: Points) -> list[str]:
        """The time zone of the city nearest to each point."""
        return [self._entries[row].timezone for row in nearest(points, self._points)]

    @cached_property
    def _entries(self) -> list[_Entry]:
        with closing(_open_gazetteer()) as connection:
            return list(map(_Entry._make, connection.execute(_CITIES)))

    @cached_property
    def _by_name(self) -> dict[str, list[_Entry]]:
        found: dict[str, list[_Entry]] = {}
        for entry in self._entries:
            for name in {fold(entry.name), fold(entry.ascii_name), fold(entry.english_name)}:
                found.setdefault(name, []).append(entry)
        return found

    @cached_property
    def _other_names(self) -> tuple[str, list[int]]:
        """All other names in one text, and where those of each city begin: a quarter of a million keys take longer."""
        with closing(_open_gazetteer()) as connection:
            lines = [f",{names.lower()}," for (names,) in connection.execute(_OTHER_NAMES)]
        return "".join(lines), list(accumulate(map(len, lines), initial=0))[:-1]

    @cached_property
    def _names(self) -> list[str]:
        return list(self._by_name)

    @cached_property
    def _letters(self) -> npt.NDArray[np.int8]:
        return bags(self._names)

    @cached_property
    def _points(self) -> Points:
        return np.array([(entry.latitude, entry.longitude) for entry in self._entries])


def _city(entry: _Entry) -> City:
    region_code = entry.region_key.partition(".")[2].lower()
    codes = {entry.country_code.lower(), *_COUNTRY_NAMES.get(entry.country_code, ()), *filter(None, [region_code])}
    where = (entry.latitude, entry.longitude, entry.timezone, entry.population)
    return City(entry.english_name, entry.region, entry.country, *where, frozenset(codes))


def _open_gazetteer() -> sqlite3.Connection:
    package = find_spec("pycities")
    if package is None or package.origin is None:
        raise StoreError("Place names need the package pycities: pip install pycities.")
    file = Path(package.origin).parent / "data" / "data.db"
    return sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)
