"""Searches for places on record."""

import asyncio
from datetime import UTC, datetime

import pytest

from docmind.corpus.facilities import FacilityAnswer, FacilityQuery
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.models.chat.recording import MemoryRecorder
from docmind.skills.places import FacilityContext
from docmind.workflows.finder import RecordedFinder

SCOPE = Scope("w")
QUERY = FacilityQuery(kind="clinic", services=("vaccination",), place="Limerick")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HEARD = FacilityContext(QUERY, stocked=True, kinds=("clinic",), services=("vaccination",), names=("Harbour Clinic",))
FOUND = FacilityAnswer(text="1 facility fits.", geojson={"type": "FeatureCollection", "features": []})


class Once:
    """A finder that can be asked once."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def hear(self, message: str, scope: Scope) -> FacilityContext:
        self.asked.append(message)
        return HEARD

    async def find(self, query: FacilityQuery, scope: Scope, now: datetime) -> FacilityAnswer:
        self.asked.append(query.kind)
        return FOUND


def test_what_was_asked_before_is_answered_as_before_without_a_table() -> None:
    recorder, once = MemoryRecorder(), Once()
    for finder in (RecordedFinder(once, recorder), RecordedFinder(None, recorder)):
        assert asyncio.run(finder.hear("clinics", SCOPE)) == HEARD
        assert asyncio.run(finder.find(QUERY, SCOPE, NOW)) == FOUND
    assert once.asked == ["clinics", "clinic"]


def test_what_is_not_on_record_is_no_search() -> None:
    finder = RecordedFinder(None, MemoryRecorder())
    with pytest.raises(NotFound, match="a replay makes none"):
        asyncio.run(finder.hear("clinics", SCOPE))
