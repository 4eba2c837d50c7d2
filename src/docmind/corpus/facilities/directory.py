"""Everything a scope can find, in memory: its facilities, where they are, and the words their table uses."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from docmind.corpus.facilities.distance import Points, distances_km, middle
from docmind.corpus.facilities.facility import Facility
from docmind.corpus.facilities.gazetteer import City
from docmind.corpus.facilities.spelling import bags, closest, fold


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
