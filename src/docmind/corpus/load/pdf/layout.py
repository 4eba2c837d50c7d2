"""Reads a page the way a person does: lines joined to paragraphs, items, headings and tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docmind.corpus.load.builder import Builder
from docmind.corpus.load.grid import states_units
from docmind.corpus.load.pdf.continued import Leaf
from docmind.corpus.load.pdf.style import WORD, Style
from docmind.corpus.load.pdf.table import Table
from docmind.corpus.load.pdf.words import Segment

LONGEST_HEADING = 160
LONGEST_LEAD_IN = 400

_BULLET = re.compile(r"[•●○◦▪■▸►‣⁃∙·–—-]\s+|[•●○◦▪■▸►‣⁃∙·]")
_NUMBERED = re.compile(r"(\d{1,2})[.)]\s+(?=\S)")
_TITLED = re.compile(r"(?:table|exhibit|schedule|figure)\s+[\dA-Z]", re.IGNORECASE)


@dataclass(slots=True)
class _Line:
    """One line of prose, its segments side by side."""

    segments: list[Segment]

    @property
    def text(self) -> str:
        return " ".join(segment.text for segment in self.segments)

    @property
    def first(self) -> Segment:
        return self.segments[0]

    @property
    def x1(self) -> float:
        return self.segments[-1].x1


def write_page(builder: Builder, leaf: Leaf, style: Style) -> None:
    """Append a page's blocks in the order the page draws them, each table where its first cell stands."""
    page, tables, dropped = leaf
    taken = dropped.union(*(table.taken for table in tables))
    lines = list(_lines(segment for segment in page.segments if segment.order not in taken))
    waiting = sorted(tables, key=lambda table: table.order)
    paragraph: list[_Line] = []
    for line in lines:
        while waiting and waiting[0].order < line.first.order:
            _write_table(builder, waiting.pop(0), paragraph, page.number, style)
            paragraph = []
        if paragraph and not _goes_on(paragraph, line, style):
            _write_text(builder, paragraph, page.number, style)
            paragraph = []
        paragraph.append(line)
    for table in waiting:
        _write_table(builder, table, paragraph, page.number, style)
        paragraph = []
    _write_text(builder, paragraph, page.number, style)


def _lines(segments: Iterator[Segment]) -> Iterator[_Line]:
    line: list[Segment] = []
    for segment in segments:
        if line and (abs(segment.y - line[-1].y) > 0.45 * segment.height or segment.x0 < line[-1].x0):
            yield _Line(line)
            line = []
        line.append(segment)
    if line:
        yield _Line(line)


def _goes_on(paragraph: list[_Line], line: _Line, style: Style) -> bool:
    """Whether a line continues the paragraph above it: same look, usual distance, no new item."""
    last, first = paragraph[-1].first, line.first
    drop = last.y - first.y
    if not 0 < drop < 1.45 * max(last.height, first.height) or _is_item(line.text):
        return False
    if style.heading_level(last) != style.heading_level(first) or abs(last.height - first.height) > 1:
        return False
    if _is_item(paragraph[0].text) and first.x0 < paragraph[0].first.x0 + 2:
        return False
    return first.x0 < paragraph[-1].x1 and last.x0 < line.x1


def _is_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBERED.match(text))


def _write_table(builder: Builder, table: Table, lead_in: list[_Line], page: int, style: Style) -> None:
    """A table; the lines just before it are its caption when they introduce it."""
    text = _joined(lead_in, style)
    introduces = text.endswith(":") or _TITLED.match(text) or states_units(text)
    if introduces and len(text) < LONGEST_LEAD_IN and not _is_item(text):
        # Kept with the table, which may go on overleaf.
        table.caption = f"{text} {table.caption}"
    else:
        _write_text(builder, lead_in, page, style)
    builder.table(table.rows, table.header, table.caption, page)


def _write_text(builder: Builder, lines: list[_Line], page: int, style: Style) -> None:
    text = _joined(lines, style)
    if not text:
        return
    level = style.heading_level(lines[0].first)
    heading = level and len(text) <= LONGEST_HEADING and text[-1] not in ".,;" and any(c.isalpha() for c in text)
    if bullet := _BULLET.match(text):
        builder.item(text[bullet.end() :], page=page)
    elif heading:
        builder.heading(text, level, page)
    elif numbered := _NUMBERED.match(text):
        builder.item(text[numbered.end() :], number=int(numbered[1]), page=page)
    else:
        builder.paragraph(text, page)


def _joined(lines: list[_Line], style: Style) -> str:
    """Lines as running text; a word parted at a line's end is whole again."""
    text = ""
    for line in lines:
        head, _, tail = text.rpartition(" ")
        beginning, _, rest = line.text.partition(" ")
        if len(tail) > 2 and tail.endswith("-") and tail[-2].isalpha() and beginning[:1].islower():
            text = f"{head} {_rejoined(tail, beginning, style.vocabulary)} {rest}".strip()
        else:
            text = f"{text} {line.text}".strip()
    return text


def _rejoined(tail: str, beginning: str, vocabulary: set[str]) -> str:
    """The hyphen stays where the document writes it elsewhere, or where both halves are words of their own."""
    match = WORD.match(beginning)
    last = WORD.findall(tail[:-1])
    if not match or not last:
        return tail + beginning
    left, right = last[-1].lower(), match[0].lower()
    if left + right in vocabulary:
        return tail[:-1] + beginning
    hyphenated = f"{left}-{right}" in vocabulary or (left in vocabulary and right in vocabulary)
    return tail + beginning if hyphenated else tail[:-1] + beginning
