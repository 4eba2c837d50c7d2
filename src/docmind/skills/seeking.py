"""Tells a request for a facility, "which clinics are open near Boston?", from a question to the documents."""

import re
from dataclasses import replace

from docmind.corpus.facilities import FacilityQuery
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.dialogue.ellipsis import is_fragment
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.places import FacilityContext
from docmind.skills.question.words import read_words

_NEARBY = re.compile(
    r"\b(?:near(?:est)?|closest|close) (?:to )?(?:me|us|here|my|our)\b|\b(?:the )?(?:nearest|closest) \w{3,}|\bnearby\b"
    r"|\bdirections to\b|\bhow do i get to\b",
    re.IGNORECASE,
)
_FINDING = vocabulary("where find which is are any show list nearest closest need looking i locate search what open")
_OF_ONE = vocabulary("where phone number call address open opening hours directions closed close reach")
_NARROWING = vocabulary("only which also those ones them open closer further others more show any and what how")
_LONGEST_FOLLOW_UP = 10


def seeks_place(message: str, heard: FacilityContext) -> bool:
    """Whether it looks for a facility: by what the table has and where, or by words that only such a request uses."""
    lower = {word.lower for word in read_words(message)}
    if not heard.stocked:
        return _NEARBY.search(message) is not None
    query = heard.query
    if query.name:
        return not lower.isdisjoint(_OF_ONE)
    placed = bool(query.place) or query.nearest or query.radius_km is not None
    what = bool(query.kind or query.services)
    if what and (placed or query.opening is not None):
        return is_fragment(message) or not lower.isdisjoint(_FINDING) or _begins_with(message, query.kind)
    return (what and "where" in lower) or (query.nearest and _NEARBY.search(message) is not None)


def finds_something(heard: FacilityContext) -> bool:
    """Whether the table has what a message speaks of, be it asked for or not."""
    query = heard.query
    return bool(query.kind or query.services or query.name or query.opening)


def goes_on(message: str, heard: FacilityContext) -> bool:
    """Whether a message after facilities were found narrows or moves the search: "only those open on Sunday"."""
    words = read_words(message)
    query = heard.query
    says = bool(query.kind or query.services or query.opening or query.place or query.radius_km)
    if not says or len(words) > _LONGEST_FOLLOW_UP:
        return False
    return is_fragment(message) or bool(pointers(message)) or words[0].lower in _NARROWING


def continued(query: FacilityQuery, earlier: FacilityQuery) -> FacilityQuery:
    """What an earlier request asked for and a later one is silent about."""
    return replace(
        query,
        kind=query.kind or earlier.kind,
        services=query.services or earlier.services,
        opening=query.opening or earlier.opening,
        place=query.place or earlier.place,
        radius_km=query.radius_km if query.radius_km is not None else earlier.radius_km,
        name=query.name or ("" if query.place else earlier.name),
        nearest=query.nearest and not (query.place or earlier.place),
    )


def _begins_with(message: str, kind: str) -> bool:
    """Clinics in Boston: what is looked for comes first, and nothing is asked of it."""
    words = read_words(message)
    return bool(kind and words) and words[0].lower[:4] == kind.lower()[:4]
