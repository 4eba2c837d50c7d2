"""Finds the elements of Inline XBRL in a page that was parsed as HTML, whatever prefixes it gives their names."""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

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
