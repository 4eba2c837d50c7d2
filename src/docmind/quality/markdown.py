"""What each stretch of Markdown or plain text is, so that no sentence runs across a heading, an item or a table row."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from docmind.domain.documents import Span


class Line(NamedTuple):
    """A line without its margins and quote marks: `text` is what stands from `start` to `end`."""

    start: int
    end: int
    text: str
    indent: int
    quoted: bool


_QUOTE = re.compile(r"(?:>[ \t]?+)++")
_RULE_MARKS = frozenset("-=*_|+:")
_TABLE_RULE_MARKS = frozenset("|-:+= \t")


def read_lines(text: str) -> list[Line]:
    found, position = [], 0
    for line in text.split("\n"):
        body = line.strip()
        indent = line.find(body[0]) if body else 0
        quote = _QUOTE.match(body) if body.startswith(">") else None
        start = position + indent
        if quote:
            start += quote.end()
            start += len(body) - quote.end() - len(body := body[quote.end() :].lstrip())
        found.append(Line(start, start + len(body), body, indent, quote is not None))
        position += len(line) + 1
    return found


def widths(lines: list[Line]) -> list[int]:
    """For each line the length of the longest in its paragraph: what it was wrapped to, if it was wrapped."""
    found: list[int] = []
    longest = 0
    for n, line in enumerate(lines):
        longest = max(longest, len(line.text))
        if not line.text or n == len(lines) - 1:
            found += [longest] * (n + 1 - len(found))
            longest = 0
    return found


def is_bare_fence(line: str) -> bool:
    return line.startswith(("```", "~~~")) and not line.strip(line[0])


def is_rule(line: str) -> bool:
    """A thematic break, a heading's underline or the rule below a table's head: marks alone."""
    if line[:1] not in _RULE_MARKS:
        return False
    if is_table_rule(line):
        return True
    marks = set(line) - {" ", "\t"}
    return len(line) >= 3 and len(marks) == 1 and marks <= set("-=*_")


def is_table_rule(line: str) -> bool:
    return "-" in line and ("|" in line or "+" in line) and _TABLE_RULE_MARKS.issuperset(line)


def is_bold_label(line: str) -> bool:
    """A line all in bold that is neither a sentence nor an amount: how models write headings without `#`."""
    label = line.rstrip(":")
    if len(label) < 5 or not (label.startswith("**") and label.endswith("**")):
        return False
    return "**" not in label[2:-2] and label[-3] not in ".!?" and set("$€£¥%").isdisjoint(label)


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
    indent: int = 0
    """How far an item is set in, which tells a list within a list."""


_FENCE = re.compile(r"(?:`{3,}+|~{3,}+)[ \t]*+([A-Za-z0-9+#.-]{0,20}+)\s*+([^`]{0,40}+)")
_HEADING = re.compile(r"#{1,6}+[ \t]++")
# At most three digits: a wrapped line of prose may well begin with a year and a full stop.
_ITEM = re.compile(r"(?:[-*+•‣◦–][ \t]++|\(?+(?:[0-9]{1,3}+|[A-Za-z]|[ivx]{1,4}+)\)[ \t]++|[0-9]{1,3}+\.[ \t]++)")
_INLINE_ITEM = re.compile(r"(?<!\S)\(?+([0-9]{1,2}+)\)\s++")
_PROSE_FENCES = frozenset({"markdown", "md"})
"""Some models wrap a whole answer in such a block; its words are said all the same."""
_NARROWEST_COLUMN = 40
"""Text is hardly ever wrapped to lines shorter than this; shorter ones are meant to end where they do."""
_CARRIED_ON = frozenset({
    "a", "an", "and", "are", "as", "at", "by", "for", "from", "in", "is", "of", "on", "or", "that", "the", "to",
    "was", "were", "with",
})  # fmt: skip
"""After these words a line cannot end for good."""


def units(text: str) -> list[Unit]:
    """The units of a text in order."""
    return _Reader(text).read()


class _Reader:
    """One pass over the lines; at most one unit is open at a time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = read_lines(text)
        self._widths = widths(self._lines)
        self._found: list[Unit] = []
        self._open: tuple[UnitKind, int, int] | None = None
        self._last: Line | None = None
        # A code block that is never closed would hide the rest of an answer from every check, so it is not one.
        self._last_fence = {line.text[:3]: n for n, line in enumerate(self._lines) if is_bare_fence(line.text)}

    def read(self) -> list[Unit]:
        number, unwrapped = 0, ""
        while number < len(self._lines):
            line = self._lines[number]
            fence = _FENCE.fullmatch(line.text) if line.text.startswith(("```", "~~~")) else None
            if fence is None:
                self._take(number, line)
                number += 1
                continue
            self._close()
            closing = unwrapped and line.text.startswith(unwrapped) and is_bare_fence(line.text)
            opening = not closing and self._last_fence.get(line.text[:3], -1) > number
            if opening and fence[1].lower() not in _PROSE_FENCES:
                number = self._code(number, fence)
            elif closing or opening:
                unwrapped = "" if closing else line.text[:3]
            elif fence[2]:
                self._add(UnitKind.PROSE, line.start + fence.start(1), line.end)
            number += 1
        self._close()
        return self._found

    def _code(self, opening: int, fence: re.Match[str]) -> int:
        """Add the block that begins at line `opening` and return the line that closes it."""
        # What stands beside the language belongs to the block, so that no word is lost.
        first = self._lines[opening]
        spans = [(first.start + fence.start(2), first.end)] if fence[2] else []
        for number in range(opening + 1, len(self._lines)):
            line = self._lines[number]
            if line.text.startswith(first.text[:3]) and is_bare_fence(line.text):
                break
            if line.text:
                spans.append((line.start, line.end))
        if spans:
            self._add(UnitKind.CODE, spans[0][0], spans[-1][1])
        return number

    def _take(self, number: int, line: Line) -> None:
        text = line.text
        if not text:
            self._close()
            return
        if is_rule(text):
            self._underline(line)
        elif "|" in text and self._is_row(number):
            self._close()
            start = line.start + len(text) - len(text.lstrip("| \t"))
            self._add(UnitKind.ROW, start, max(start, line.end - len(text) + len(text.rstrip("| \t"))))
        elif text[0] == "#" and (heading := _HEADING.match(text)):
            self._close()
            self._add(UnitKind.HEADING, line.start + heading.end(), line.start + len(text.rstrip("# \t")))
        elif item := _ITEM.match(text):
            self._begin(UnitKind.ITEM, line, line.start + item.end())
        elif is_bold_label(text):
            self._close()
            self._add(UnitKind.HEADING, line.start, line.end)
        elif self._open is None or self._is_new_thought(number, line):
            within = self._open and self._open[0] is UnitKind.ITEM and line.indent > self._open[2]
            self._begin(UnitKind.ITEM if within else UnitKind.PROSE, line, line.start)
        self._last = line

    def _is_row(self, number: int) -> bool:
        """Two cells alone may be a conditional probability; with a neighbour of the same look they are a table."""
        line = self._lines[number].text
        if line.startswith("|") and line.count("|") > 1:
            return True
        beside = [self._lines[n].text for n in (number - 1, number + 1) if 0 <= n < len(self._lines)]
        cells = line.count(" | ")
        return cells > 1 or (cells == 1 and any(" | " in other or is_table_rule(other) for other in beside))

    def _is_new_thought(self, number: int, line: Line) -> bool:
        """Whether a line says something new and does not carry on the one above."""
        last = self._last
        if last is None:
            return False
        if line.quoted != last.quoted:
            return True
        if last.text.endswith(":"):
            return not line.text[0].islower()
        return line.text[0].isupper() and self._ends_early(last, line, self._widths[number])

    def _ends_early(self, last: Line, line: Line, width: int) -> bool:
        """Whether the line above was ended on purpose: had it been wrapped, it would hold the next word as well."""
        if last.text[-1] in ",;(&/-–—" or last.text[-20:].rpartition(" ")[2].lower() in _CARRIED_ON:
            return False
        word = line.text[:_NARROWEST_COLUMN].partition(" ")[0]
        return len(last.text) + 1 + len(word) <= max(width, _NARROWEST_COLUMN)

    def _underline(self, line: Line) -> None:
        """A rule makes a heading of the one line above it: a table's head, or words that are no finished sentence."""
        last, begun = self._last, self._open
        if last and begun:
            kind, start, _ = begun
            if kind is UnitKind.PROSE and start == last.start and set(line.text) <= {"=", "-"}:
                finished = last.text[-1] in ".!?:"
                self._open = begun if finished else (UnitKind.HEADING, start, 0)
        elif last and self._found and self._found[-1].kind is UnitKind.ROW and is_table_rule(line.text):
            row = self._found[-1].span
            if row.start >= last.start:
                self._found[-1] = Unit(UnitKind.HEADING, row)
        self._close()

    def _begin(self, kind: UnitKind, line: Line, start: int) -> None:
        self._close()
        if start < line.end:
            self._open = (kind, start, line.indent if kind is UnitKind.ITEM else 0)

    def _close(self) -> None:
        if self._open and self._last:
            kind, start, indent = self._open
            for inner, begin, end in _inline_items(self._text, kind, start, self._last.end):
                self._add(inner, begin, end, indent)
        self._open, self._last = None, None

    def _add(self, kind: UnitKind, start: int, end: int, indent: int = 0) -> None:
        body = self._text[start:end]
        start += len(body) - len(body.lstrip())
        if body := body.strip():
            self._found.append(Unit(kind, Span(start, start + len(body)), indent))


def _inline_items(text: str, kind: UnitKind, start: int, end: int) -> Iterator[tuple[UnitKind, int, int]]:
    """The parts of a unit that lists items within its lines, as in `Either: 1) fold it 2) roll it`."""
    counted = 1 if text[max(0, start - 4) : start].strip(" \t(") == "1)" else 0
    if text.find("2)", start, end) >= 0 and kind is not UnitKind.HEADING:
        marks = []
        for mark in _INLINE_ITEM.finditer(text, start, end):
            opens = counted or mark.start() == start or text[mark.start() - 3 : mark.start()].rstrip().endswith(":")
            if opens and int(mark[1]) == counted + 1:
                marks.append(mark)
                counted += 1
        for mark in marks if counted > 1 else ():
            yield kind, start, mark.start()
            kind, start = UnitKind.ITEM, mark.end()
    yield kind, start, end
