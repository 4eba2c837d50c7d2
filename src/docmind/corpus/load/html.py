"""Reads HTML: what a reader of the page reads, in order, without navigation, scripts and footers."""

import re
from collections.abc import Mapping
from dataclasses import replace

from lxml import etree
from lxml import html as lxml_html
from lxml.html import HtmlElement

from docmind.corpus.load.builder import Builder, Place, TaggedText, one_line
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.grid import count_header_rows, merge_affixes, split_table
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.xbrl import read_tagged
from docmind.domain.documents import Loaded, Tag
from docmind.domain.errors import FileRejected

MAX_SPAN = 100
Grid = tuple[list[list[str]], int, dict[Place, HtmlElement]]
"""The rows, how many of them name columns as far as that can be told, and the element at each place."""


def read_grid(table: HtmlElement) -> Grid:
    grid, header_rows, places = _grid(table)
    if not header_rows and (header_rows := count_header_rows([merge_affixes(row) for row in grid])):
        # A name over three columns is the name of each: currency sign, figure and closing bracket have one each.
        grid, _, places = _grid(table, header_rows)
    return grid, header_rows, places


def _grid(table: HtmlElement, named: int = 0) -> Grid:
    """Cells with spans filled in, how many rows at the top are marked as header, and where each element stands.

    The first `named` rows are header though they are not marked so.
    """
    rows: list[list[str]] = []
    places: dict[Place, HtmlElement] = {}
    carried: dict[int, tuple[int, str]] = {}
    header_rows = 0
    for row in table.iter("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        in_head = any(parent.tag == "thead" for parent in row.iterancestors())
        marked = in_head or (bool(cells) and all(cell.tag == "th" for cell in cells))
        if marked and header_rows == len(rows):
            header_rows += 1
        filled, columns = _filled_row(cells, carried, repeat=marked or len(rows) < named)
        places |= {(len(rows), column): cell for column, cell in zip(columns, cells, strict=True)}
        rows.append(filled)
    return rows, header_rows, places


def _filled_row(
    cells: list[HtmlElement], carried: dict[int, tuple[int, str]], *, repeat: bool
) -> tuple[list[str], list[int]]:
    """One row, and in which column each cell stands; header cells repeat over the columns they span, others do not."""
    row: list[str] = []
    columns: list[int] = []
    pending = iter(cells)
    cell = next(pending, None)
    while cell is not None or len(row) in carried:
        if len(row) in carried:
            left, text = carried.pop(len(row))
            if left > 1:
                carried[len(row)] = (left - 1, text)
            row.append(text)
            continue
        if cell is None:
            break
        text = one_line(cell.text_content())
        columns.append(len(row))
        for offset in range(_span(cell, "colspan")):
            value = text if repeat or offset == 0 else ""
            if (rowspan := _span(cell, "rowspan")) > 1:
                carried[len(row)] = (rowspan - 1, value)
            row.append(value)
        cell = next(pending, None)
    return row, columns


def _span(cell: HtmlElement, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return min(max(int(value), 1), MAX_SPAN) if value.isascii() and value.isdigit() else 1


Tags = Mapping[HtmlElement, Tag]
MEDIA_TYPE = "text/html"
MAX_DEPTH = 200

_DROPPED = frozenset(
    {"script", "style", "noscript", "template", "nav", "footer", "head", "iframe", "object", "svg", "canvas", "button"}
    | {"select", "input", "textarea", "ix:header"}
)
_BLOCKS = frozenset(
    {
        "html",
        "body",
        "main",
        "article",
        "section",
        "aside",
        "header",
        "div",
        "center",
        "p",
        "hr",
        "blockquote",
        "address",
    }
    | {"dl", "dt", "dd", "figure", "figcaption", "details", "summary", "dialog", "fieldset", "form"}
    | {"caption", "thead", "tbody", "tfoot", "tr", "td", "th"}
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_UNSEEN = re.compile(r"(?:^|;)(?:display:none|visibility:hidden|(?:font-size|opacity):0(?![.\d]{0,8}[1-9]))")


def load_html(data: bytes, limits: Limits) -> Loaded:
    text = decode(data)
    builder = Builder(limits)
    root = parse_html(text)
    if root is None:
        return builder.finish(MEDIA_TYPE)
    tagged = read_tagged(root)
    _write(builder, root, tagged.tags)
    title = root.find(".//title")
    named = one_line(title.text_content()) or None if title is not None else None
    return builder.finish(MEDIA_TYPE, replace(tagged.cover, title=named), notes=tagged.notes)


def write_html(builder: Builder, text: str) -> None:
    """Append a page or fragment to `builder`."""
    root = parse_html(text)
    if root is not None:
        _write(builder, root, {})


def parse_html(text: str) -> HtmlElement | None:
    """The root element of a page or fragment, where there is one. Nothing is fetched and no entity expanded."""
    parser = lxml_html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        # Bytes, because lxml refuses text that declares an encoding of its own.
        root = lxml_html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None
    return root


def _write(builder: Builder, root: HtmlElement, tags: Tags) -> None:
    _drop_unseen(root)
    _Writer(builder, tags).element(root, 0)


class _Writer:
    """Walks elements; runs of inline text between blocks become paragraphs."""

    def __init__(self, builder: Builder, tags: Tags) -> None:
        self._builder = builder
        self._tags = tags
        self._inline: list[str] = []
        self._lists: list[int | None] = []
        self._marker_due = False

    def element(self, node: HtmlElement, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise FileRejected(f"nests its elements more than {MAX_DEPTH} deep.")
        tag = node.tag if isinstance(node.tag, str) else ""
        if tag in _DROPPED or not tag:
            return
        if tag in _HEADINGS:
            self._flush()
            self._builder.heading(node.text_content(), _HEADINGS[tag])
        elif tag == "pre":
            self._flush()
            self._builder.code(node.text_content())
        elif tag == "table":
            self._flush()
            self._table(node, depth)
        elif tag in ("ul", "ol"):
            self._flush()
            self._lists.append(_start(node) if tag == "ol" else None)
            self._children(node, depth)
            self._flush()
            self._lists.pop()
        elif tag == "li":
            self._item(node, depth)
        elif tag == "br":
            self._inline.append(" ")
        elif tag == "img":
            self._inline.append(f" {node.get('alt', '')} ")
        elif tag in _BLOCKS:
            self._flush()
            self._children(node, depth)
            self._flush()
        else:
            self._children(node, depth)

    def _children(self, node: HtmlElement, depth: int) -> None:
        self._inline.append(node.text or "")
        for child in node:
            self.element(child, depth + 1)
            self._inline.append(child.tail or "")

    def _item(self, node: HtmlElement, depth: int) -> None:
        self._flush()
        self._marker_due = True
        self._children(node, depth)
        self._flush()
        self._marker_due = False
        if self._lists and self._lists[-1] is not None:
            self._lists[-1] += 1

    def _flush(self) -> None:
        text = one_line("".join(self._inline))
        self._inline.clear()
        if not text:
            return
        if self._marker_due:
            self._marker_due = False
            self._builder.item(text, max(len(self._lists) - 1, 0), self._lists[-1] if self._lists else None)
        else:
            self._builder.paragraph(text)

    def _table(self, node: HtmlElement, depth: int) -> None:
        if any(True for _ in node.iterdescendants("table", "h1", "h2", "h3", "ul", "ol", "pre")):
            # A table that lays out a page: what its cells hold matters, not their order in rows.
            self._children(node, depth)
            return
        grid, header_rows, places = read_grid(node)
        found = node.find("caption")
        caption = one_line(found.text_content()) if found is not None else ""
        header, body, caption = split_table(grid, header_rows or None, caption)
        above = len(grid) - len(body)
        tags = (
            {(row - above, column): self._shown(cell) for (row, column), cell in places.items()} if self._tags else {}
        )
        self._builder.table(body, header, caption, tags=tags)

    def _shown(self, cell: HtmlElement) -> list[TaggedText]:
        """The tagged figures of a cell. Of tags around the same figure the outermost counts."""
        found: list[TaggedText] = []
        for element in cell.iter():
            tag = self._tags.get(element)
            if tag is not None and not any(parent in self._tags for parent in element.iterancestors()):
                found.append((one_line(element.text_content()), tag))
        return found


def _start(node: HtmlElement) -> int:
    value = (node.get("start") or "1").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 1


def _drop_unseen(root: HtmlElement) -> None:
    """Take out what no reader of the page sees: whoever hides words in it means them for a program."""
    for node in [*root.iter("script", "style", "template"), *root.xpath("//*[@hidden or @style]")]:
        if node is not root and (node.tag in _DROPPED or _is_hidden(node)):
            node.drop_tree()


def _is_hidden(node: HtmlElement) -> bool:
    style = "".join((node.get("style") or "").split()).lower()
    return node.get("hidden") is not None or _UNSEEN.search(style) is not None
