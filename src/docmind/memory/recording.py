"""What a run found and recalled, kept with it, so that it can be looked at again as it was."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Protocol
from uuid import uuid4

from pydantic import TypeAdapter

from docmind.domain.documents import DocumentList, Metadata
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.memory.recollections import Recollection
from docmind.models.chat.recording import Recorder

_HITS = TypeAdapter(list[Hit])
_DOCUMENTS = TypeAdapter(DocumentList)
_REPORTS = TypeAdapter(list[Metadata])


class Searching(Protocol):
    """Where passages are found."""

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]: ...

    async def afetch(self, passage_ids: Sequence[str], scope: Scope) -> list[Hit]: ...

    async def adocuments(self, scope: Scope, *, limit: int) -> DocumentList: ...

    async def areports(self, scope: Scope) -> list[Metadata]: ...


class RecordedSearch:
    """Any search, on record. A run sees one state of the documents: what it asked before is answered as before.

    Without an `inner` one, as in a replay, what is not on record is an error and never a search.
    """

    def __init__(self, inner: Searching | None, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder
        self._seen: dict[str, Hit] = {}
        """What this run has found so far: reading it again is no other search."""

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        key = search_hash(query, scope, limit=limit, min_score=min_score, filters=filters or Filters())
        record = self._recorder.lookup(key)
        if record is not None:
            return self._noted(_HITS.validate_json(record))
        if self._inner is None:
            raise NotFound(f"The run has no record of a search for “{query[:200]}”, and a replay makes none.")
        hits = await self._inner.asearch(query, scope, limit=limit, min_score=min_score, filters=filters)
        self._recorder.store(key, _HITS.dump_json(hits).decode())
        return self._noted(hits)

    async def afetch(self, passage_ids: Sequence[str], scope: Scope) -> list[Hit]:
        """Passages by id: those this run has found as it found them, the others looked up once and kept on record."""
        unseen = [one for one in passage_ids if one not in self._seen]
        if unseen:
            key = _hash("fetch", [unseen, asdict(scope)])
            record = self._recorder.lookup(key)
            if record is None and self._inner is None:
                raise NotFound("The run has no record of passages that it read again, and a replay looks nothing up.")
            if record is None and self._inner is not None:
                hits = await self._inner.afetch(unseen, scope)
                self._recorder.store(key, record := _HITS.dump_json(hits).decode())
            self._noted(_HITS.validate_json(record or "[]"))
        return [self._seen[one] for one in passage_ids if one in self._seen]

    async def adocuments(self, scope: Scope, *, limit: int) -> DocumentList:
        key = _hash("documents", [asdict(scope), limit])
        record = self._recorder.lookup(key)
        if record is not None:
            return _DOCUMENTS.validate_json(record)
        if self._inner is None:
            raise NotFound("The run has no record of the documents that there were, and a replay lists none.")
        listed = await self._inner.adocuments(scope, limit=limit)
        self._recorder.store(key, _DOCUMENTS.dump_json(listed).decode())
        return listed

    async def areports(self, scope: Scope) -> list[Metadata]:
        key = _hash("reports", [asdict(scope)])
        record = self._recorder.lookup(key)
        if record is not None:
            return _REPORTS.validate_json(record)
        if self._inner is None:
            raise NotFound("The run has no record of the reports that there were, and a replay lists none.")
        listed = await self._inner.areports(scope)
        self._recorder.store(key, _REPORTS.dump_json(listed).decode())
        return listed

    def _noted(self, hits: list[Hit]) -> list[Hit]:
        self._seen.update((hit.passage.id, hit) for hit in hits)
        return hits


def search_hash(query: str, scope: Scope, *, limit: int, min_score: float, filters: Filters) -> str:
    """Names a search by its content."""
    return _hash("search", [query, asdict(scope), limit, min_score, asdict(filters)])


def _hash(kind: str, asked: list[object]) -> str:
    return f"{kind}.{hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()}"


_TURNS = TypeAdapter(list[Recollection])


class Memory(Protocol):
    """What was said in earlier sessions."""

    async def aremember(self, turn: Recollection, scope: Scope, session: str, turn_id: str | None = None) -> None: ...

    async def arecall(self, query: str, scope: Scope, *, limit: int) -> list[Recollection]: ...


class RecordedMemory:
    """Any memory, on record. Without an `inner` one, as in a replay, nothing is remembered anew."""

    def __init__(self, inner: Memory | None, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder

    async def aremember(self, turn: Recollection, scope: Scope, session: str, turn_id: str | None = None) -> None:
        """A node that is run again after a crash hands in the same turn, which goes by the same id then."""
        if self._inner is None:
            return
        key = f"remember.{hashlib.sha256(_TURNS.dump_json([turn])).hexdigest()}"
        known = turn_id or self._recorder.lookup(key)
        if known is None:
            self._recorder.store(key, known := str(uuid4()))
        await self._inner.aremember(turn, scope, session, known)

    async def arecall(self, query: str, scope: Scope, *, limit: int) -> list[Recollection]:
        asked = json.dumps([query, scope.workspace, scope.user, limit])
        key = f"recall.{hashlib.sha256(asked.encode()).hexdigest()}"
        record = self._recorder.lookup(key)
        if record is not None:
            return _TURNS.validate_json(record)
        if self._inner is None:
            raise NotFound("The run has no record of what it recalled, and a replay recalls nothing.")
        turns = await self._inner.arecall(query, scope, limit=limit)
        self._recorder.store(key, _TURNS.dump_json(turns).decode())
        return turns
