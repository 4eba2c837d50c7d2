"""The conversations of an engine and its memory of them, each for its owner alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from docmind.domain.scope import Scope
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.notes import Notes
    from docmind.corpus.workspace_index import WorkspaceIndex
    from docmind.memory.checkpoints import Checkpoints
    from docmind.memory.conversations import Conversation, Labels, Thread
    from docmind.memory.recollections import ConversationMemory, Recollection
    from docmind.memory.run import Run
    from docmind.memory.runs import Runs
    from docmind.runtime.loop import Loop
    from docmind.runtime.runner import Runner
    from docmind.settings import Settings


class Conversing:
    """The conversations of an engine. Another user's is not found."""

    _checkpoints: "Checkpoints"
    _labels: "Labels"
    _loop: "Loop"
    _memory: "ConversationMemory"
    _runner: "Runner"
    _runs: "Runs"

    def conversations(self, scope: Scope, *, search: str = "") -> "list[Conversation]":
        """Threads and questions that were asked by themselves, the pinned ones first, then the latest.

        With `search`, those whose title and questions hold all its words.
        """
        from docmind.memory.conversations import conversations_of

        return conversations_of(self._runs, self._labels, scope, search)

    def threads(self, scope: Scope, *, search: str = "") -> "list[Thread]":
        """The same with all they hold, without questions that were asked by themselves."""
        from docmind.memory.conversations import threads_of

        return threads_of(self._runs, self._labels, scope, search)

    def find_thread(self, thread: str, scope: Scope) -> "Thread":
        """A conversation with its turns."""
        from docmind.memory.conversations import find_thread

        return find_thread(self._runs, self._labels, thread, scope)

    def label_thread(
        self, thread: str, scope: Scope, *, title: str | None = None, pinned: bool | None = None
    ) -> "Thread":
        """Rename a thread, pin it or take its pin away; an empty title brings the first question back."""
        found = self.find_thread(thread, scope)
        self._label(found.checkpoints, scope, title, pinned)
        return self.find_thread(thread, scope)

    def label_run(
        self, run: str, scope: Scope, *, title: str | None = None, pinned: bool | None = None
    ) -> "Conversation":
        """The same for a question that was asked by itself; one of a thread belongs to its thread's title."""
        from docmind.domain.errors import InvalidQuery
        from docmind.memory.conversations import conversation_of_run

        found = self._runs.find(run, scope)
        if found.thread is not None:
            raise InvalidQuery(f"This run belongs to the thread {found.thread!r}; rename or pin that.")
        self._label(found.checkpoints, scope, title, pinned)
        return conversation_of_run(found, self._labels)

    def _label(self, conversation: str, scope: Scope, title: str | None, pinned: bool | None) -> None:
        from docmind.memory.conversations import Label, title_of

        there = self._labels.find(conversation, scope)
        chosen = Label(there.title if title is None else title_of(title), there.pinned if pinned is None else pinned)
        self._labels.put(conversation, scope, chosen)

    def export_thread(self, thread: str, scope: Scope) -> dict[str, Any]:
        """A whole conversation as plain data."""
        return self.find_thread(thread, scope).export()

    def share_thread(self, thread: str, scope: Scope) -> str:
        """A whole conversation as a page of HTML that stands by itself."""
        from docmind.runtime.sharing import shared_page

        found = self.find_thread(thread, scope)
        return shared_page(found.title, found.runs, scope.workspace)

    def export_run(self, run: str, scope: Scope) -> dict[str, Any]:
        """A single question as plain data, with its answer and sources."""
        from docmind.memory.conversations import exported_run

        return exported_run(self._runs.find(run, scope))

    def share_run(self, run: str, scope: Scope) -> str:
        """A single question as a page of HTML that stands by itself."""
        from docmind.memory.conversations import conversation_of_run
        from docmind.runtime.sharing import shared_page

        found = self._runs.find(run, scope)
        return shared_page(conversation_of_run(found, self._labels).title, [found], scope.workspace)

    def pending(self, scope: Scope) -> "list[Run]":
        """The runs that wait for an answer of the person and have not expired, oldest first."""
        from docmind.memory.conversations import open_questions

        return [run for run in open_questions(self._runs, scope) if not self._runner.has_expired(run)]

    def delete_thread(self, thread: str, scope: Scope) -> "Thread":
        """Forget a conversation: its state, its runs and all that was recorded for them."""
        found = self.find_thread(thread, scope)
        self._loop.call(self._checkpoints.adelete_thread(found.checkpoints))
        self._memory.forget(found.checkpoints, scope)
        for run in found.runs:
            self._runs.delete(run)
        return found


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
