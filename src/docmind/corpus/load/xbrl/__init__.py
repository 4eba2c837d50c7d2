"""Reads what an HTML filing tags itself with Inline XBRL: its figures as facts, and what its cover says of it.

The page is read as HTML in any case. A tag that makes no sense is left out and counted in a note; nothing is fetched.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from lxml.html import HtmlElement

from docmind.corpus.load.builder import one_line
from docmind.corpus.load.xbrl.contexts import Resources, read_resources
from docmind.corpus.load.xbrl.cover import read_cover
from docmind.corpus.load.xbrl.markup import Markup, Unsound
from docmind.corpus.load.xbrl.numbers import read_number, read_scale
from docmind.domain.documents import Metadata
from docmind.domain.facts import Tag

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
