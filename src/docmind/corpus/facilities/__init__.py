"""The facility finder: a table of facilities comes in, and the nearest that fit a question come out."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from docmind.corpus.facilities.answer import FacilityAnswer, tell
from docmind.corpus.facilities.directory import Directory, open_facilities
from docmind.corpus.facilities.facility import Day, Facility, FacilityQuery, Opening
from docmind.corpus.facilities.finder import find
from docmind.corpus.facilities.geography import Gazetteer
from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from docmind.corpus.facilities.table_import import ImportReport
    from docmind.corpus.load.limits import Limits

__all__ = ["Day", "Facilities", "Facility", "FacilityAnswer", "FacilityQuery", "Opening"]


class Facilities:
    """The facilities of an installation, in the database at `url` or in the folder `root`."""

    def __init__(self, url: str | None, root: Path, gazetteer: Gazetteer | None = None) -> None:
        self._store = open_facilities(url, root)
        self._gazetteer = gazetteer or Gazetteer()

    def close(self) -> None:
        self._store.close()

    def import_table(self, path: Path, scope: Scope, limits: "Limits", *, name: str | None = None) -> "ImportReport":
        """Make the table at `path` the facilities of the scope, in place of those it had; all of it or nothing.

        Its `name` says what kind of table it is, where the path does not.
        """
        # The libraries that read tables take longer to import than a search takes.
        from docmind.corpus.facilities.table_import import import_table

        return import_table(path, name or path.name, scope, self._store, self._gazetteer, limits)

    def workspaces(self) -> set[str]:
        """The workspaces that have a table."""
        return self._store.workspaces()

    def drop(self, workspace: str) -> None:
        """Forget the facilities of a whole workspace, whoever owns them."""
        self._store.drop(workspace)

    def directory(self, scope: Scope) -> Directory:
        """What the scope can find, and the words its table uses."""
        return self._store.directory(scope)

    def find(self, query: FacilityQuery, scope: Scope, now: datetime) -> FacilityAnswer:
        """The facilities that fit, nearest first, at the moment `now`, which knows its time zone."""
        return tell(find(query, self.directory(scope), self._gazetteer, now))
