"""What each stretch of Markdown or plain text is, so that no sentence runs across a heading, an item or a table row."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.documents import Span


class UnitKind(StrEnum):
    """What a stretch of text is, as far as its layout tells."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch within which sentences are looked for; between units stands only white space and markup."""

    kind: UnitKind
    span: Span


_QUOTE = re.compile(r"(?:>[ \t]?+)++")
_FENCE = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+([A-Za-z]{0,20}+)[^`]{0,40}+")
_HEADING = re.compile(r"#{1,6}+[ \t]++")
# At most three digits: a wrapped line of prose may well begin with a year and a full stop.
_ITEM = re.compile(r"(?:[-*+•‣◦–][ \t]++|\(?+(?:[0-9]{1,3}+|[A-Za-z]|[ivx]{1,4}+)\)[ \t]++|[0-9]{1,3}+\.[ \t]++)")
_PROSE_FENCES = frozenset({"markdown", "md"})
"""Some models wrap a whole answer in such a block; its words are said all the same."""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str
    quoted: bool


def units(text: str) -> list[Unit]:
    """The units of a text in order."""
    return _Reader(text).read()


def _lines(text: str) -> Iterator[_Line]:
    """Lines without their margins and quote marks, as spans of the text."""
    position = 0
    while position <= len(text):
        newline = text.find("\n", position)
        stop = len(text) if newline < 0 else newline
        line = text[position:stop]
        body = line.strip()
        start = position + len(line) - len(line.lstrip()) if body else position
        quote = _QUOTE.match(body)
        if quote:
            start += quote.end() + len(body[quote.end() :]) - len(body[quote.end() :].lstrip())
            body = body[quote.end() :].lstrip()
        yield _Line(start, start + len(body), body, quote is not None)
        position = stop + 1


class _Reader:
    """One pass over the lines; at most one unit is open at a time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = list(_lines(text))
        self._found: list[Unit] = []
        self._open: tuple[UnitKind, int] | None = None
        self._last: _Line | None = None
        # A code block that is never closed would hide the rest of an answer from every check, so it is not one.
        self._last_fence = {line.text[:3]: n for n, line in enumerate(self._lines) if _is_bare_fence(line.text)}

    def read(self) -> list[Unit]:
        number, unwrapped = 0, ""
        while number < len(self._lines):
            line = self._lines[number]
            fence = _FENCE.fullmatch(line.text)
            if fence and unwrapped and line.text.startswith(unwrapped) and _is_bare_fence(line.text):
                self._close()
                unwrapped = ""
            elif fence and self._last_fence.get(line.text[:3], -1) > number:
                self._close()
                if fence[2].lower() in _PROSE_FENCES:
                    unwrapped = line.text[:3]
                else:
                    number = self._code(number, fence[1])
            elif fence:
                self._close()
            else:
                self._take(number, line)
            number += 1
        self._close()
        return self._found

    def _code(self, opening: int, fence: str) -> int:
        """Add the block that begins at line `opening` and return the line that closes it."""
        body: list[_Line] = []
        for number in range(opening + 1, len(self._lines)):
            line = self._lines[number]
            if line.text.startswith(fence[:3]) and _is_bare_fence(line.text):
                break
            if line.text:
                body.append(line)
        if body:
            self._add(UnitKind.CODE, body[0].start, body[-1].end)
        return number

    def _take(self, number: int, line: _Line) -> None:
        if not line.text:
            self._close()
        elif _is_rule(line.text):
            self._underline(line)
        elif self._is_row(number):
            self._close()
            start = line.start + len(line.text) - len(line.text.lstrip("| \t"))
            self._add(UnitKind.ROW, start, max(start, line.end - len(line.text) + len(line.text.rstrip("| \t"))))
        elif heading := _HEADING.match(line.text):
            self._close()
            self._add(UnitKind.HEADING, line.start + heading.end(), line.start + len(line.text.rstrip("# \t")))
        elif item := _ITEM.match(line.text):
            self._begin(UnitKind.ITEM, line, line.start + item.end())
        elif _is_bold_label(line.text):
            self._close()
            self._add(UnitKind.HEADING, line.start, line.end)
        elif self._open is None or self._is_new_thought(line):
            self._begin(UnitKind.PROSE, line, line.start)
        self._last = line

    def _is_row(self, number: int) -> bool:
        """Two cells alone may be a conditional probability; with a neighbour of the same look they are a table."""
        line = self._lines[number].text
        if line.startswith("|") and line.count("|") > 1:
            return True
        beside = [self._lines[n].text for n in (number - 1, number + 1) if 0 <= n < len(self._lines)]
        cells = line.count(" | ")
        return cells > 1 or (cells == 1 and any(" | " in other or _is_table_rule(other) for other in beside))

    def _is_new_thought(self, line: _Line) -> bool:
        """A line that ends with a colon introduces what begins on the next; a quotation begins or ends there too."""
        last = self._last
        return last is not None and (
            (last.text.endswith(":") and not line.text[0].islower()) or line.quoted != last.quoted
        )

    def _underline(self, line: _Line) -> None:
        """A rule makes a heading of the one line above it: a table's head, or words that are no finished sentence."""
        last, begun = self._last, self._open
        if last and begun:
            if begun == (UnitKind.PROSE, last.start) and set(line.text) <= {"=", "-"} and last.text[-1] not in ".!?:":
                self._open = (UnitKind.HEADING, last.start)
        elif last and self._found and self._found[-1].kind is UnitKind.ROW and _is_table_rule(line.text):
            row = self._found[-1].span
            if row.start >= last.start:
                self._found[-1] = Unit(UnitKind.HEADING, row)
        self._close()

    def _begin(self, kind: UnitKind, line: _Line, start: int) -> None:
        self._close()
        if start < line.end:
            self._open = (kind, start)

    def _close(self) -> None:
        if self._open and self._last:
            self._add(*self._open, self._last.end)
        self._open, self._last = None, None

    def _add(self, kind: UnitKind, start: int, end: int) -> None:
        body = self._text[start:end]
        start += len(body) - len(body.lstrip())
        if body := body.strip():
            self._found.append(Unit(kind, Span(start, start + len(body))))


def _is_bare_fence(line: str) -> bool:
    return len(line) >= 3 and line[0] in "`~" and line.strip(line[0]) == ""


def _is_rule(line: str) -> bool:
    """A thematic break, a heading's underline or the rule below a table's head: marks alone."""
    if _is_table_rule(line):
        return True
    marks = set(line) - {" ", "\t"}
    return len(line) >= 3 and len(marks) == 1 and marks <= set("-=*_")


def _is_table_rule(line: str) -> bool:
    return "-" in line and ("|" in line or "+" in line) and set(line) <= set("|-:+= \t")


def _is_bold_label(line: str) -> bool:
    """A line all in bold that is neither a sentence nor an amount: how models write headings without `#`."""
    label = line.rstrip(":")
    if len(label) < 5 or not (label.startswith("**") and label.endswith("**")):
        return False
    return "**" not in label[2:-2] and label[-3] not in ".!?" and set("$€£¥%").isdisjoint(label)
