"""The documents of an engine: brought in, listed, looked at, and taken away again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from docmind.domain.documents import Document, Passage
from docmind.domain.scope import Scope
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.corpus.discover import Unit, Unreadable
    from docmind.corpus.facilities import Facilities
    from docmind.corpus.facilities.importing import ImportReport
    from docmind.corpus.index.contract import Index
    from docmind.corpus.ingest import Ingestor
    from docmind.corpus.load import Limits
    from docmind.corpus.originals import Originals
    from docmind.corpus.report import Filed, IngestReport, Progress
    from docmind.models.embedding import Embedder
    from docmind.settings import Settings


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sent: what they call it, and where it lies for now."""

    name: str
    file: Path


class Collecting:
    """What an engine holds, each document seen by its scope alone."""

    catalogue: "Catalogue"
    embedder: "Embedder"
    facilities: "Facilities"
    index: "Index"
    settings: "Settings"

    def _finish_deletions(self) -> None:
        raise NotImplementedError

    def ingest(self, paths: Sequence[Path | str], scope: Scope, progress: "Progress | None" = None) -> "IngestReport":
        """Bring files, folders and archives into the scope."""
        self._finish_deletions()
        return self._ingestor.ingest([Path(path) for path in paths], scope, progress)

    async def aingest(
        self, paths: Sequence[Path | str], scope: Scope, progress: "Progress | None" = None
    ) -> "IngestReport":
        return await anyio.to_thread.run_sync(lambda: self.ingest(paths, scope, progress))

    def upload(self, files: Sequence[Upload], scope: Scope, progress: "Progress | None" = None) -> "list[Filed]":
        """Bring files into the scope that were sent, and keep them as originals; one of the same name is replaced."""
        self._finish_deletions()
        filed: list[Filed] = []

        def note(one: "Filed", report: "IngestReport") -> None:
            filed.append(one)
            if progress:
                progress(one, report)

        self._ingestor.ingest_units(self._units(files), scope, note)
        return filed

    def original(self, document: Document) -> bytes:
        """The file that a document was read from."""
        return self.originals.read(document)

    def import_facilities(self, table: Upload, scope: Scope) -> "ImportReport":
        """Make a table that was sent the facilities of the scope, in place of those it had; all of it or nothing."""
        return self.facilities.import_table(table.file, scope, self._limits, name=table.name)

    def documents(self, scope: Scope) -> list[Document]:
        return list(self.catalogue.documents(scope))

    def document(self, reference: str, scope: Scope) -> Document:
        """A document by its id, the start of its id, or its name."""
        return self.catalogue.find(scope, reference)

    def text(self, document: Document) -> str:
        return self.catalogue.text(document.id)

    def passages(self, document: Document) -> list[Passage]:
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

        return Originals(self.settings.home / "originals", self._limits)

    @once
    def _limits(self) -> "Limits":
        from docmind.corpus.load import Limits

        chosen = self.settings.ingest
        return Limits(max_bytes=chosen.max_file_mb << 20, max_pages=chosen.max_pages)

    @once
    def _ingestor(self) -> "Ingestor":
        # The libraries that read files take longer to import than a search takes; who only searches never needs them.
        from docmind.corpus.ingest import Ingestor

        chosen, parts = self.settings.ingest, (self.catalogue, self.index, self.embedder, self.originals)
        return Ingestor(*parts, self._limits, chosen.workers, chosen.timeout_s, chosen.ray)
