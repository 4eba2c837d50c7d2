"""Reads plain text: paragraphs parted by blank lines, with the headings, lists and tables people type."""

import re

from docmind.corpus.load.builder import Builder
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.grid import split_table
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.text_table import find_table
from docmind.domain.documents import Loaded

MEDIA_TYPE = "text/plain"
LONGEST_HEADING = 100

_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_UNDERLINE = re.compile(r"(=|-|~|\*)\1{2,}\s*")
_BRACKETS = re.compile(r"\([^()]*\)")
_BULLET = re.compile(r"(?P<indent>\s*)(?:[-*+•]|(?P<number>\d{1,3})[.)])\s+(?P<text>\S.*)")


def load_plain(data: bytes, limits: Limits) -> Loaded:
    builder = Builder(limits)
    write_plain(builder, decode(data))
    return builder.finish(MEDIA_TYPE)


def write_plain(builder: Builder, text: str) -> None:
    """Append plain text to `builder`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    for block in _BLANK_LINES.split(text.strip("\n")):
        lines = [line for line in block.split("\n") if line.strip()]
        if lines:
            _write_block(builder, lines)


def _write_block(builder: Builder, lines: list[str]) -> None:
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]) and len(lines[0]) <= LONGEST_HEADING:
        builder.heading(lines[0], 1 if lines[1].startswith("=") else 2)
        lines = lines[2:]
    elif _is_shouted(lines[0]):
        # What a document begins with is its title.
        builder.heading(lines[0], 1 if builder.last_kind is None else 2)
        lines = lines[1:]
    listed = next((at for at, line in enumerate(lines) if _BULLET.fullmatch(line)), None)
    # A sentence may go on with a dash or a number at the beginning of a line; what a list follows is short.
    if listed is not None and all(len(line) <= LONGEST_HEADING for line in lines[:listed]):
        builder.paragraph(" ".join(lines[:listed]))
        _write_items(builder, lines[listed:])
        return
    above, rows = find_table(lines)
    if above:
        builder.paragraph(" ".join(above))
    if rows:
        header, body, caption = split_table(rows)
        builder.table(body, header, caption)


def _is_shouted(line: str) -> bool:
    """Whether a line is a heading in capitals; what it adds in brackets may be said quietly."""
    said = _BRACKETS.sub("", line)
    letters = sum(character.isalpha() for character in said)
    return said.isupper() and letters > 3 and letters > len(said) / 2 and len(line) <= LONGEST_HEADING


def _write_items(builder: Builder, lines: list[str]) -> None:
    items: list[list[str]] = []
    for line in lines:
        if _BULLET.fullmatch(line):
            items.append([line])
        else:
            items[-1].append(line)
    for item in items:
        match = _BULLET.fullmatch(item[0])
        if match:
            number = int(match["number"]) if match["number"] else None
            depth = len(match["indent"].expandtabs(4)) // 2
            builder.item(" ".join([match["text"], *item[1:]]), depth, number)
