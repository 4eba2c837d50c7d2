"""Workspaces as a whole: listed with what they hold, made before anything is in them, taken away with everything."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docmind.domain.errors import NotFound, StoreLocked
from docmind.domain.files import FileLock
from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.corpus.facilities import Facilities
    from docmind.corpus.ingest import Ingestor
    from docmind.corpus.originals import Originals
    from docmind.corpus.uploads import Uploads
    from docmind.corpus.workspace_index import WorkspaceIndex
    from docmind.corpus.workspaces import Register
    from docmind.memory.checkpoints import Checkpoints
    from docmind.memory.keys import Keys
    from docmind.memory.recollections import ConversationMemory
    from docmind.memory.runs import Runs
    from docmind.memory.suggestions import Suggestions
    from docmind.runtime.loop import Loop
    from docmind.settings import Settings


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace and how much is in it, whoever owns it."""

    name: str
    documents: int
    passages: int
    runs: int


class Keeping:
    """The workspaces of an engine."""

    catalogue: "Catalogue"
    facilities: "Facilities"
    index: "WorkspaceIndex"
    keys: "Keys"
    originals: "Originals"
    settings: "Settings"
    suggestions: "Suggestions"
    uploads: "Uploads"
    _checkpoints: "Checkpoints"
    _ingestor: "Ingestor"
    _loop: "Loop"
    _memory: "ConversationMemory"
    _register: "Register"
    _runs: "Runs"

    def workspaces(self) -> list[Workspace]:
        """Every workspace that was made or that holds anything, by name."""
        self._finish_deletions()
        held, runs = self.catalogue.workspaces(), self._runs.workspaces()
        names = {*self._register.names(), *held, *runs, *self.facilities.workspaces()}
        going = self._register.condemned(shared=False)
        return [Workspace(name, *held.get(name, (0, 0)), runs.get(name, 0)) for name in sorted(names.difference(going))]

    def workspace_of(self, scope: Scope) -> Workspace:
        """A workspace with as much as one scope sees of it."""
        return Workspace(scope.workspace, *self.catalogue.count(scope), self._runs.count(scope))

    def create_workspace(self, name: str) -> Workspace:
        """Make a workspace, which is listed from now on though it is empty; one that is there stays as it is."""
        name = Scope(name).workspace
        with self._deletion(name):
            self._clear_condemned(name)
        self._register.add(name)
        return self._workspace(name)

    def delete_workspace(self, name: str) -> Workspace:
        """Remove a workspace with all its documents, facilities, runs and threads, whoever owns them.

        Its keys are revoked. Returns what was there. A deletion that is interrupted is finished by the next that needs
        it finished.
        """
        condemned = name in self._register.condemned(shared=False)
        found = Workspace(name, 0, 0, self._runs.workspaces().get(name, 0)) if condemned else self._workspace(name)
        # Counting opens the index: where it cannot be reached, nothing is deleted.
        self.index.count(name)
        self.keys.revoke_in(name)
        with self._deletion(name):
            self._register.condemn(name)
            self._clear(name)
        return found

    def _workspace(self, name: str) -> Workspace:
        found = next((one for one in self.workspaces() if one.name == name), None)
        if found is None:
            raise NotFound(f"There is no workspace {name[:80]!r}.")
        return found

    def _finish_deletions(self) -> None:
        """Finish what killed processes left half deleted, before anything new comes into those workspaces."""
        for name in self._register.condemned(shared=self.settings.index.url is not None):
            # Whoever is at it finishes it. Waiting would be for a thread that may need what this one is opening.
            if (deletion := self._deletion(name)).acquire(wait=False):
                try:
                    # Whoever has an index that cannot be reached has finished this when it opened it.
                    with suppress(StoreLocked):
                        self._clear_condemned(name)
                finally:
                    deletion.release()

    def _deletion(self, name: str) -> FileLock:
        """Held while a workspace is deleted, by whichever program: what comes into it afterwards must stay."""
        return FileLock(self.settings.home / "deletions" / hashlib.sha256(name.encode()).hexdigest()[:16])

    def _clear_condemned(self, name: str) -> None:
        """Finish a deletion, unless another program did so a moment ago."""
        if name in self._register.condemned(shared=False):
            self._clear(name)

    def _clear(self, name: str) -> None:
        """Remove everything of a condemned workspace, in any state it was left in."""
        self.originals.discard_queued(self.uploads.drop(name))
        self.facilities.drop(name)
        for checkpoints in self._runs.checkpoints_in(name):
            self._loop.call(self._checkpoints.adelete_thread(checkpoints))
        self._runs.drop(name)
        self.suggestions.drop(name)
        self._memory.drop(name)
        self._ingestor.drop(name)
        self._register.strike(name)
