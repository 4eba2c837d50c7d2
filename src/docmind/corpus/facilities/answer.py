"""Tells what was found: in words, as things to do about it, and as points on a map."""

import re
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict

from docmind.corpus.facilities.facility import Day, FacilityQuery, Opening
from docmind.corpus.facilities.finder import FacilityMatches, Hit, Nothing, Outcome, Question
from docmind.corpus.facilities.places import Area, Spot
from docmind.domain.answers import Clarification

DIRECTIONS = "https://www.openstreetmap.org/directions"
_READABLE = str.maketrans("", "", " ()./–-\u00a0\u202f")


class FacilityAnswer(BaseModel):
    """One answer of the finder, in one form for Python, the command line and the service."""

    model_config = ConfigDict(frozen=True)

    text: str
    clarification: Clarification | None = None
    """What has to be known first; its question is the text."""
    actions: list[dict[str, Any]] = []
    """`call` and `directions`, for each facility in order."""
    geojson: dict[str, Any]
    """A FeatureCollection of the facilities in order."""

    @property
    def found(self) -> bool:
        return bool(self.geojson["features"])


def tell(outcome: Outcome) -> FacilityAnswer:
    match outcome:
        case Question(question, options):
            asked = Clarification(question=question, options=list(options))
            return FacilityAnswer(text=question, clarification=asked, geojson=_collection(()))
        case Nothing(reason):
            return FacilityAnswer(text=reason, geojson=_collection(()))
        case FacilityMatches(where=where, hits=hits):
            actions = [action for hit in hits for action in _actions(hit, where)]
            return FacilityAnswer(text=_text(outcome), actions=actions, geojson=_collection(hits))


def _text(found: FacilityMatches) -> str:
    lines = [_heading(found), *(f"{rank}. {_line(hit)}" for rank, hit in enumerate(found.hits, 1))]
    if isinstance(found.where, Spot) and found.where.taken_for:
        lines.insert(0, f"{found.where.taken_for!r} is taken for {found.where.label}.")
    if found.without_hours == 1:
        lines.append("1 facility that fits otherwise does not say when it is open.")
    elif found.without_hours:
        lines.append(f"{found.without_hours:,} facilities that fit otherwise do not say when they are open.")
    return "\n".join(lines)


def _heading(found: FacilityMatches) -> str:
    asked, where = _asked(found.query), _where(found)
    if found.other_kinds:
        rest = _asked(found.query, kind=False)
        return f"No facility of the kind {found.query.kind!r}{where} fits{rest}. These of other kinds do:"
    one, many = ("fits", "fit") if asked else ("lies", "lie") if where else ("is here", "are here")
    if not found.hits:
        sentence = f"No facility {one}{asked}{where}."
        if found.beyond is None:
            return sentence
        nearest = found.beyond.facility
        town = f" in {nearest.city}" if nearest.city else ""
        does = " that does" if asked else ""
        return f"{sentence} The nearest{does} is {nearest.name}{town}, {_distance(found.beyond)} away."
    count = f"1 facility {one}" if found.total == 1 else f"{found.total:,} facilities {many}"
    nearest_first = ", nearest first" if found.radius_km is not None and found.total > 1 else ""
    some = f"; the first {len(found.hits)}" if len(found.hits) < found.total else ""
    return f"{count}{asked}{where}{nearest_first}{some}:"


def _asked(query: FacilityQuery, *, kind: bool = True) -> str:
    """What was asked for, in brackets, so that a misunderstanding shows."""
    parts = [query.name, query.kind if kind else "", *query.services, _when(query.opening)]
    told = ", ".join(filter(None, parts))
    return f" ({told})" if told else ""


def _when(opening: Opening | None) -> str:
    if opening is None:
        return ""
    match opening.day:
        case Day.NOW | Day.TODAY | Day.TOMORROW:
            day = str(opening.day)
        case Day.WEEKDAY:
            day = "on weekdays"
        case Day.WEEKEND:
            day = "at the weekend"
        case named:
            day = f"on {named.capitalize()}"
    at = f" at {opening.minute // 60:02d}:{opening.minute % 60:02d}" if opening.minute is not None else ""
    return f"open {day}{at}"


def _where(found: FacilityMatches) -> str:
    match found.where:
        case Spot(label):
            return f" within {found.radius_km:g} km of {label}"
        case Area(label):
            return f" in {label}"
        case None:
            return ""


def _line(hit: Hit) -> str:
    facility = hit.facility
    what = f"{facility.name} ({facility.kind})" + (f", {_distance(hit)}" if hit.distance_km is not None else "")
    hours = hit.hours[:1].upper() + hit.hours[1:]
    parts = (what, facility.whole_address, hours, f"Phone {facility.phone}" if facility.phone else "")
    return ". ".join(filter(None, parts)) + "."


def _distance(hit: Hit) -> str:
    km = hit.distance_km or 0.0
    return f"{round(km * 1000, -1):.0f} m" if km < 0.995 else f"{km:.1f} km" if km < 9.95 else f"{km:,.0f} km"


def _actions(hit: Hit, where: Spot | Area | None) -> list[dict[str, Any]]:
    facility = hit.facility
    actions: list[dict[str, Any]] = []
    if facility.phone:
        call = {"type": "call", "label": f"Call {facility.name}", "facility": facility.id}
        actions.append({**call, "phone": facility.phone, "url": f"tel:{_dialled(facility.phone)}"})
    start = f"&from={quote(f'{where.latitude},{where.longitude}')}" if isinstance(where, Spot) else ""
    url = f"{DIRECTIONS}?to={quote(f'{facility.latitude},{facility.longitude}')}{start}"
    there = {"latitude": facility.latitude, "longitude": facility.longitude}
    to = {"type": "directions", "label": f"Directions to {facility.name}", "facility": facility.id}
    return [*actions, {**to, **there, "url": url}]


def _dialled(phone: str) -> str:
    """A number as telephones take it: without what makes it easy to read, and without an extension."""
    return re.split(r"[a-z]", phone.lower(), maxsplit=1)[0].translate(_READABLE)


def _collection(hits: tuple[Hit, ...]) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": [_feature(hit) for hit in hits]}


def _feature(hit: Hit) -> dict[str, Any]:
    facility = hit.facility
    properties: dict[str, Any] = {
        "name": facility.name,
        "kind": facility.kind,
        "services": list(facility.services),
        "address": facility.whole_address,
        "phone": facility.phone,
        "opening_hours": facility.opening_hours,
        "timezone": facility.timezone,
    }
    if hit.distance_km is not None:
        properties["distance_km"] = round(hit.distance_km, 3)
    return {
        "type": "Feature",
        "id": facility.id,
        "geometry": {"type": "Point", "coordinates": [facility.longitude, facility.latitude]},
        "properties": properties,
    }
