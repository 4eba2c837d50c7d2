"""Puts a document's text together block by block, so that every block knows its exact characters."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from docmind.corpus.load.grid import cell_places, row_text
from docmind.corpus.load.limits import Limits
from docmind.domain.documents import Block, BlockKind, Fact, Loaded, Metadata, Span, TableLayout, TableRow, Tag
from docmind.domain.errors import FileRejected

_LINE_BREAK = re.compile("\r\n?|[\x0b\x0c\x1c-\x1f\x85]")
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Normalising sorts the marks on a letter, and of thousands it never makes an end; no script has more than a few.
_MARKS = re.compile(r"[^\w\s!-~]{32,}")
HIGHEST_STACK = 30
_SPACE = re.compile(r"\s+")
_TIGHT = frozenset({BlockKind.ROW, BlockKind.ITEM})
DEEPEST_LEVEL = 6
DEEPEST_ITEM = 8
Place = tuple[int, int]
"""Row and column of a cell, from 0."""
TaggedText = tuple[str, Tag]
"""A figure as its cell shows it, and what the document says of it."""


def clean(text: str) -> str:
    """Text in NFC without control characters, invisible marks or lone surrogates; line breaks become "\\n"."""
    text = _INVISIBLE.sub("", _LINE_BREAK.sub("\n", text))
    if text.isascii():
        return text
    text = _MARKS.sub(lambda run: _unstacked(run[0]), _SURROGATE.sub("\ufffd", text))
    return unicodedata.normalize("NFC", text)


def _unstacked(run: str) -> str:
    kept = []
    height = 0
    for character in run:
        height = height + 1 if unicodedata.combining(character) else 0
        if height <= HIGHEST_STACK:
            kept.append(character)
    return "".join(kept)


def one_line(text: str) -> str:
    """Clean text with every run of white space as one blank."""
    return _SPACE.sub(" ", clean(text)).strip()


class Builder:
    """Appends blocks in reading order and keeps their spans."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pieces: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._tables = 0
        self._facts: list[Fact] = []
        self._layouts: list[TableLayout] = []

    @property
    def last_kind(self) -> BlockKind | None:
        return self._blocks[-1].kind if self._blocks else None

    def heading(self, text: str, level: int, page: int | None = None) -> None:
        self._append(BlockKind.HEADING, one_line(text), level=min(max(level, 1), DEEPEST_LEVEL), page=page)

    def paragraph(self, text: str, page: int | None = None) -> None:
        self._append(BlockKind.PARAGRAPH, one_line(text), page=page)

    def item(self, text: str, depth: int = 0, number: int | None = None, page: int | None = None) -> None:
        """A list item; `depth` 0 is the outermost list, `number` is that of an ordered list."""
        text = one_line(text)
        depth = min(max(depth, 0), DEEPEST_ITEM)
        marker = "-" if number is None else f"{number}."
        if text:
            self._append(BlockKind.ITEM, f"{marker} {text}", level=depth + 1, page=page, indent="  " * depth)

    def code(self, text: str, page: int | None = None) -> None:
        self._append(BlockKind.CODE, clean(text).strip("\n"), page=page)

    def table(
        self,
        rows: Iterable[Sequence[str]],
        header: Sequence[str] = (),
        caption: str = "",
        page: int | None = None,
        tags: Mapping[Place, Sequence[TaggedText]] = MappingProxyType({}),
    ) -> None:
        """One block a row, each naming its columns; nothing at all where no row holds text.

        `tags` are what the document says of the figures of a cell, by the cell's row and column.
        """
        self._tables += 1
        pending_caption = one_line(caption)
        header = [one_line(name) for name in header]
        laid_out: list[TableRow] = []
        for number, cells in enumerate(rows, 1):
            if number > self._limits.max_rows:
                raise FileRejected(f"has a table of more than {self._limits.max_rows:,} rows, which is the limit.")
            lines = [one_line(cell) for cell in cells]
            text = row_text(header, lines)
            if not text:
                continue
            if pending_caption:
                self._append(BlockKind.CAPTION, pending_caption, page=page, table=self._tables)
                pending_caption = ""
            self._append(BlockKind.ROW, text, page=page, table=self._tables)
            if self._limits.keeps_cells:
                laid_out.append(self._row_layout(text, cell_places(header, lines)))
            for column, (start, end) in cell_places(header, lines).items() if tags else ():
                self._add_facts(tags.get((number - 1, column), ()), text, start, end)
        if laid_out:
            self._layouts.append(TableLayout(self._tables, tuple(header), tuple(laid_out)))

    def _row_layout(self, row: str, places: Mapping[int, tuple[int, int]]) -> TableRow:
        """Where the cells of the row just written stand; one cell where composing its letters moved them."""
        span = self._blocks[-1].span
        if self._pieces[-1] != row:
            return TableRow(span, ((0, span),))
        begin = span.start
        return TableRow(
            span, tuple((column, Span(begin + start, begin + end)) for column, (start, end) in places.items())
        )

    def _add_facts(self, tags: Sequence[TaggedText], row: str, start: int, end: int) -> None:
        """Keep what is said of the figures in a cell of the row just written, each where it stands."""
        begin = self._length - len(row)
        for shown, tag in tags:
            at = row.find(shown, start, end) if shown else -1
            if at >= 0 and self._pieces[-1] == row:
                self._facts.append(Fact(Span(begin + at, begin + at + len(shown)), tag))
                start = at + len(shown)

    def finish(
        self,
        media_type: str,
        metadata: Metadata | None = None,
        pages: int | None = None,
        notes: Sequence[str] = (),
    ) -> Loaded:
        if not self._blocks:
            raise FileRejected("holds no text.")
        text, blocks = "".join(self._pieces), tuple(self._blocks)
        return Loaded(
            text,
            blocks,
            media_type,
            metadata or Metadata(),
            pages,
            tuple(self._facts),
            tuple(notes),
            tuple(self._layouts),
        )

    def _append(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int = 0,
        page: int | None = None,
        table: int | None = None,
        indent: str = "",
    ) -> None:
        if not text.strip():
            return
        lead = self._separator(kind, table) + indent
        # Joining clean parts can bring a letter and its accent together, so composition is settled here, last.
        text = unicodedata.normalize("NFC", text)
        start = self._length + len(lead)
        self._length = start + len(text)
        if self._length > self._limits.max_characters:
            raise FileRejected(
                f"holds more than {self._limits.max_characters:,} characters of text, which is the limit."
            )
        self._pieces += (lead, text)
        self._blocks.append(Block(kind, Span(start, self._length), level, page, table))

    def _separator(self, kind: BlockKind, table: int | None) -> str:
        if not self._blocks:
            return ""
        last = self._blocks[-1]
        caption_of_this = last.kind is BlockKind.CAPTION and kind is BlockKind.ROW
        together = kind in _TIGHT and last.table == table and (last.kind is kind or caption_of_this)
        return "\n" if together else "\n\n"
