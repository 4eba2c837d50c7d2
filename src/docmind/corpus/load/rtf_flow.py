"""The paragraphs and table rows of an RTF file as they are completed, written out as headings, items and tables."""

import re
from dataclasses import dataclass, field

from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.grid import split_table

BODY_TEXT = 9
"""The outline level of what is no heading."""
_NUMBER = re.compile(r"(\d{1,4})[.)]?")


@dataclass(slots=True)
class Style:
    name: str = ""
    level: int = BODY_TEXT


@dataclass(slots=True)
class Paragraph:
    """What the file says of the paragraph that is being read."""

    style: int = 0
    level: int = BODY_TEXT
    depth: int = 0
    in_table: bool = False


@dataclass(slots=True)
class Flow:
    builder: Builder
    styles: dict[int, Style] = field(default_factory=dict)
    """By the number that paragraphs name them by."""
    paragraph: Paragraph = field(default_factory=Paragraph)
    text: list[str] = field(default_factory=list)
    marker: list[str] = field(default_factory=list)
    """What stands before the text as the sign of a list's item."""
    row_is_header: bool = False
    _row: list[str] = field(default_factory=list)
    _rows: list[list[str]] = field(default_factory=list)
    _header_rows: int = 0
    _held: str = ""
    """A caption that waits for its table."""

    def end_paragraph(self) -> None:
        if self.paragraph.in_table:
            # A cell may have several paragraphs.
            self.text.append(" ")
            return
        marker = one_line("".join(self.marker))
        text = self._taken()
        if not text:
            return
        self._end_table()
        self._release()
        style = self.styles.get(self.paragraph.style, Style())
        level = min(self.paragraph.level, style.level)
        named = style.name.strip().casefold()
        if level < BODY_TEXT or named == "title":
            self.builder.heading(text, level + 1 if level < BODY_TEXT else 1)
        elif marker:
            numbered = _NUMBER.fullmatch(marker)
            self.builder.item(text, self.paragraph.depth, int(numbered[1]) if numbered else None)
        elif named == "caption":
            self._held = text
        else:
            self.builder.paragraph(text)

    def end_cell(self) -> None:
        self._row.append(self._taken())

    def end_row(self) -> None:
        if self.row_is_header and self._header_rows == len(self._rows):
            self._header_rows += 1
        self._rows.append(self._row)
        self._row = []

    def finish(self) -> None:
        self.paragraph.in_table = False
        self.end_paragraph()
        self._end_table()
        self._release()

    def _taken(self) -> str:
        text = one_line("".join(self.text))
        self.text.clear()
        self.marker.clear()
        return text

    def _release(self) -> None:
        self.builder.paragraph(self._held)
        self._held = ""

    def _end_table(self) -> None:
        if self._row:
            self.end_row()
        if self._rows:
            header, body, caption = split_table(self._rows, self._header_rows or None, self._held)
            self.builder.table(body, header, caption)
            self._rows, self._header_rows, self._held = [], 0, ""
