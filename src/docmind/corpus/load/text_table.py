"""Finds the table that people type in plain text: cells that stand below each other, with blanks between them."""

from collections.abc import Sequence

from docmind.corpus.load.grid import is_value

LEAST_LINES = 3
"""The names of the columns and two rows."""
MOST_LINES_ABOVE = 3
"""Of a paragraph that goes on with a table and no blank line between."""
LONGEST_LINE = 400
_GAP = 2
"""Blanks in every line that part two columns; one is what parts two words."""
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
    """The cells of each line, cut where every line is blank."""
    cuts = _cuts(lines)
    return [[line[start:end].strip() for start, end in zip((0, *cuts), (*cuts, None), strict=True)] for line in lines]


def _cuts(lines: Sequence[str]) -> list[int]:
    """Where each column begins but the first."""
    width = max((len(line.rstrip()) for line in lines), default=0)
    blank = [all(line[at : at + 1] in ("", " ") for line in lines) for at in range(width)]
    begin = blank.index(False) if False in blank else width
    return [at for at in range(begin + _GAP, width) if not blank[at] and all(blank[at - _GAP : at])]


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the cells make a table: three columns and more, or two of which the second holds figures."""
    columns = len(rows[0])
    filled = all(row[0] and sum(map(bool, row)) > columns / 2 for row in rows)
    return filled and (columns > 2 or (columns == 2 and all(is_value(row[1]) for row in rows[1:])))
