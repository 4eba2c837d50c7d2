"""Searches several queries at once and makes one list of them, in which each has its share."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from docmind.domain.search import Filters, Hit

Search = Callable[[str, Filters], Awaitable[list[Hit]]]


async def gather(search: Search, queries: Sequence[str], *, limit: int, without: Sequence[str] = ()) -> list[Hit]:
    """The best `limit` passages for all queries, most relevant first, and none of those `without`.

    Half of the places are dealt out evenly, so that a query which scores low throughout is heard too; the rest goes to
    whatever is most relevant.
    """
    filters = Filters(exclude_passages=tuple(without))
    found = await asyncio.gather(*(search(query, filters) for query in dict.fromkeys(queries)))
    even = max(1, limit // (2 * max(1, len(found))))
    dealt = [hit for hits in found for hit in hits[:even]]
    rest = sorted((hit for hits in found for hit in hits[even:]), key=_order)
    kept: dict[str, Hit] = {}
    for hit in (*sorted(dealt, key=_order), *rest):
        earlier = kept.get(hit.passage.id)
        if earlier is not None:
            kept[hit.passage.id] = min(earlier, hit, key=_order)
        elif len(kept) < limit:
            kept[hit.passage.id] = hit
    return sorted(kept.values(), key=_order)


def _order(hit: Hit) -> tuple[float, str]:
    return -hit.relevance_score, hit.passage.id
