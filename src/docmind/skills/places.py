"""Requests for a facility, "clinics open on Sunday near Springfield": told from questions, and read as queries."""

import re
from dataclasses import dataclass, field, replace
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from docmind.corpus.facilities import Day, FacilityQuery, Opening
from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.spelling import term
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.dialogue.ellipsis import is_fragment
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.facility_request import Sentence, read_name, read_opening, read_place, read_radius_km, read_terms
from docmind.skills.prompts import instructions, room
from docmind.skills.question import clean
from docmind.skills.question.words import read_words

_MOST_WORDS = 60
"""Kinds, services or names of a table that a reader is shown."""
_FELL_BACK = "The request was read by rules instead."


class _Request(BaseModel):
    """A request, as a chat model reads it."""

    model_config = ConfigDict(frozen=True)

    kind: str = ""
    services: list[str] = []
    day: Day | None = None
    time: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] | None = None
    place: str = ""
    radius_km: Annotated[float, Field(gt=0, le=20_000)] | None = None
    name: str = ""
    near_me: bool = False


@dataclass(frozen=True, slots=True)
class FacilityContext:
    """What a sentence has in common with a table: enough to decide about it, with the table out of reach."""

    query: FacilityQuery = field(default_factory=FacilityQuery)
    """What it looks for, by its words."""
    stocked: bool = False
    """Whether the table holds anything."""
    kinds: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Of the facilities that are named like something in the sentence."""


class ParsedRequest(NamedTuple):
    """A query, and why the chat model's reading was not used where there is one."""

    query: FacilityQuery
    note: str = ""


def hear(sentence: str, directory: Directory) -> FacilityContext:
    """The sentence beside the table."""
    said = set(term(clean(sentence)))
    named = [name for name in directory.names if not said.isdisjoint(term(name))]
    kinds, services, names = (tuple(words[:_MOST_WORDS]) for words in (directory.kinds, directory.services, named))
    return FacilityContext(by_words(sentence, directory), len(directory) > 0, kinds, services, names)


async def read_request(sentence: str, heard: FacilityContext, chat: ChatModel | None = None) -> ParsedRequest:
    """What a sentence looks for, by the chat model if there is one and what it says can be used."""
    if chat is None or not sentence.strip():
        return ParsedRequest(heard.query)
    said = await ask(chat, prompt(clean(sentence), heard), _Request, room=room("read_place_request"))
    if isinstance(said, Failure):
        return ParsedRequest(heard.query, f"{_FELL_BACK} {said.reason}")
    if invented := _invented(said, heard):
        return ParsedRequest(heard.query, f"{_FELL_BACK} The model {chat.name} made up {invented!r}.")
    return ParsedRequest(_query(said))


def prompt(sentence: str, heard: FacilityContext) -> list[Message]:
    """What a chat model is told."""
    kinds, services = ", ".join(heard.kinds), ", ".join(heard.services)
    return [
        Message("system", instructions("read_place_request").format(kinds=kinds, services=services)),
        Message("user", f"The request:\n{sentence}"),
    ]


def by_words(sentence: str, directory: Directory) -> FacilityQuery:
    """The embedded way: by the words that the sentence shares with the table, and those around them."""
    words = Sentence(clean(sentence))
    name = read_name(words, directory)
    radius_km = read_radius_km(words)
    opening = read_opening(words)
    kind, services = read_terms(words, directory)
    place, nearest = read_place(words, directory)
    return FacilityQuery(kind, services, opening, place, radius_km, name, nearest)


def _invented(said: _Request, heard: FacilityContext) -> str:
    """The first word for a kind, service or name that the table does not have."""
    known = {term(word) for word in (*heard.kinds, *heard.services, *heard.names)}
    return next((word for word in (said.kind, *said.services, said.name) if word and term(word) not in known), "")


def _query(said: _Request) -> FacilityQuery:
    minute = int(said.time[:2]) * 60 + int(said.time[3:]) if said.time else None
    day = said.day or (Day.TODAY if said.time else None)
    opening = Opening(day, None if day is Day.NOW else minute) if day else None
    nearest = said.near_me and not said.place
    return FacilityQuery(said.kind, tuple(said.services), opening, said.place, said.radius_km, said.name, nearest)


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
