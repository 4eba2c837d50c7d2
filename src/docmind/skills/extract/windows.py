"""Which stretches of the passages are worth reading closely: a likely statement with what stands around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from docmind.skills.extract.statements import Statement

WINDOW_CHARS = 500
"""Half a passage: read in half the time, and as well."""


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring statements of a passage, and the text they stand in."""

    statements: Sequence[Statement]

    @property
    def start(self) -> int:
        """Where it begins in its passage."""
        return self.statements[0].sentence.span.start

    @property
    def text(self) -> str:
        return self.statements[0].hit.passage.text[self.start : self.statements[-1].sentence.span.end]


def windows(ranked: Sequence[Statement], statements: Sequence[Statement], most: int) -> list[Window]:
    """Around the best of the `ranked` statements, each of which stands in one window."""
    found: list[Window] = []
    seen: set[Statement] = set()
    for statement in ranked:
        if len(found) == most:
            break
        if statement not in seen:
            found.append(_around(statement, [one for one in statements if one.hit is statement.hit]))
            seen.update(found[-1].statements)
    return found


def _around(statement: Statement, passage: Sequence[Statement]) -> Window:
    """The statement and its neighbours, before and after it in turn, as far as there is room."""
    first = last = passage.index(statement)
    grown = True
    while grown:
        grown = False
        if first > 0 and _chars(passage[first - 1], passage[last]) <= WINDOW_CHARS:
            first, grown = first - 1, True
        if last + 1 < len(passage) and _chars(passage[first], passage[last + 1]) <= WINDOW_CHARS:
            last, grown = last + 1, True
    return Window(passage[first : last + 1])


def _chars(first: Statement, last: Statement) -> int:
    return last.sentence.span.end - first.sentence.span.start
