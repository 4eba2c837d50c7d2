"""Reads OpenDocument files: texts with headings, lists and tables, sheets as tables, and slides as pages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from docmind.corpus.load.archive import Element, Package, attribute, local_name, opened_package
from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.grid import split_table
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.table import write_sheet
from docmind.domain.documents import Loaded, Metadata
from docmind.domain.errors import FileRejected

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


_PREFIX = "application/vnd.oasis.opendocument."
NOTES = "Speaker notes"
MAX_DEPTH = 100
WIDEST_ROW = 1_000
"""Columns of a sheet that are looked at: an empty cell may say that it stands a thousand times."""
_UNREAD = frozenset({"tracked-changes", "annotation", "table-of-content", "forms", "sequence-decls", "settings"})
_BLANKS = frozenset({"s", "tab", "line-break"})


def load_odf(data: bytes, limits: Limits) -> Loaded:
    with opened_package(data, limits) as package:
        content = package.xml("content.xml")
        body = _body(content)
        if content is None or body is None:
            raise FileRejected("is not a whole OpenDocument file, or is encrypted with a password.")
        if _is_encrypted(package):
            raise FileRejected("is encrypted; save it without a password and ingest it again.")
        title = _title(package)
        styles = read_styles(content, package.xml("styles.xml"))
    kind = local_name(body)
    builder = Builder(limits)
    pages = None
    if kind == "spreadsheet":
        for table in body:
            if local_name(table) == "table":
                write_sheet(builder, _rows(table, limits), attribute(table, "name"))
    elif kind == "presentation":
        slides = [element for element in body if local_name(element) == "page"]
        if len(slides) > limits.max_pages:
            raise FileRejected(f"has {len(slides):,} slides; the limit is {limits.max_pages:,}.")
        pages = len(slides)
        for number, slide in enumerate(slides, 1):
            _write_slide(_Writer(builder, styles, limits, number), slide)
    else:
        writer = _Writer(builder, styles, limits)
        writer.children(body, 0)
        writer.release()
    return builder.finish(f"{_PREFIX}{kind}", Metadata(title=title), pages=pages)


def _body(content: Element | None) -> Element | None:
    for element in content if content is not None else ():
        if local_name(element) == "body":
            return next((part for part in element if local_name(part) in ("text", "spreadsheet", "presentation")), None)
    return None


def _is_encrypted(package: Package) -> bool:
    manifest = package.xml("META-INF/manifest.xml")
    return manifest is not None and any(local_name(element) == "encryption-data" for element in manifest.iter())


def _title(package: Package) -> str | None:
    meta = package.xml("meta.xml")
    titles = (element for element in (meta.iter() if meta is not None else ()) if local_name(element) == "title")
    return next((one_line("".join(element.itertext())) or None for element in titles), None)


def _write_slide(writer: "_Writer", slide: Element) -> None:
    frames = [frame for frame in slide if local_name(frame) != "notes"]
    titles = [frame for frame in frames if attribute(frame, "class") == "title"]
    for frame in titles:
        writer.builder.heading(_inner_text(frame), 1, writer.page)
    for frame in frames:
        if frame not in titles:
            writer.element(frame, 0)
    notes = [_inner_text(one) for part in slide if local_name(part) == "notes" for one in part.iter() if _is_text(one)]
    if any(notes):
        writer.builder.heading(NOTES, 2, writer.page)
        for note in notes:
            writer.builder.paragraph(note, writer.page)


def _is_text(element: Element) -> bool:
    return local_name(element) == "p"


@dataclass(slots=True)
class _Writer:
    """Walks a text; the caption above a table is held back until it is known to be one."""

    builder: Builder
    styles: Styles
    limits: Limits
    page: int | None = None
    held: str = ""
    lists: list[str] = field(default_factory=list)
    """The styles of the lists that enclose the current element."""

    def children(self, node: Element, depth: int) -> None:
        for child in node:
            self.element(child, depth + 1)

    def element(self, node: Element, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise FileRejected(f"nests its elements more than {MAX_DEPTH} deep.")
        name = local_name(node)
        if not name or name in _UNREAD:
            return
        if name == "h":
            self.release()
            self.builder.heading(_inner_text(node), _number(attribute(node, "outline-level"), 1), self.page)
            self._boxes(node, depth)
        elif name == "p":
            self._paragraph(node, depth)
        elif name == "list":
            self._list(node, depth)
        elif name == "table":
            header_rows = sum(1 for child in node if local_name(child) == "table-header-rows" for _ in child) or None
            header, body, caption = split_table(list(_rows(node, self.limits)), header_rows, self.held)
            self.held = ""
            self.builder.table(body, header, caption, self.page)
        else:
            self.children(node, depth)

    def release(self) -> None:
        self.builder.paragraph(self.held, self.page)
        self.held = ""

    def _paragraph(self, node: Element, depth: int) -> None:
        self.release()
        style = attribute(node, "style-name")
        text = _inner_text(node)
        if self.styles.is_title(style):
            self.builder.heading(text, 1, self.page)
        elif self.styles.is_caption(style):
            self.held = text
        else:
            self.builder.paragraph(text, self.page)
        self._boxes(node, depth)

    def _boxes(self, node: Element, depth: int) -> None:
        """Text boxes and footnotes stand inside of the paragraph that they belong to."""
        for inner in node.iter():
            if local_name(inner) in ("text-box", "note-body") and _paragraph_of(inner) is node:
                self.children(inner, depth + 1)

    def _list(self, node: Element, depth: int) -> None:
        self.release()
        self.lists.append(attribute(node, "style-name") or (self.lists[-1] if self.lists else ""))
        level = len(self.lists)
        number = 1 if self.styles.is_numbered(self.lists[-1], level) else None
        for item in node:
            if local_name(item) not in ("list-item", "list-header"):
                continue
            fresh = True
            for child in item:
                if fresh and local_name(child) in ("p", "h"):
                    self.builder.item(_inner_text(child), level - 1, number, self.page)
                    fresh = False
                else:
                    self.element(child, depth + 1)
            number = None if number is None else number + 1
        self.lists.pop()


def _number(value: str, otherwise: int) -> int:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 8 else otherwise


def _inner_text(node: Element) -> str:
    return "".join(_pieces(node, 0))


def _pieces(node: Element, depth: int) -> Iterator[str]:
    """The words of a paragraph, without comments, and without notes and text boxes, which are written after it."""
    if depth > MAX_DEPTH:
        raise FileRejected(f"nests its elements more than {MAX_DEPTH} deep.")
    yield node.text or ""
    for child in node:
        name = local_name(child)
        if name in _BLANKS:
            yield " "
        elif name and name not in ("annotation", "note") and not _is_boxed(child):
            yield from _pieces(child, depth + 1)
            if name in ("p", "h"):
                yield " "
        yield child.tail or ""


def _is_boxed(child: Element) -> bool:
    """True for a text box within a paragraph."""
    return local_name(child) == "text-box" and _paragraph_of(child) is not None


def _paragraph_of(box: Element) -> Element | None:
    """The paragraph that a text box or note belongs to; None for a box that stands for itself, as on a slide."""
    return next((parent for parent in box.iterancestors() if local_name(parent) in ("p", "h")), None)


def _rows(table: Element, limits: Limits) -> Iterator[list[str]]:
    for row in table.iter():
        if local_name(row) != "table-row" or _table_of(row) is not table:
            continue
        cells = _cells(row)
        times = _number(attribute(row, "number-rows-repeated"), 1)
        # A sheet says of the empty rows below it how often they stand there.
        for _ in range(min(times, limits.max_rows + 1) if any(cells) else 1):
            yield cells


def _table_of(row: Element) -> Element | None:
    return next((parent for parent in row.iterancestors() if local_name(parent) == "table"), None)


def _cells(row: Element) -> list[str]:
    cells: list[str] = []
    for cell in row:
        name = local_name(cell)
        if name in ("table-cell", "covered-table-cell"):
            text = one_line(_inner_text(cell)) if name == "table-cell" else ""
            cells += [text] * min(_number(attribute(cell, "number-columns-repeated"), 1), WIDEST_ROW - len(cells))
    while cells and not cells[-1]:
        cells.pop()
    return cells
