"""Searches kept by what was asked, so that a run can be looked at again without an index."""

import hashlib
import json
from dataclasses import asdict
from typing import Protocol

from pydantic import TypeAdapter

from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.models.chat.recording import Recorder

_HITS = TypeAdapter(list[Hit])


class Searching(Protocol):
    """Where passages are found."""

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]: ...


class RecordedSearch:
    """Any search, on record. A run sees one state of the documents: what it asked before is answered as before.

    Without an `inner` one, as in a replay, what is not on record is an error and never a search.
    """

    def __init__(self, inner: Searching | None, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        key = search_hash(query, scope, limit=limit, min_score=min_score, filters=filters or Filters())
        record = self._recorder.lookup(key)
        if record is not None:
            return _HITS.validate_json(record)
        if self._inner is None:
            raise NotFound(f"The run has no record of a search for “{query[:200]}”, and a replay makes none.")
        hits = await self._inner.asearch(query, scope, limit=limit, min_score=min_score, filters=filters)
        self._recorder.store(key, _HITS.dump_json(hits).decode())
        return hits


def search_hash(query: str, scope: Scope, *, limit: int, min_score: float, filters: Filters) -> str:
    """Names a search by its content."""
    asked = [query, asdict(scope), limit, min_score, asdict(filters)]
    return f"search.{hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()}"
