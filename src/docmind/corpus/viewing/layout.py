"""The layout of documents that have no pages: headings, lists and tables over the characters of their text."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from docmind.corpus.load import Limits, load
from docmind.domain.documents import Block, BlockKind, Span, TableLayout, TableRow

LONGEST_BLOCK = 10_000
"""Characters; a longer paragraph is shown in parts, so that no more than what is looked at need be sent."""


@dataclass(frozen=True, slots=True)
class LayoutJob:
    """A file to be read once more for its layout."""

    limits: Limits
    data: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The blocks of a text in order, and the cells of its tables."""

    text_hash: str
    blocks: list[Block]
    tables: list[TableLayout]


@dataclass(frozen=True, slots=True)
class Part:
    """A block as it is shown; rows of one table that follow each other are one."""

    kind: BlockKind
    span: Span
    level: int = 0
    table: int | None = None
    header: tuple[str, ...] = ()
    rows: tuple[TableRow, ...] = ()


def read_layout(job: LayoutJob) -> Layout:
    """Runs in a reader process."""
    loaded = load(job.data, job.name, replace(job.limits, keeps_cells=True))
    return Layout(hash_of(loaded.text), list(loaded.blocks), list(loaded.tables))


def plain_layout(text: str) -> Layout:
    """The layout of a text of which nothing but the text is known: its paragraphs."""
    blocks: list[Block] = []
    start = 0
    for piece in text.split("\n\n"):
        if piece.strip():
            blocks.append(Block(BlockKind.PARAGRAPH, Span(start, start + len(piece))))
        start += len(piece) + 2
    return Layout(hash_of(text), blocks, [])


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


class ShownLayout:
    """A layout made ready to be shown stretch by stretch."""

    def __init__(self, layout: Layout) -> None:
        self._blocks = [part for block in layout.blocks for part in _in_parts(block)]
        self._starts = [block.span.start for block in self._blocks]
        self._headers = {table.table: table.header for table in layout.tables}
        self._rows = {row.span.start: row for table in layout.tables for row in table.rows}

    def between(self, wanted: Span) -> list[Part]:
        """The parts that overlap the stretch; an empty stretch has the block that it stands in or before."""
        first = max(bisect_right(self._starts, wanted.start) - 1, 0)
        if first < len(self._blocks) and self._blocks[first].span.end <= wanted.start:
            first += 1
        last = max(bisect_right(self._starts, max(wanted.end - 1, wanted.start)), first + 1)
        return list(self._joined(self._blocks[first:last]))

    def _joined(self, blocks: Sequence[Block]) -> Iterator[Part]:
        rows: list[TableRow] = []
        table: int | None = None
        for block in [*blocks, None]:
            is_row = block is not None and block.kind is BlockKind.ROW
            if rows and (block is None or not is_row or block.table != table):
                yield self._table(table, rows)
                rows = []
            if block is None:
                return
            if is_row:
                table = block.table
                rows.append(self._rows.get(block.span.start) or TableRow(block.span, ((0, block.span),)))
            else:
                yield Part(block.kind, block.span, block.level, block.table)

    def _table(self, table: int | None, rows: Iterable[TableRow]) -> Part:
        kept = tuple(rows)
        span = Span(kept[0].span.start, kept[-1].span.end)
        return Part(BlockKind.ROW, span, table=table, header=self._headers.get(table or 0, ()), rows=kept)


def _in_parts(block: Block) -> Iterator[Block]:
    """The block itself; where it is too long to be shown at once its parts. Rows stay whole."""
    if block.kind is BlockKind.ROW or len(block.span) <= LONGEST_BLOCK:
        yield block
        return
    for start in range(block.span.start, block.span.end, LONGEST_BLOCK):
        yield replace(block, span=Span(start, min(start + LONGEST_BLOCK, block.span.end)))
