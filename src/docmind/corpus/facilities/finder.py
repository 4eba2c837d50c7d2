"""The facility finder: what fits a query, nearest first, or what has to be asked before that can be said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
import numpy.typing as npt

from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.facility import Facility, FacilityQuery
from docmind.corpus.facilities.geography import Gazetteer, distances_km
from docmind.corpus.facilities.hours import is_open, shown_hours
from docmind.corpus.facilities.places import Ambiguous, Area, Spot, locate
from docmind.corpus.facilities.spelling import fold, term

DEFAULT_RADIUS_KM = 50.0
"""What "near" means where nobody says."""
MOST_OPTIONS = 4
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Hit:
    facility: Facility
    distance_km: float | None
    hours: str
    """The opening hours that matter to the query."""


@dataclass(frozen=True, slots=True)
class FacilityMatches:
    """What fits, and how it came to that."""

    query: FacilityQuery
    where: Spot | Area | None
    hits: tuple[Hit, ...]
    total: int
    radius_km: float | None
    other_kinds: bool = False
    """Nothing of the kind asked for fits, and these are of other kinds."""
    beyond: Hit | None = None
    """Where nothing lies within the radius, the nearest outside it."""
    without_hours: int = 0
    """Facilities that would fit but do not say when they are open."""


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be known first, with likely answers."""

    question: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """Why no search can find anything."""

    reason: str


Outcome = FacilityMatches | Question | Nothing


def find(query: FacilityQuery, directory: Directory, gazetteer: Gazetteer, now: datetime) -> Outcome:
    """What `query` finds at the moment `now`."""
    if not len(directory):
        return Nothing("No facilities have been imported into this workspace yet.")
    if refusal := _unknown_words(query, directory):
        return Nothing(refusal)
    radius = query.radius_km if query.radius_km is not None else DEFAULT_RADIUS_KM
    where = _where(query, directory, gazetteer, radius)
    if isinstance(where, Question):
        return where
    found = _search(query, directory, where, radius, now)
    if not found.hits and query.kind and (query.services or query.opening):
        others = _search(replace(query, kind=""), directory, where, radius, now)
        if others.hits:
            return replace(others, query=query, other_kinds=True)
    return found


def _where(
    query: FacilityQuery, directory: Directory, gazetteer: Gazetteer, radius_km: float
) -> Spot | Area | Question | None:
    towns = tuple(town.label for town in directory.towns[:MOST_OPTIONS])
    if not query.place:
        return Question("Near which place?", towns) if query.nearest and not query.name else None
    match locate(query.place, directory, gazetteer, radius_km):
        case None:
            return Question(f"No place called {query.place!r} is known. Which place is it near?", towns)
        case Ambiguous(name, labels):
            return Question(f"Which {name} do you mean?", labels[:MOST_OPTIONS])
        case spot_or_area:
            return spot_or_area


def _search(
    query: FacilityQuery, directory: Directory, where: Spot | Area | None, radius_km: float, now: datetime
) -> FacilityMatches:
    fits, silent = _fits(query, directory, now)
    away: npt.NDArray[np.float64] | None = None
    inside = fits
    if isinstance(where, Area):
        inside = fits & directory.in_area(fold(where.label))
    elif where:
        away = distances_km(where.latitude, where.longitude, directory.points)
        inside = fits & (away <= radius_km)
        silent = silent & (away <= radius_km)

    def hits(mask: Mask, most: int) -> Iterator[Hit]:
        rows = np.flatnonzero(mask)
        if away is not None:
            rows = rows[np.argsort(away[rows], kind="stable")]
        for row in rows[:most]:
            facility = directory.facilities[row]
            yield Hit(facility, None if away is None else float(away[row]), shown_hours(facility, query.opening, now))

    shown = tuple(hits(inside, query.limit))
    beyond = next(hits(fits, 1), None) if away is not None and not shown else None
    radius = radius_km if away is not None else None
    return FacilityMatches(
        query, where, shown, int(inside.sum()), radius, beyond=beyond, without_hours=int(silent.sum())
    )


def _fits(query: FacilityQuery, directory: Directory, now: datetime) -> tuple[Mask, Mask]:
    """Which facilities fit, and which would if they said when they are open."""
    name = fold(query.name)
    names = {each for each in directory.names if fold(each) == name} if name else None
    kinds = _covering(query.kind, directory.kinds)
    services = [_covering(service, directory.services) for service in query.services]
    # Few facilities keep hours of their own, and telling whether doors are open takes longer than all the rest.
    open_then: dict[tuple[str, str], bool] = {}
    fits = np.zeros(len(directory), dtype=bool)
    silent = fits.copy()
    for row, facility in enumerate(directory.facilities):
        if facility.kind not in kinds or (names is not None and facility.name not in names):
            continue
        if any(offered.isdisjoint(facility.services) for offered in services):
            continue
        hours = facility.opening_hours, facility.timezone
        if query.opening and facility.opening_hours and hours not in open_then:
            open_then[hours] = is_open(facility, query.opening, now)
        silent[row] = query.opening is not None and not facility.opening_hours
        fits[row] = query.opening is None or open_then.get(hours, False)
    return fits, silent


def _covering(wanted: str, words: Sequence[str]) -> set[str]:
    """The words of the table that cover `wanted`."""
    return {word for word in words if _covers(term(wanted), word)}


def _covers(wanted: tuple[str, ...], offered: str) -> bool:
    """ "Vaccination" is covered by "travel vaccination", and nothing by everything."""
    return set(wanted) <= set(term(offered))


def _unknown_words(query: FacilityQuery, directory: Directory) -> str:
    if not _covering(query.kind, directory.kinds):
        return f"No facility here is of the kind {query.kind!r}. The kinds are: {', '.join(directory.kinds[:20])}."
    for service in query.services:
        if not _covering(service, directory.services):
            return f"No facility here offers {service!r}. The services are: {', '.join(directory.services[:20])}."
    if query.name and not any(fold(name) == fold(query.name) for name in directory.names):
        return f"No facility here is called {query.name!r}."
    return ""
