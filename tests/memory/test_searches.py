"""Searches on record are given again as they were, and are never made where there is nothing to search."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from docmind.domain.documents import Document, DocumentList, Metadata, Passage, Span
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.memory.recording import RecordedSearch, search_hash
from docmind.models.chat.recording import MemoryRecorder

SCOPE = Scope("w", "ada")
DOCUMENT = Document(
    "d", SCOPE, "/d.md", "d.md", "h", "text/markdown", Metadata(title="D", fiscal_year=2023), 3, 9, 1, "2026-01-01"
)
HIT = Hit(Passage("p", "d", 0, Span(1, 6), "Hellö", ("A", "B"), 2), DOCUMENT, 0.1 + 0.2, 0.5, 7.25, ("q",))


class Counting:
    """A search that counts how often it is made."""

    def __init__(self) -> None:
        self.made = 0

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        self.made += 1
        return [HIT]

    async def afetch(self, passage_ids: Sequence[str], scope: Scope) -> list[Hit]:
        self.made += 1
        return [HIT] if HIT.passage.id in passage_ids else []

    async def adocuments(self, scope: Scope, *, limit: int) -> DocumentList:
        self.made += 1
        return DocumentList((DOCUMENT,), 12)

    async def areports(self, scope: Scope) -> list[Metadata]:
        self.made += 1
        return [DOCUMENT.metadata]


def test_a_search_is_made_once_and_given_again_to_the_last_digit() -> None:
    recorder, inner = MemoryRecorder(), Counting()
    searching, replaying = RecordedSearch(inner, recorder), RecordedSearch(None, recorder)

    async def ask() -> list[list[Hit]]:
        return [await one.asearch("hello", SCOPE, limit=3) for one in (searching, searching, replaying)]

    assert asyncio.run(ask()) == [[HIT]] * 3
    assert inner.made == 1


def test_what_is_not_on_record_is_an_error_in_a_replay() -> None:
    with pytest.raises(NotFound, match="no record of a search for “hello”"):
        asyncio.run(RecordedSearch(None, MemoryRecorder()).asearch("hello", SCOPE))


def test_documents_are_listed_once_and_never_in_a_replay_that_has_no_record_of_it() -> None:
    recorder, inner = MemoryRecorder(), Counting()

    async def listed(searching: RecordedSearch) -> DocumentList:
        return await searching.adocuments(SCOPE, limit=1)

    assert asyncio.run(listed(RecordedSearch(inner, recorder))) == DocumentList((DOCUMENT,), 12)
    assert asyncio.run(listed(RecordedSearch(None, recorder))) == DocumentList((DOCUMENT,), 12)
    assert inner.made == 1
    with pytest.raises(NotFound, match="no record of the documents"):
        asyncio.run(listed(RecordedSearch(None, MemoryRecorder())))


def test_reports_are_listed_once_and_never_in_a_replay_that_has_no_record_of_it() -> None:
    recorder, inner = MemoryRecorder(), Counting()

    async def listed(searching: RecordedSearch) -> list[Metadata]:
        return await searching.areports(SCOPE)

    assert asyncio.run(listed(RecordedSearch(inner, recorder))) == [DOCUMENT.metadata]
    assert asyncio.run(listed(RecordedSearch(None, recorder))) == [DOCUMENT.metadata]
    assert inner.made == 1
    with pytest.raises(NotFound, match="no record of the reports"):
        asyncio.run(listed(RecordedSearch(None, MemoryRecorder())))


def test_every_part_of_a_search_tells_it_apart() -> None:
    first: dict[str, Any] = {"limit": 3, "min_score": 0.5, "filters": Filters()}
    others: list[dict[str, Any]] = [{"limit": 4}, {"min_score": 0.6}, {"filters": Filters(fiscal_year=(2023,))}]
    hashes = {search_hash("a", SCOPE, **first | other) for other in ({}, *others)}
    hashes |= {search_hash("b", SCOPE, **first), search_hash("a", Scope("w"), **first)}
    assert len(hashes) == 6


def test_passages_are_read_again_as_they_were_found_and_others_looked_up_once() -> None:
    recorder, inner = MemoryRecorder(), Counting()

    async def read(searching: RecordedSearch) -> list[Hit]:
        return await searching.afetch([HIT.passage.id, "gone"], SCOPE)

    assert asyncio.run(read(RecordedSearch(inner, recorder))) == [HIT]
    assert asyncio.run(read(RecordedSearch(None, recorder))) == [HIT]
    assert inner.made == 1

    async def found_before() -> list[Hit]:
        searching = RecordedSearch(inner, MemoryRecorder())
        await searching.asearch("hello", SCOPE)
        return await searching.afetch([HIT.passage.id], SCOPE)

    assert asyncio.run(found_before()) == [HIT]
    assert inner.made == 2
    with pytest.raises(NotFound, match="no record of passages"):
        asyncio.run(read(RecordedSearch(None, MemoryRecorder())))
