"""What a run recalled, kept with its record: looked at again, it remembers what it did then and nothing since."""

import hashlib
import json
from typing import Protocol
from uuid import uuid4

from pydantic import TypeAdapter

from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.memory.recollections import Recollection
from docmind.models.chat.recording import Recorder

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
