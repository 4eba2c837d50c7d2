"""Reads what an HTML filing tags itself with Inline XBRL: its figures as facts, and what its cover says of it.

The page is read as HTML in any case. A tag that makes no sense is left out and counted in a note; nothing is fetched.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from lxml.html import HtmlElement

from docmind.corpus.load.builder import one_line
from docmind.domain.documents import Metadata, Tag

_INLINE = ("http://www.xbrl.org/2013/inlineXBRL", "http://www.xbrl.org/2008/inlineXBRL")
_INSTANCE = "http://www.xbrl.org/2003/instance"
_DIMENSIONS = "http://xbrl.org/2006/xbrldi"
_DECLARED = "xmlns:"


class Unsound(ValueError):
    """A tag that makes no sense; its figure is read as plain text. Says what is wrong with the tag."""


@dataclass(frozen=True, slots=True)
class Markup:
    """The prefixes by which a page names the parts of Inline XBRL; an HTML parser leaves them in the names."""

    inline: frozenset[str]
    instance: frozenset[str]
    dimensions: frozenset[str]

    @classmethod
    def of(cls, root: HtmlElement) -> "Markup | None":
        """The markup of a page that declares Inline XBRL at its root."""
        declared = [(str(key), str(uri)) for key, uri in root.attrib.items() if str(key).startswith(_DECLARED)]

        def prefixes(*uris: str) -> frozenset[str]:
            return frozenset(key.removeprefix(_DECLARED).lower() for key, uri in declared if uri in uris)

        inline = prefixes(*_INLINE)
        return cls(inline, prefixes(_INSTANCE), prefixes(_DIMENSIONS)) if inline else None

    def find(self, within: HtmlElement, *names: str) -> Iterator[HtmlElement]:
        """Elements of Inline XBRL by their names in small letters."""
        return within.iter(*(f"{prefix}:{name}" for prefix in self.inline for name in names))

    def find_instance(self, within: HtmlElement, *names: str) -> Iterator[HtmlElement]:
        """Contexts, units and their parts."""
        return within.iter(*(f"{prefix}:{name}" for prefix in self.instance for name in names))

    def find_members(self, within: HtmlElement) -> Iterator[HtmlElement]:
        """The parts of a company that a context is of."""
        names = ("explicitmember", "typedmember")
        return within.iter(*(f"{prefix}:{name}" for prefix in self.dimensions for name in names))


MOST_SCALE = 15
_SCALE = re.compile(r"[+-]?\d{1,2}")
_PLAIN_NUMBER = re.compile(r"\d{1,30}(?:\.\d{1,30})?|\.\d{1,30}")
_GAPS = re.compile(r"[\s'’]")
_ZERO_FORMATS = frozenset({"fixedzero", "zerodash", "numdash"})


def read_scale(stated: str | None) -> int:
    """The power of ten a number is shown in."""
    text = (stated or "0").strip()
    if not _SCALE.fullmatch(text) or abs(int(text)) > MOST_SCALE:
        raise Unsound(f"has a scale that is no power of ten up to {MOST_SCALE}")
    return int(text)


def read_number(shown: str, form: str) -> Decimal:
    """The number that stands on the page, without sign and scale."""
    name = form.rpartition(":")[2].replace("-", "").lower()
    if name in _ZERO_FORMATS:
        return Decimal(0)
    text = _GAPS.sub("", shown)
    text = text.replace(".", "").replace(",", ".") if name == "numcommadecimal" else text.replace(",", "")
    if not _PLAIN_NUMBER.fullmatch(text):
        raise Unsound("is around something that is not a number of its format")
    return Decimal(text)


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


LONGEST_COMPANY = 120
_FORM = re.compile(r"10-[KQ](?:/A)?|8-K|20-F|40-F|6-K", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_QUARTER = re.compile(r"Q([1-4])")
_SYMBOL = re.compile(r"[A-Z]{1,5}(?:[.-][A-Z])?")


def read_cover(root: HtmlElement, markup: Markup) -> Metadata:
    """What the cover tags; names only where a reader of the page sees them too."""
    said = dict[str, str]()
    for element in markup.find(root, "nonnumeric"):
        prefix, _, name = (element.get("name") or "").partition(":")
        if prefix == "dei" and name not in said:
            hidden = any(_is_hidden(parent, markup) for parent in element.iterancestors())
            said[f"hidden {name}" if hidden else name] = one_line(element.text_content())
    form = _FORM.fullmatch(_either(said, "DocumentType"))
    year = _YEAR.fullmatch(_either(said, "DocumentFiscalYearFocus"))
    quarter = _QUARTER.fullmatch(_either(said, "DocumentFiscalPeriodFocus"))
    symbol = _SYMBOL.fullmatch(said.get("TradingSymbol", ""))
    company = said.get("EntityRegistrantName", "")
    return Metadata(
        company=company if 0 < len(company) <= LONGEST_COMPANY else None,
        ticker=symbol[0] if symbol else None,
        fiscal_year=int(year[0]) if year else None,
        quarter=int(quarter[1]) if quarter else None,
        document_type=form[0].lower().removesuffix("/a") if form else None,
    )


def _either(said: dict[str, str], name: str) -> str:
    return said.get(name) or said.get(f"hidden {name}", "")


def _is_hidden(element: HtmlElement, markup: Markup) -> bool:
    return any(element.tag == f"{prefix}:hidden" for prefix in markup.inline)


MOST_TAGS = 200_000
"""The longest annual reports have some 10,000."""
UNDECLARED = "Its tagged figures were read as plain text: the page does not begin with a declaration of Inline XBRL."


@dataclass(frozen=True, slots=True)
class Tagged:
    """What a page says of itself; without Inline XBRL nothing."""

    tags: dict[HtmlElement, Tag] = field(default_factory=dict)
    """By the element that shows the figure."""
    cover: Metadata = field(default_factory=Metadata)
    notes: tuple[str, ...] = ()


def read_tagged(root: HtmlElement) -> Tagged:
    """What a page tags itself. Reads the hidden parts too, so it comes before they are taken out."""
    markup = Markup.of(root)
    if markup is None:
        undeclared = next(root.iter("ix:nonfraction"), None) is not None
        return Tagged(notes=(UNDECLARED,) if undeclared else ())
    shown = list(markup.find(root, "nonfraction"))
    if len(shown) > MOST_TAGS:
        return Tagged(notes=(f"It has more than {MOST_TAGS:,} tagged figures; all were read as plain text.",))
    resources = read_resources(root, markup)
    tags: dict[HtmlElement, Tag] = {}
    unsound: Counter[str] = Counter()
    for element in shown:
        if element.get("xsi:nil") == "true" or not element.text_content().strip():
            continue
        try:
            tags[element] = _tag(element, resources)
        except Unsound as fault:
            unsound[str(fault)] += 1
    return Tagged(tags, read_cover(root, markup), tuple(_notes(unsound, len(shown))))


def _tag(element: HtmlElement, resources: Resources) -> Tag:
    concept = (element.get("name") or "").strip()
    if not concept or len(concept) > 200:
        raise Unsound("does not say what it is")
    context = resources.context(element.get("contextref"))
    unit = resources.unit(element.get("unitref"))
    scale = read_scale(element.get("scale"))
    number = read_number(one_line(element.text_content()), element.get("format") or "")
    value = number * Decimal(10) ** scale
    value = -value if element.get("sign") == "-" else value
    return Tag(concept, value, scale, unit, context.end, context.start, context.entity, context.members)


def _notes(unsound: Counter[str], total: int) -> Iterator[str]:
    for fault, count in unsound.most_common():
        yield f"Tagged figures that were read as plain text: {count:,} of {total:,}, whose tag {fault}."
