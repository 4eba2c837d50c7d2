"""The conversation memory of an engine, opened when somebody first has something to remember."""

from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread

from docmind.domain.scope import Scope
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.notes import Notes
    from docmind.corpus.workspace_index import WorkspaceIndex
    from docmind.memory.recollections import ConversationMemory, Recollection
    from docmind.settings import Settings


class Remembering:
    """What users said in earlier sessions, each seen by its own user alone."""

    home: Path
    settings: "Settings"
    index: "WorkspaceIndex"

    async def aremember(self, turn: "Recollection", scope: Scope, session: str, turn_id: str | None = None) -> None:
        await to_thread.run_sync(lambda: self._memory.remember(turn, scope, session, turn_id))

    async def arecall(self, query: str, scope: Scope, *, limit: int) -> "list[Recollection]":
        return await to_thread.run_sync(lambda: self._memory.recall(query, scope, limit))

    def index_recollections(self) -> None:
        """Begin to make findable by meaning what is not; `close` waits until that is done."""
        _ = self._memory

    @once
    def _memory(self) -> "ConversationMemory":
        from docmind.memory.recollections import open_memory

        return open_memory(self.settings.database.url, self.home, self._notes)

    @once
    def _notes(self) -> "Notes":
        from docmind.corpus.notes import Notes
        from docmind.memory.recollections import COLLECTION

        return Notes(COLLECTION, self.index)
