"""How nodes look for places: in the tables of an installation, on record, so that a run can be looked at again."""

import asyncio
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from pydantic import TypeAdapter

from docmind.corpus.facilities.answer import FacilityAnswer
from docmind.corpus.facilities.facility import FacilityQuery
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.models.chat.recording import Recorder
from docmind.skills.places import FacilityContext, hear

if TYPE_CHECKING:
    from docmind.corpus.facilities import Facilities

_HEARD = TypeAdapter(FacilityContext)


class Finder(Protocol):
    """Where facilities are found."""

    async def hear(self, message: str, scope: Scope) -> FacilityContext:
        """What the message has in common with the table of the scope."""
        ...

    async def find(self, query: FacilityQuery, scope: Scope, now: datetime) -> FacilityAnswer: ...


class TableFinder:
    """Looks into the tables, which are opened when first needed."""

    def __init__(self, tables: "Callable[[], Facilities]") -> None:
        self._tables = tables

    async def hear(self, message: str, scope: Scope) -> FacilityContext:
        return await asyncio.to_thread(lambda: hear(message, self._tables().directory(scope)))

    async def find(self, query: FacilityQuery, scope: Scope, now: datetime) -> FacilityAnswer:
        return await asyncio.to_thread(lambda: self._tables().find(query, scope, now))


class RecordedFinder:
    """Any finder, on record: what a run asked before is answered as before.

    Without an `inner` one, as in a replay, what is not on record is an error and never a look into a table.
    """

    def __init__(self, inner: Finder | None, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder

    async def hear(self, message: str, scope: Scope) -> FacilityContext:
        key = _key("hear", [message, asdict(scope)])
        if (record := self._recorder.lookup(key)) is not None:
            return _HEARD.validate_json(record)
        heard = await self._present().hear(message, scope)
        self._recorder.store(key, _HEARD.dump_json(heard).decode())
        return heard

    async def find(self, query: FacilityQuery, scope: Scope, now: datetime) -> FacilityAnswer:
        key = _key("find", [asdict(query), asdict(scope), now.isoformat()])
        if (record := self._recorder.lookup(key)) is not None:
            return FacilityAnswer.model_validate_json(record)
        answer = await self._present().find(query, scope, now)
        self._recorder.store(key, answer.model_dump_json())
        return answer

    def _present(self) -> Finder:
        if self._inner is None:
            raise NotFound("The run has no record of this search for a place, and a replay makes none.")
        return self._inner


def _key(kind: str, asked: list[object]) -> str:
    return f"{kind}.{hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()}"
