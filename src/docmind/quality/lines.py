"""Lines of Markdown or plain text with their place, and what one line alone shows to be."""

import re
from typing import NamedTuple


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
