"""What the styles of an OpenDocument file say of its paragraphs and lists."""

from collections.abc import Mapping
from dataclasses import dataclass

from docmind.corpus.load.package import Element, attribute, local_name

_LONGEST_LINE = 20
"""Styles that inherit from each other; a file may let them go in a circle."""


@dataclass(frozen=True, slots=True)
class Styles:
    parents: Mapping[str, str]
    """By a style's name, the style that it was made from."""
    numbered: frozenset[tuple[str, int]]
    """The styles and levels of lists that number their items."""

    def is_title(self, style: str) -> bool:
        return "Title" in self._line(style)

    def is_caption(self, style: str) -> bool:
        return bool({"Caption", "Table", "Illustration"} & self._line(style))

    def is_numbered(self, style: str, level: int) -> bool:
        return (style, level) in self.numbered

    def _line(self, style: str) -> set[str]:
        """The style and those it was made from."""
        line: set[str] = set()
        while style and style not in line and len(line) < _LONGEST_LINE:
            line.add(style)
            style = self.parents.get(style, "")
        return line


def read_styles(*parts: Element | None) -> Styles:
    parents: dict[str, str] = {}
    numbered: set[tuple[str, int]] = set()
    for part in parts:
        for element in part.iter() if part is not None else ():
            name = local_name(element)
            if name == "style":
                parents[attribute(element, "name")] = attribute(element, "parent-style-name")
            elif name == "list-level-style-number":
                level = attribute(element, "level")
                owner = element.getparent()
                if owner is not None and level.isascii() and level.isdigit():
                    numbered.add((attribute(owner, "name"), int(level[:4])))
    return Styles(parents, frozenset(numbered))
