"""Contexts and units: whose figures they are, when, of which part of the company, and what they count."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from lxml.html import HtmlElement

from docmind.corpus.load.xbrl.markup import Markup, Unsound

MOST_MEMBERS = 20
LONGEST_NAME = 200
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Context:
    """Whose a figure is, and when."""

    entity: str
    end: dt.date
    start: dt.date | None
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resources:
    """The contexts and units of a page by their ids; None for an id that stands for two different things, or none."""

    contexts: dict[str, Context | None]
    units: dict[str, str | None]

    def context(self, reference: str | None) -> Context:
        return _known(self.contexts, reference, "context")

    def unit(self, reference: str | None) -> str:
        return _known(self.units, reference, "unit")


def read_resources(root: HtmlElement, markup: Markup) -> Resources:
    contexts = _by_id(markup.find_instance(root, "context"), lambda element: _context(element, markup))
    return Resources(contexts, _by_id(markup.find_instance(root, "unit"), lambda element: _unit(element, markup)))


def _known(found: dict[str, Read | None], reference: str | None, what: str) -> Read:
    if reference is None or reference not in found:
        raise Unsound(f"names a {what} that is not there")
    one = found[reference]
    if one is None:
        raise Unsound(f"names a {what} that is damaged or stands for two things")
    return one


def _by_id(elements: Iterator[HtmlElement], read: Callable[[HtmlElement], Read | None]) -> dict[str, Read | None]:
    found: dict[str, Read | None] = {}
    for element in elements:
        key, one = element.get("id") or "", read(element)
        found[key] = one if found.get(key, one) == one else None
    return found


def _context(element: HtmlElement, markup: Markup) -> Context | None:
    entity = _text(next(markup.find_instance(element, "identifier"), None))
    instant = _date(next(markup.find_instance(element, "instant"), None))
    start = _date(next(markup.find_instance(element, "startdate"), None))
    end = instant or _date(next(markup.find_instance(element, "enddate"), None))
    members = tuple(_text(member) for member in markup.find_members(element))
    if end is None or (instant is None and (start is None or start > end)) or len(members) > MOST_MEMBERS:
        return None
    return Context(entity, end, start if instant is None else None, members) if all(members) else None


def _unit(element: HtmlElement, markup: Markup) -> str | None:
    measures = [_text(measure).rpartition(":")[2] for measure in markup.find_instance(element, "measure")]
    divided = next(markup.find_instance(element, "divide"), None) is not None
    if not all(measures) or len(measures) != (2 if divided else 1):
        return None
    return "/".join(measures)


def _text(element: HtmlElement | None) -> str:
    """What an element says in a line; nothing where that is too long to be a name."""
    text = " ".join(element.text_content().split()) if element is not None else ""
    return text if len(text) <= LONGEST_NAME else ""


def _date(element: HtmlElement | None) -> dt.date | None:
    try:
        return dt.date.fromisoformat(_text(element)[:10])
    except ValueError:
        return None
