"""From what a person calls a place to where it is: coordinates, a postcode, a name, an area; or who it could be."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.geography import City, Gazetteer, distances_km
from docmind.corpus.facilities.spelling import fold

SAME_PLACE_KM = 40.0
"""Two places of one name that are nearer than this are one: the table's and the gazetteer's, a town and its centre."""
MOST_WORDS = 8
_DEGREES = r"([-+−]?\d{1,3}(?:\.\d{1,12})?)°?\s?"
COORDINATES = re.compile(rf"{_DEGREES}([NS])?[\s,;]{{1,3}}{_DEGREES}([EW])?")


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that distances are measured from."""

    label: str
    latitude: float
    longitude: float
    taken_for: str = ""
    """What was written, where it was read as the misspelt name of this place."""


@dataclass(frozen=True, slots=True)
class Area:
    """A region or country of the table: inside or not, with no middle to measure from."""

    label: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several places of one name, each with facilities around it, most facilities first."""

    name: str
    labels: tuple[str, ...]


Where = Spot | Area | Ambiguous | None


def locate(text: str, directory: Directory, gazetteer: Gazetteer, radius_km: float) -> Where:
    """Where `text` is; None where nobody knows. A shared name is decided by where there are facilities at all."""
    if spot := _coordinates(text):
        return spot
    if any(map(str.isdigit, text)) and (there := directory.at_postcode(text)):
        return _choose(text, _distinct(there), directory, radius_km)
    written = fold(text)
    # "Ontario" is a city in California too; the table's own word comes first, unless it is also a town of the table.
    if written in directory.areas and written not in directory.town_names:
        return Area(directory.areas[written])
    if places := _named(text, directory, gazetteer):
        return _choose(text, places, directory, radius_km)
    meant = _misspelt(text, directory, gazetteer)
    return _choose(text, meant, directory, radius_km, slipped=True) if meant else None


def _coordinates(text: str) -> Spot | None:
    match = COORDINATES.fullmatch(text.strip())
    if match is None:
        return None
    latitude = float(match[1].replace("−", "-")) * (-1 if match[2] == "S" else 1)
    longitude = float(match[3].replace("−", "-")) * (-1 if match[4] == "W" else 1)
    if abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return Spot(f"{latitude:g}, {longitude:g}", latitude, longitude)


def _readings(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A name and the areas it lies in: "Springfield, Illinois" has one reading, "New York NY" two."""
    head, *areas = (fold(part) for part in text.split(","))
    if areas:
        yield head, tuple(filter(None, areas))
        return
    words = head.split()[:MOST_WORDS]
    for length in range(len(words), 0, -1):
        rest = " ".join(words[length:])
        yield " ".join(words[:length]), (rest,) if rest else ()


def _named(text: str, directory: Directory, gazetteer: Gazetteer) -> list[City]:
    # Other names of cities are many and odd, so every reading is tried without them first.
    for lookup in (gazetteer.named, gazetteer.also_named):
        for name, areas in _readings(text):
            if found := _places(_inside(areas, directory.town_names.get(name, ())), _inside(areas, lookup(name))):
                return found
    return []


def _misspelt(text: str, directory: Directory, gazetteer: Gazetteer) -> list[City]:
    for name, areas in _readings(text):
        near_towns, town_slips = directory.closest_town(name)
        names, slips = gazetteer.closest(name)
        # A town of the table is more likely meant than a stranger, also with one slip more.
        meant = near_towns if near_towns and (not names or town_slips <= slips + 1) else names
        towns = [town for each in meant for town in directory.town_names.get(each, ())]
        cities = [city for each in meant for city in gazetteer.named(each)]
        if found := _places(_inside(areas, towns), _inside(areas, cities)):
            return found
    return []


def _places(towns: Sequence[City], cities: Sequence[City]) -> list[City]:
    """The towns of the table at the centres that the gazetteer knows; its cities where the table has none of them."""
    return [_centred(town, cities) for town in _distinct(towns)] or _distinct(cities)


def _centred(town: City, cities: Sequence[City]) -> City:
    around = [city for city, away in zip(cities, _away(town, cities), strict=True) if away < SAME_PLACE_KM]
    return replace(town, latitude=around[0].latitude, longitude=around[0].longitude) if around else town


def _inside(areas: Sequence[str], cities: Sequence[City]) -> list[City]:
    return [city for city in cities if all(city.lies_in(area) for area in areas)]


def _choose(
    text: str, places: Sequence[City], directory: Directory, radius_km: float, *, slipped: bool = False
) -> Spot | Ambiguous:
    counts = {place: directory.within(place.latitude, place.longitude, radius_km) for place in places}
    served = sorted((place for place in places if counts[place]), key=lambda place: -counts[place])
    if len(served) > 1:
        return Ambiguous(served[0].name, tuple(place.label for place in served))
    best = served[0] if served else max(places, key=lambda place: place.population)
    return Spot(best.label, best.latitude, best.longitude, text if slipped else "")


def _distinct(places: Sequence[City]) -> list[City]:
    """Each place once, however often it is written or counted."""
    kept: list[City] = []
    for place in places:
        if (_away(place, kept) >= SAME_PLACE_KM).all():
            kept.append(place)
    return kept


def _away(place: City, others: Sequence[City]) -> npt.NDArray[np.float64]:
    points = np.array([(other.latitude, other.longitude) for other in others], dtype=np.float64).reshape(-1, 2)
    return distances_km(place.latitude, place.longitude, points)
