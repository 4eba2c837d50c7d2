"""Searches with several queries: each has its share of what comes back, or the question itself scores all of it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from docmind.domain.search import Filters, Hit

FilteredSearch = Callable[[str, Filters], Awaitable[list[Hit]]]


async def gather(
    search: FilteredSearch, queries: Sequence[str], *, limit: int, without: Sequence[str] = ()
) -> list[Hit]:
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


Search = Callable[[str, int], Awaitable[list[Hit]]]

_WIDER = 3
"""How many times as many passages the question is asked for, so that what other queries find has a score of its own."""


async def multi_query_search(search: Search, question: str, others: Sequence[str], *, limit: int) -> list[Hit]:
    """The best `limit` passages for the question and other ways of putting it, each with its relevance to the question.

    A query made of the words of a passage finds that passage, whatever was asked: its score says nothing.
    """
    asked = await search(question, _WIDER * limit)

    async def found(query: str, _: Filters) -> list[Hit]:
        return asked[:limit] if query == question else await search(query, limit)

    own = {hit.passage.id: hit.relevance_score for hit in asked}
    least = min(own.values(), default=0.0)
    hits = [
        replace(hit, relevance_score=own.get(hit.passage.id, min(hit.relevance_score, least)))
        for hit in await gather(found, [question, *others], limit=limit)
    ]
    return sorted(hits, key=lambda hit: (-hit.relevance_score, hit.passage.id))
