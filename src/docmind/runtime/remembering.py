"""The conversation memory of an engine, opened when somebody first has something to remember."""

from typing import TYPE_CHECKING

from anyio import to_thread

from docmind.domain.scope import Scope
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.index.contract import Index
    from docmind.memory.recollections import ConversationMemory, Recollection
    from docmind.models.embedding import Embedder
    from docmind.settings import Settings


class Remembering:
    """What users said in earlier sessions, each seen by its own user alone."""

    settings: "Settings"
    index: "Index"
    embedder: "Embedder"

    async def aremember(self, turn: "Recollection", scope: Scope, session: str, turn_id: str | None = None) -> None:
        await to_thread.run_sync(lambda: self._memory.remember(turn, scope, session, turn_id))

    async def arecall(self, query: str, scope: Scope, *, limit: int) -> "list[Recollection]":
        return await to_thread.run_sync(lambda: self._memory.recall(query, scope, limit))

    @once
    def _memory(self) -> "ConversationMemory":
        from docmind.corpus.notes import Notes
        from docmind.memory.recollections import COLLECTION, open_memory

        return open_memory(self.settings.database.url, self.settings.home, Notes(COLLECTION, self.index, self.embedder))
