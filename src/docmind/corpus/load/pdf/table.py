"""What a page's table is once it is found, and whether it goes on from the page before."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from docmind.corpus.load.grid import is_value
from docmind.corpus.load.pdf.page import PageText


@dataclass(slots=True)
class Table:
    """A table as found on a page: cells in columns, and which of the page's segments it took."""

    header: list[str]
    rows: list[list[str]]
    caption: str
    taken: set[int]
    """`order` of the segments that went into it."""
    places: list[float]
    """Where its columns stand on the page, from left to right."""
    titles: list[list[str]]
    """The rows that name the columns, as they stand."""
    bold: bool = False
    """Whether the titles are set heavier than the rows."""

    @property
    def order(self) -> int:
        return min(self.taken)


# Points by which the columns of one table may stand elsewhere on its next page: a bracket that hangs out of them.
SAME_PLACE = 5.0
# A table that goes on reaches the lowest third of its page and begins in the highest of the next.
REACH = 1 / 3
_NUMBER = re.compile(r"\d+")


class Leaf(NamedTuple):
    """A page with the tables found on it; `dropped` are the segments of its running lines."""

    page: PageText
    tables: list[Table]
    dropped: set[int]


def carry_over(before: Leaf | None, leaf: Leaf) -> Table | None:
    """The table a page begins with, given names and caption of the one the page before ends with, if it goes on."""
    if not before or not before.tables or not leaf.tables:
        return None
    above = max(before.tables, key=lambda table: table.order)
    table = min(leaf.tables, key=lambda table: table.order)
    if not (_same_places(above, table) and _ends(above, before, leaf) and _begins(table, leaf, before)):
        return None
    body = table.titles + table.rows
    repeated = above.titles and body[: len(above.titles)] == above.titles
    if table.titles and not repeated:
        if _names_its_columns(table, above):
            return None
    elif table.caption not in above.caption:
        return None
    table.header, table.titles, table.bold = above.header, above.titles, above.bold
    table.rows, table.caption = body[len(above.titles) :] if repeated else body, above.caption
    return table


def _ends(table: Table, leaf: Leaf, after: Leaf) -> bool:
    """Whether nothing but the lines of every page comes after a table, down to the foot of the page."""
    heights = [segment.y for segment in leaf.page.segments if segment.order in table.taken]
    last = max(table.taken)
    return min(heights) < REACH * leaf.page.height and all(order < last for order in _others(table, leaf, after))


def _begins(table: Table, leaf: Leaf, before: Leaf) -> bool:
    heights = [segment.y for segment in leaf.page.segments if segment.order in table.taken]
    return max(heights) > (1 - REACH) * leaf.page.height and all(
        order > table.order for order in _others(table, leaf, before)
    )


def _others(table: Table, leaf: Leaf, beside: Leaf) -> list[int]:
    """Segments that neither belong to the table nor stand at the same height of the page beside it."""
    repeated = {(round(segment.y), _NUMBER.sub("#", segment.text)) for segment in beside.page.segments}
    return [
        segment.order
        for segment in leaf.page.segments
        if segment.order not in table.taken
        and segment.order not in leaf.dropped
        and (round(segment.y), _NUMBER.sub("#", segment.text)) not in repeated
    ]


def _same_places(above: Table, table: Table) -> bool:
    return len(above.places) == len(table.places) and all(
        abs(there - here) <= SAME_PLACE for there, here in zip(above.places, table.places, strict=True)
    )


def _names_its_columns(table: Table, above: Table) -> bool:
    """Whether the titles of a table are names, and not the first row of one that goes on."""
    if above.bold or table.bold:
        return table.bold
    # Words over figures name them; in a table of words the first row looks like names and mostly is a row.
    return any(is_value(cell) for row in table.rows for cell in row[1:])
