"""Writes pages as a person reads them: paragraphs, items, headings and tables, without what every page repeats."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from docmind.corpus.load.builder import Builder
from docmind.corpus.load.grid import states_units
from docmind.corpus.load.ocr import HOW_TO_GET_ONE, Recognition
from docmind.corpus.load.pdf.aligned import find_aligned_tables
from docmind.corpus.load.pdf.page import PageText, Segment, visual_rows
from docmind.corpus.load.pdf.ruled import find_ruled_tables
from docmind.corpus.load.pdf.table import Leaf, Table, carry_over

MARGIN_ROWS = 3

_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—]?\s*(?:[a-z]-)?(?:\d{1,4}|[ivxl]{1,6})\s*[-–—]?(?:\s*(?:of|/)\s*\d{1,4})?", re.IGNORECASE
)
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(slots=True)
class Style:
    """What is usual in a document, learned from some of its pages, so that what stands out can be told."""

    pages: int = 0
    heights: Counter[float] = field(default_factory=Counter)
    weights: Counter[int] = field(default_factory=Counter)
    margins: Counter[str] = field(default_factory=Counter)
    offsets: Counter[int] = field(default_factory=Counter)
    """Printed page number less the page's place in the file."""
    vocabulary: set[str] = field(default_factory=set)

    def learn(self, page: PageText) -> None:
        self.pages += 1
        for segment in page.segments:
            letters = sum(len(word.text) for word in segment.words)
            self.heights[_size(segment)] += letters
            self.weights[segment.weight] += letters
            # The first and last word of a line may be halves of one.
            inner = " ".join(word.text for word in segment.words[1:-1])
            self.vocabulary.update(word.lower() for word in WORD.findall(inner))
        rows = visual_rows(page.segments)
        self.margins.update({_pattern(row) for row in rows[:MARGIN_ROWS] + rows[-MARGIN_ROWS:]})
        self.offsets.update({number - page.number for row in (rows[:1] + rows[-1:]) for number in _end_numbers(row)})

    @property
    def body_size(self) -> float:
        return self.heights.most_common(1)[0][0] if self.heights else 1.0

    @property
    def body_weight(self) -> int:
        return self.weights.most_common(1)[0][0] if self.weights else 0

    def is_running(self, row: list[Segment]) -> bool:
        """Whether a line at a page's edge is repeated from page to page."""
        return self.margins[_pattern(row)] >= max(3, self.pages / 5)

    def is_numbered(self, row: list[Segment], page: int) -> bool:
        """Whether a line at a page's edge ends or begins with that page's printed number."""
        offset, pages = self.offsets.most_common(1)[0] if self.offsets else (0, 0)
        return pages >= max(3, self.pages / 2) and page + offset in _end_numbers(row)

    def is_bold(self, segment: Segment) -> bool:
        return segment.weight > 0 and segment.weight >= 1.25 * max(self.body_weight, 1)

    def heading_level(self, segment: Segment) -> int:
        """1 for the largest text; 0 for text that does not stand out."""
        size = _size(segment)
        larger = sorted((s for s in self.heights if s >= 1.15 * self.body_size), reverse=True)
        if size in larger:
            return min(larger.index(size) + 1, 4)
        if size > 1.15 * self.body_size:
            return min(len(larger) + 1, 4)
        return min(len(larger) + 1, 5) if self.is_bold(segment) and size >= 0.85 * self.body_size else 0


def _size(segment: Segment) -> float:
    return round(segment.height * 2) / 2


def _pattern(row: list[Segment]) -> str:
    return re.sub(r"\d+", "#", " ".join(segment.text for segment in row))


def _end_numbers(row: list[Segment]) -> list[int]:
    words = (row[0].words[0].text, row[-1].words[-1].text)
    return [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 5]


def running_segments(page: PageText, style: Style) -> set[int]:
    """Segments of page numbers and of lines repeated at the head or foot of pages."""
    rows = visual_rows(page.segments)
    dropped: set[int] = set()
    edges = [*rows[:MARGIN_ROWS], *rows[-MARGIN_ROWS:]]
    for row in edges:
        bare = _PAGE_NUMBER.fullmatch(" ".join(segment.text for segment in row))
        outermost = row in (rows[0], rows[-1])
        if style.is_running(row) or (outermost and (bare or style.is_numbered(row, page.number))):
            dropped.update(segment.order for segment in row)
    return dropped


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


# Enough to learn what is usual in a document, few enough to hold in memory.
SAMPLE_PAGES = 48
MOST_NAMED = 10
"""Pages that a note lists one by one."""


def write_pages(builder: Builder, count: int, page_at: Callable[[int], PageText]) -> None:
    """Append `count` pages to `builder`; `page_at` reads one by its index."""
    step = max(1, -(-count // SAMPLE_PAGES))
    sample = {index: page_at(index) for index in range(0, count, step)}
    style = Style()
    for page in sample.values():
        style.learn(page)
    before: Leaf | None = None
    for index in range(count):
        page = sample.pop(index) if index in sample else page_at(index)
        before = _leaf(page, running_segments(page, style), before)
        write_page(builder, before, style)


def _leaf(page: PageText, dropped: set[int], before: Leaf | None) -> Leaf:
    ruled = find_ruled_tables(page)
    continued = carry_over(before, Leaf(page, ruled, dropped))
    # A row alone is a table only where it ends one.
    ruled = [table for table in ruled if table is continued or len(table.titles + table.rows) > 1]
    taken = dropped.union(*(table.taken for table in ruled))
    leaf = Leaf(page, ruled + find_aligned_tables(page, taken), dropped)
    if not continued:
        carry_over(before, leaf)
    return leaf


def unread_note(numbers: Sequence[int], recognition: Recognition) -> str:
    """What is said of pages that are pictures and were not read."""
    listed = ", ".join(map(str, numbers[:MOST_NAMED])) + (" …" if len(numbers) > MOST_NAMED else "")
    what = f"{len(numbers):,} scanned page{'s were' if len(numbers) > 1 else ' was'} not read ({listed})"
    if recognition.is_installed:
        return f"{what}: there was no time left. DOCMIND_INGEST__TIMEOUT_S gives a file more."
    return f"{what}: {HOW_TO_GET_ONE}, delete the document and ingest it again."
