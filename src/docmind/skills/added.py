"""Skills of other packages: other ways of putting a question, by which the searches of every workflow find more."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from docmind.domain.documents import DocumentList, Metadata
from docmind.domain.extensions import Extensions
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.memory.recording import Searching

MOST_QUERIES = 4
"""Other ways of putting a question that are searched for; each takes as long as the question itself."""
LONGEST = 2_000
"""Characters of one."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Skill:
    """What a package teaches every workflow."""

    about: str
    """What it does, in a sentence for people."""
    queries: Callable[[str], Sequence[str]]
    """Other ways of putting a question. What they find counts as much as what the question itself finds."""


def _misfit(_: str, value: object) -> str:
    return "" if isinstance(value, Skill) else f"is of type {type(value).__name__} and not a Skill"


ADDED: Extensions[Skill] = Extensions("skill", (), _misfit)


class WiderSearch:
    """Any search, which also looks for what the skills of other packages make of a question."""

    def __init__(self, inner: Searching, skills: Mapping[str, Skill]) -> None:
        self._inner = inner
        self._skills = skills
        self._failed: set[str] = set()
        """Skills that failed already: one line of it is enough."""

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        queries = (query, *self._others(query))
        found = await asyncio.gather(
            *(self._inner.asearch(one, scope, limit=limit, min_score=min_score, filters=filters) for one in queries)
        )
        best: dict[str, Hit] = {}
        for hit in sorted((hit for hits in found for hit in hits), key=lambda hit: -hit.relevance_score):
            best.setdefault(hit.passage.id, hit)
        return list(best.values())[:limit]

    async def afetch(self, passage_ids: Sequence[str], scope: Scope) -> list[Hit]:
        return await self._inner.afetch(passage_ids, scope)

    async def adocuments(self, scope: Scope, *, limit: int) -> DocumentList:
        return await self._inner.adocuments(scope, limit=limit)

    async def areports(self, scope: Scope) -> list[Metadata]:
        return await self._inner.areports(scope)

    def _others(self, query: str) -> list[str]:
        found: dict[str, None] = {}
        for name, skill in self._skills.items():
            try:
                found.update((one.strip(), None) for one in skill.queries(query))
            except Exception as error:  # noqa: BLE001 - other people's code, which may raise anything
                if name not in self._failed:
                    _log.warning("The skill %r failed, so searches go on without it: %r", name, error)
                self._failed.add(name)
        return [one for one in found if one and one != query and len(one) <= LONGEST][:MOST_QUERIES]
