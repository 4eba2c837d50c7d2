"""Searches with several queries for one question, and scores each passage by what the question itself finds."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from docmind.domain.search import Filters, Hit
from docmind.skills.gather import gather

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
