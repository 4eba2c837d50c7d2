"""The rest of a table of which a search found a part: what is computed must be computed from all of its rows."""

from collections.abc import Awaitable, Callable, Iterator, Sequence

from docmind.domain.documents import Passage, passage_id
from docmind.domain.search import Hit

Fetch = Callable[[Sequence[str]], Awaitable[list[Hit]]]

_MOST_TABLES = 3
_MOST_PARTS = 3
"""Parts that are looked for on either side of one that was found."""


async def rest_of_tables(hits: Sequence[Hit], fetch: Fetch) -> list[Hit]:
    """The parts of the most relevant tables of the hits that are not among them."""
    tables = [hit.passage for hit in hits if hit.passage.kind == "table"][:_MOST_TABLES]
    known = {hit.passage.id for hit in hits}
    wanted = [one for one in dict.fromkeys(_around(tables)) if one not in known]
    if not wanted:
        return []
    found = {hit.passage.id: hit for hit in await fetch(wanted)}
    parts = {hit.passage.id: hit for hit in hits} | found
    kept = dict.fromkeys(one for table in tables for one in _joined(table, parts) if one in found)
    return [found[one] for one in kept]


def _around(tables: Sequence[Passage]) -> Iterator[str]:
    for table in tables:
        for ordinal in range(max(0, table.ordinal - _MOST_PARTS), table.ordinal + _MOST_PARTS + 1):
            yield passage_id(table.document_id, ordinal)


def _joined(table: Passage, parts: dict[str, Hit]) -> Iterator[str]:
    """The passages next to it on either side, as far as they are of the same table."""
    for way in (-1, 1):
        for distance in range(1, _MOST_PARTS + 1):
            if table.ordinal + way * distance < 0:
                break
            one = passage_id(table.document_id, table.ordinal + way * distance)
            if one not in parts or not _is_same_table(parts[one].passage, table):
                break
            yield one


def _is_same_table(one: Passage, other: Passage) -> bool:
    return one.kind == "table" and one.heading == other.heading
