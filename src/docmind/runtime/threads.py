"""The conversations of an engine: listed, looked at, exported and forgotten, each by its owner alone."""

from typing import TYPE_CHECKING, Any

from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from docmind.memory.checkpoints import Checkpoints
    from docmind.memory.conversations import Thread
    from docmind.memory.recollections import ConversationMemory
    from docmind.memory.run import Run
    from docmind.memory.runs import Runs
    from docmind.runtime.loop import Loop
    from docmind.runtime.runner import Runner


class Conversing:
    """The threads of an engine. Another user's thread is not found."""

    _checkpoints: "Checkpoints"
    _loop: "Loop"
    _memory: "ConversationMemory"
    _runner: "Runner"
    _runs: "Runs"

    def threads(self, scope: Scope) -> "list[Thread]":
        """The conversations of the scope, the one that was last spoken in first."""
        from docmind.memory.conversations import threads_of

        return threads_of(self._runs, scope)

    def find_thread(self, thread: str, scope: Scope) -> "Thread":
        """A conversation with its turns."""
        from docmind.memory.conversations import find_thread

        return find_thread(self._runs, thread, scope)

    def export_thread(self, thread: str, scope: Scope) -> dict[str, Any]:
        """A whole conversation as plain data."""
        return self.find_thread(thread, scope).export()

    def pending(self, scope: Scope) -> "list[Run]":
        """The runs that wait for an answer of the person and have not expired, oldest first."""
        from docmind.memory.conversations import open_questions

        return [run for run in open_questions(self._runs, scope) if not self._runner.has_expired(run)]

    def delete_thread(self, thread: str, scope: Scope) -> "Thread":
        """Forget a conversation: its state, its runs and all that was recorded for them."""
        found = self.find_thread(thread, scope)
        self._loop.call(self._checkpoints.adelete_thread(found.runs[0].checkpoints))
        self._memory.forget(found.runs[0].checkpoints, scope)
        for run in found.runs:
            self._runs.delete(run)
        return found
