"""Embeds what is stored again, while searches go on with the vectors there are."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from docmind.corpus.catalogue import Catalogue
from docmind.corpus.filling import Written, fill
from docmind.corpus.vector_records import VectorState
from docmind.corpus.workspace_index import Place, WorkspaceIndex
from docmind.domain.errors import NotFound

Fill = Callable[[Place, Written], int]
"""Writes to a place whatever belongs there and it lacks; returns how much that was."""
FEW = 100
"""So many passages are embedded within a second."""


class Reindexer:
    """Embeds what is stored again, by another embedder or other weights, while searches use the vectors there are.

    The new vectors are written beside the old ones. Once they are whole, one transaction has the workspace searched by
    them, and the old ones are removed. Only whole vectors are ever searched, wherever a process is killed: what is
    building is gone on with by the next reindex, and what was replaced is removed by the next reindex or ingest.
    """

    def __init__(self, catalogue: Catalogue, index: WorkspaceIndex, storing: AbstractContextManager[object]) -> None:
        """While `storing` is held no document of this process comes or goes."""
        self._catalogue = catalogue
        self._index = index
        self._storing = storing

    def documents(self, workspace: str, written: Written) -> bool:
        """Have a workspace's documents searched by vectors of the chosen embedder; False where they are already."""
        return self._replace(workspace, lambda place, told: fill(self._catalogue, workspace, place, told), written)

    def collection(self, name: str, fill: Fill) -> bool:
        """The same for a collection beside the documents."""
        return self._replace(name, fill, _untold)

    def _replace(self, name: str, fill: Fill, written: Written) -> bool:
        self.finish(name, fill)
        place = self._index.begin(name)
        if place is None:
            return False
        new = fill(place, written)
        # What comes in meanwhile is written too, until so little is missing that whoever stores documents can wait.
        while new > FEW:
            new = fill(place, lambda _: written(0))
        place.index.optimize(name)
        with self._storing:
            try:
                while not self._switched(name, place, fill):
                    pass
            except NotFound:
                place.index.drop(name)
                raise
        self.finish(name, fill)
        return True

    def _switched(self, name: str, place: Place, fill: Fill) -> bool:
        before, seen = self._index.current(name), self._index.records.fingerprint(name)
        # What came in meanwhile.
        fill(place, _untold)
        return self._index.records.switch(name, before, seen)

    def finish(self, name: str, fill: Fill) -> None:
        """Remove vectors that were replaced, by this process or by one that was killed before it did."""
        if VectorState.REPLACED in self._index.records.of(name):
            # Another process may have written to the old ones in the last moment.
            fill(self._index.place(name), _untold)
            self._index.finish(name)


def _untold(_written: int) -> None:
    """For what nobody follows."""
