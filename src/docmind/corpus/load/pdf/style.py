"""Learns what is usual in a document, so that headings stand out and the lines of every page can be left out."""

import re
from collections import Counter
from dataclasses import dataclass, field

from docmind.corpus.load.pdf.words import PageText, Segment, visual_rows

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
