"""Cut a document into passages along its own structure, each an exact slice of its text."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from docmind.domain.documents import Block, BlockKind, Loaded, Span
from docmind.quality.sentences import split

VERSION = 8
"""Raised when the same file would be cut differently, so that stores know to read it again."""

MAX_CHARS = 1000
"""About what the default embedder reads at once, headings included."""
MIN_CHARS = 200
"""A shorter last piece joins the one before it."""
LONGEST_HEADING = 200
"""Of a longer heading or caption the passages under it carry the beginning: it goes along with every one of them."""

_WHITESPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Where a passage stands and what it stands under."""

    span: Span
    heading: tuple[str, ...]
    page: int | None
    kind: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch that is never cut further: a block, a part of an overlong one, or a group of table rows."""

    span: Span
    page: int | None


def chunk(loaded: Loaded, label: str = "", max_chars: int = MAX_CHARS) -> list[Chunk]:
    """Passages in reading order. `label` names the document and heads every heading path."""
    return [piece for section in _sections(loaded, label) for piece in _cut(loaded.text, *section, max_chars)]


def _sections(loaded: Loaded, label: str) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """Runs of blocks under one heading path; a heading with nothing beneath it is its own content."""
    path: list[tuple[int, str]] = []
    body: list[Block] = []
    pending: Block | None = None

    def heading() -> tuple[str, ...]:
        return _without_echo([label, *(text for _, text in path)])

    for block in loaded.blocks:
        if block.kind is not BlockKind.HEADING:
            body.append(block)
            pending = None
            continue
        if body:
            yield heading(), body
            body = []
        elif pending is not None and block.level <= pending.level:
            yield heading(), [pending]
        while path and path[-1][0] >= block.level:
            path.pop()
        path.append((block.level, _brief(block, loaded.text)))
        pending = block
    if body:
        yield heading(), body
    elif pending is not None:
        yield heading(), [pending]


def _brief(block: Block, text: str) -> str:
    return text[block.span.start : min(block.span.end, block.span.start + LONGEST_HEADING)].rstrip()


def _without_echo(parts: Iterable[str]) -> tuple[str, ...]:
    """Drop empty parts and a part that the one before it already says, as a label and a first heading often do."""
    kept: list[str] = []
    for part in parts:
        if not part:
            continue
        if kept and part.casefold() in kept[-1].casefold():
            continue
        if kept and kept[-1].casefold() in part.casefold():
            kept[-1] = part
            continue
        kept.append(part)
    return tuple(kept)


def _cut(text: str, heading: tuple[str, ...], blocks: list[Block], max_chars: int) -> Iterator[Chunk]:
    for table, group in groupby(blocks, key=lambda block: block.table):
        run = list(group)
        # Every part of a table is told what the table is, however many passages it takes.
        captions = [_brief(block, text) for block in run if table is not None and block.kind is BlockKind.CAPTION]
        under = _without_echo([*heading, *captions])
        pieces = [piece for block in run for piece in _pieces(text, block, max_chars)]
        kind = "text" if table is None else "table"
        yield from (Chunk(span, under, page, kind) for span, page in _pack(pieces, max_chars))


def _pieces(text: str, block: Block, max_chars: int) -> Iterator[_Piece]:
    """The block itself, or where it is too long its sentences, its words, and at worst its characters."""
    start = block.span.start
    while block.span.end - start > max_chars:
        cut = _best_cut(text, start, start + max_chars)
        end = cut
        while end > start and text[end - 1].isspace():
            end -= 1
        if end > start:
            yield _Piece(Span(start, end), block.page)
        start = cut
        while start < block.span.end and text[start].isspace():
            start += 1
    if start < block.span.end:
        yield _Piece(Span(start, block.span.end), block.page)


def _best_cut(text: str, start: int, limit: int) -> int:
    """The last sentence end before `limit` that leaves a piece worth having, else the last gap between words."""
    window = text[start:limit]
    floor = len(window) // 3
    sentences = [cut for cut in _sentence_starts(window) if cut > floor]
    words = [gap.end() for gap in _WHITESPACE.finditer(window) if gap.end() > floor]
    return start + max(sentences or words or [len(window)])


def _sentence_starts(window: str) -> Iterator[int]:
    """Where a sentence begins after another, or the line that its list or heading mark stands on."""
    for before, after in pairwise(split(window)):
        newline = window.rfind("\n", before.span.end, after.span.start)
        yield newline + 1 if newline >= 0 else after.span.start


def _pack(pieces: list[_Piece], max_chars: int) -> list[tuple[Span, int | None]]:
    """Neighbours together while they fit; a short tail joins its neighbour rather than stand alone."""
    packed: list[tuple[Span, int | None]] = []
    for piece in pieces:
        if packed and piece.span.end - packed[-1][0].start <= max_chars:
            packed[-1] = (Span(packed[-1][0].start, piece.span.end), packed[-1][1])
        else:
            packed.append((piece.span, piece.page))
    if len(packed) > 1 and len(packed[-1][0]) < MIN_CHARS:
        whole = Span(packed[-2][0].start, packed[-1][0].end)
        if len(whole) <= max_chars + MIN_CHARS:
            packed[-2:] = [(whole, packed[-2][1])]
    return packed
