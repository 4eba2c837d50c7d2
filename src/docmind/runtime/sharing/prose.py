"""The Markdown of an answer as elements of HTML, its citations leading to the list of sources below it."""

import re
from collections.abc import Collection

from lxml import html
from lxml.html import HtmlElement
from lxml.html.builder import DIV, A
from markdown_it import MarkdownIt

from docmind.domain.verdicts import CitationForm
from docmind.quality.citations import find
from docmind.quality.latex.readable import readable

_READER = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    # A shared file leads nowhere and loads nothing.
    .disable(["link", "image", "autolink", "reference", "html_inline", "html_block"])
)
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_BY_NUMBER = (CitationForm.NUMBER, CitationForm.DOC)


def clean(text: str) -> str:
    """The text without the characters that no HTML may hold."""
    return _NOT_TEXT.sub("\ufffd", text)


def prose(answer: str, sources: Collection[str], place: str) -> HtmlElement:
    """The answer; a citation of one of the `sources`, by their numbers, leads to the element `PLACE-NUMBER`."""
    whole: HtmlElement = DIV({"class": "prose"})
    # Behind an element of its own no text stands alone: what the reader renders are paragraphs and the like.
    parts = html.fragments_fromstring(f"<p></p>{_READER.render(clean(readable(answer)))}")
    whole.extend(part for part in parts[1:] if not isinstance(part, str))
    for element in list(whole.iter()):
        if element.tag not in ("code", "pre"):
            _link(element, sources, place)
    return whole


def _link(element: HtmlElement, sources: Collection[str], place: str) -> None:
    """Link the citations in the text of an element, and in what follows each of its children."""
    for child in list(element):
        child.tail, links = _split(child.tail or "", sources, place)
        _insert(element, element.index(child) + 1, links)
    element.text, links = _split(element.text or "", sources, place)
    _insert(element, 0, links)


def _insert(element: HtmlElement, at: int, links: list[HtmlElement]) -> None:
    for place, link in enumerate(links, start=at):
        element.insert(place, link)


def _split(text: str, sources: Collection[str], place: str) -> tuple[str, list[HtmlElement]]:
    """The text up to the first citation that leads somewhere, and a link for each with the text behind it."""
    links: list[HtmlElement] = []
    before, position, bracket = "", 0, None
    for marker in find(text):
        if marker.form not in _BY_NUMBER or marker.target not in sources:
            continue
        if marker.span != bracket:
            between = text[position : marker.span.start]
            before, position, bracket = _added(before, links, between), marker.span.end, marker.span
        links.append(A(marker.target, {"class": "cite", "href": f"#{place}-{marker.target}"}))
    return _added(before, links, text[position:]), links


def _added(before: str, links: list[HtmlElement], text: str) -> str:
    if not links:
        return before + text
    links[-1].tail = (links[-1].tail or "") + text
    return before
