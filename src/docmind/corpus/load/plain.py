"""Reads plain text: paragraphs parted by blank lines, with the headings, lists and tables people type."""

import re
from collections.abc import Sequence

from docmind.corpus.load.builder import Builder
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.grid import is_value, split_table
from docmind.corpus.load.limits import Limits
from docmind.domain.documents import Loaded

LEAST_LINES = 3
"""The names of the columns and two rows."""
MOST_LINES_ABOVE = 3
"""Of a paragraph that goes on with a table and no blank line between."""
MOST_ACROSS = 0.2
"""The share of the lines that may run across columns."""
LONGEST_LINE = 400
_GAP = 2
"""Blanks in every line that part two columns; one is what parts two words."""
_CELL = re.compile(r"\S+(?: \S+)*")
_RULE = frozenset("-=_|+ ")
"""What a line below the names of the columns is made of."""


def find_table(lines: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """The lines above the table, and its rows; without a table all lines, and no rows."""
    if len(lines) < LEAST_LINES or any(len(line) > LONGEST_LINE for line in lines):
        return list(lines), []
    for above in range(min(MOST_LINES_ABOVE, len(lines) - LEAST_LINES) + 1):
        rows = _rows([line.expandtabs() for line in lines[above:] if not _RULE.issuperset(line)])
        if len(rows) >= LEAST_LINES and _is_table(rows):
            return list(lines[:above]), rows
    return list(lines), []


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each line; where they are not as many in each, cut where all are blank but a few."""
    if cells := _same_cells(lines):
        return cells
    across = _running_across(lines)
    cuts = _cuts([line for at, line in enumerate(lines) if at not in across])
    bounds = list(zip((0, *cuts), (*cuts, None), strict=True))
    return [
        _placed(line, cuts) if at in across else [line[start:end].strip() for start, end in bounds]
        for at, line in enumerate(lines)
    ]


def _same_cells(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each line if they are as many in each, whether or not they stand below each other."""
    first, *others = cells = [_CELL.findall(line) for line in lines]
    columns = len(others[0])
    if any(len(row) != columns for row in others):
        return []
    corner_empty = len(first) == columns - 1 and _indent(lines[0]) > _indent(lines[1])
    return [["", *first], *others] if corner_empty else cells if len(first) == columns else []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _running_across(lines: Sequence[str]) -> frozenset[int]:
    """Lines below the names of the columns with a remark instead of cells: "Closed for repairs"."""
    cells = [len(_CELL.findall(line)) for line in lines]
    usual = sorted(cells)[len(cells) // 2]
    few = frozenset(at for at, count in enumerate(cells) if at and count <= usual / 2)
    return few if usual > 2 and len(few) <= len(lines) * MOST_ACROSS else frozenset()


def _placed(line: str, cuts: Sequence[int]) -> list[str]:
    """The cells of a line that runs across columns, each in the column where it begins."""
    cells = [""] * (len(cuts) + 1)
    for match in _CELL.finditer(line):
        column = sum(cut <= match.start() for cut in cuts)
        cells[column] = f"{cells[column]} {match[0]}".strip()
    return cells


def _cuts(lines: Sequence[str]) -> list[int]:
    """Where each column begins but the first."""
    width = max((len(line.rstrip()) for line in lines), default=0)
    blank = [all(line[at : at + 1] in ("", " ") for line in lines) for at in range(width)]
    begin = blank.index(False) if False in blank else width
    return [at for at in range(begin + _GAP, width) if not blank[at] and all(blank[at - _GAP : at])]


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the cells make a table: three columns and more, or two of which the second holds figures."""
    columns = len(rows[0])
    # The corner above the names of the rows is often left empty.
    named = all(row[0] for row in rows[1:]) and sum(map(bool, rows[0])) > columns / 2
    filled = sum(sum(map(bool, row)) > columns / 2 for row in rows) >= len(rows) * (1 - MOST_ACROSS)
    return named and filled and (columns > 2 or (columns == 2 and all(is_value(row[1]) for row in rows[1:])))


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
