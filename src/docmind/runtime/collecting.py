"""The documents of an engine: brought in, listed, looked at, and taken away again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from docmind.domain.documents import Document, Passage
from docmind.domain.scope import Scope
from docmind.runtime.fetching import WebUnits
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.corpus.discover import Unit, Unreadable
    from docmind.corpus.facilities import Facilities
    from docmind.corpus.facilities.importing import ImportReport
    from docmind.corpus.folders import Folders
    from docmind.corpus.ingest import Ingestor
    from docmind.corpus.load import Limits
    from docmind.corpus.originals import Originals
    from docmind.corpus.report import IngestReport, Progress
    from docmind.corpus.workspace_index import WorkspaceIndex
    from docmind.runtime.loop import Loop
    from docmind.runtime.reindexing import ReindexProgress
    from docmind.settings import Settings


OCR_SHARE = 0.8
"""The share of a file's time that text recognition may take."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sent: what they call it, and where it lies for now."""

    name: str
    file: Path


class Collecting:
    """What an engine holds, each document seen by its scope alone."""

    catalogue: "Catalogue"
    facilities: "Facilities"
    index: "WorkspaceIndex"
    home: Path
    settings: "Settings"
    _loop: "Loop"

    def _finish_deletions(self) -> None:
        raise NotImplementedError

    def complete_vectors(self, workspace: str, progress: "ReindexProgress | None" = None) -> None:
        raise NotImplementedError

    def ingest(
        self,
        paths: Sequence[Path | str],
        scope: Scope,
        progress: "Progress | None" = None,
        completing: "ReindexProgress | None" = None,
    ) -> "IngestReport":
        """Bring files, folders, archives and web addresses into the scope; addresses are told by how they begin.

        Many first documents of a workspace can be searched as soon as they are read, by quick vectors; `completing` is
        told how many have those of the embedder, and when this returns all of them do.
        """
        from docmind.corpus.discover import discover
        from docmind.corpus.ingest import BATCH
        from docmind.corpus.web import is_web_address

        self._finish_deletions()
        addresses = [path for path in paths if isinstance(path, str) and is_web_address(path)]
        files = [Path(path) for path in paths if path not in addresses]
        with WebUnits(self, scope, progress) as pages:
            units = chain(discover(files, self._limits), pages.units(addresses))
            report = self._ingestor.ingest_units(units, scope, pages.note, quick_from=BATCH)
        self.complete_vectors(scope.workspace, completing)
        return report

    async def aingest(
        self,
        paths: Sequence[Path | str],
        scope: Scope,
        progress: "Progress | None" = None,
        completing: "ReindexProgress | None" = None,
    ) -> "IngestReport":
        return await anyio.to_thread.run_sync(lambda: self.ingest(paths, scope, progress, completing))

    def keep_in_step(self, folders: "Folders", scope: Scope, progress: "Progress | None" = None) -> "list[Document]":
        """Bring in what is new in the folders and take out what is gone; returns what was taken out.

        Whatever goes wrong with it as a whole is tried again the next time.
        """
        from docmind.corpus.ingest import BATCH

        self._finish_deletions()
        changed = folders.changed()
        try:
            if changed:
                units = folders.units(changed, self._limits)
                self._ingestor.ingest_units(units, scope, progress, quick_from=BATCH)
            own = [document for document in self.documents(scope) if document.scope.user == scope.user]
            gone = folders.gone(own, changed)
            self._ingestor.delete(gone)
        except BaseException:
            folders.forget(changed)
            raise
        self.complete_vectors(scope.workspace)
        return gone

    def original(self, document: Document) -> bytes:
        """The file that a document was read from."""
        return self.originals.read(document)

    def import_facilities(self, table: Upload, scope: Scope) -> "ImportReport":
        """Make a table that was sent the facilities of the scope, in place of those it had; all of it or nothing."""
        return self.facilities.import_table(table.file, scope, self._limits, name=table.name)

    def documents(self, scope: Scope) -> list[Document]:
        """The documents that the scope sees, by name."""
        return list(self.catalogue.documents(scope))

    def document(self, reference: str, scope: Scope) -> Document:
        """A document by its id, the start of its id, or its name."""
        return self.catalogue.find(scope, reference)

    def text(self, document: Document) -> str:
        """The whole text, whose characters citations count."""
        return self.catalogue.text(document.id)

    def passages(self, document: Document) -> list[Passage]:
        """The passages of a document, in the order of its text."""
        return self.catalogue.passages_of(document.id)

    def delete(self, references: Sequence[str], scope: Scope) -> list[Document]:
        """Remove documents with all their passages; an unknown reference removes nothing."""
        found = [self.document(reference, scope) for reference in references]
        self._ingestor.delete(found)
        return found

    def _units(self, files: Sequence[Upload]) -> "Iterator[Unit | Unreadable]":
        from docmind.corpus.discover import Unreadable, units_of
        from docmind.corpus.originals import UPLOAD, upload_name

        seen: set[str] = set()
        for upload in files:
            name = upload_name(upload.name)
            source = f"{UPLOAD}{name}"
            if name in seen:
                yield Unreadable(source, name, "has the name of another file of the same upload.")
            else:
                seen.add(name)
                yield from units_of(upload.file, source, name, self._limits)

    @once
    def originals(self) -> "Originals":
        """The files behind the documents."""
        from docmind.corpus.originals import Originals

        return Originals(self.home / "originals", self._limits)

    @once
    def _limits(self) -> "Limits":
        from docmind.corpus.load import Limits

        chosen = self.settings.ingest
        return Limits(
            max_bytes=chosen.max_file_mb << 20,
            max_pages=chosen.max_pages,
            ocr=chosen.ocr,
            # What is recognised by then is kept; a reader that is ended keeps nothing.
            ocr_seconds=OCR_SHARE * chosen.timeout_s,
        )

    @once
    def _ingestor(self) -> "Ingestor":
        # The libraries that read files take longer to import than a search takes; who only searches never needs them.
        from docmind.corpus.ingest import Ingestor

        chosen, parts = self.settings.ingest, (self.catalogue, self.index, self.originals)
        return Ingestor(*parts, self._limits, chosen.workers, chosen.timeout_s, chosen.ray)
