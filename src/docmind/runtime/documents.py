"""The documents of an engine: brought in from files and web addresses, listed, shown page by page, and taken away."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self

import anyio.to_thread

from docmind.corpus.report import Filed, IngestReport, Outcome, Progress
from docmind.domain.documents import Document, Passage, Span
from docmind.domain.errors import FileRejected, NotFound, QuotaExceeded
from docmind.domain.scope import Scope
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.corpus.discover import Folders, Unit, Unreadable
    from docmind.corpus.facilities import Facilities
    from docmind.corpus.facilities.table_import import ImportReport
    from docmind.corpus.ingest import Ingestor
    from docmind.corpus.load import Limits
    from docmind.corpus.originals import Originals
    from docmind.corpus.tables import Version
    from docmind.corpus.viewing.alignment import Box
    from docmind.corpus.viewing.layout import Part
    from docmind.corpus.viewing.viewer import Matches, Viewer
    from docmind.corpus.workspace_index import WorkspaceIndex
    from docmind.runtime.loop import Loop
    from docmind.runtime.reindex import ReindexProgress
    from docmind.settings import Settings


class WebUnits:
    """The pages of one ingest. What was fetched lies in files that are gone at the end, unless they were kept."""

    def __init__(
        self,
        engine: "Collecting",
        scope: Scope,
        progress: Progress | None,
        require_room: Callable[[str, Path], None] | None = None,
    ) -> None:
        """`require_room` refuses what was fetched from an address where the workspace has no room for it."""
        self._engine = engine
        self._scope = scope
        self._progress = progress
        self._require_room = require_room
        self._held = ExitStack()
        self._versions: dict[str, Version] = {}
        """By the name of a page that was fetched."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def note(self, filed: Filed, report: IngestReport) -> None:
        """Keep what the server said of a page once the page is in; then tell whoever wants to know."""
        version = self._versions.get(filed.name)
        if version is not None and filed.document is not None and filed.outcome is not Outcome.REJECTED:
            self._engine.catalogue.note_version(filed.document, version)
        if self._progress:
            self._progress(filed, report)

    def units(self, addresses: Sequence[str]) -> "Iterator[Unit | Unreadable]":
        from docmind.corpus.discover import Unreadable
        from docmind.corpus.web import page_name

        for address in dict.fromkeys(addresses):
            try:
                yield from self._page(address)
            except FileRejected as rejected:
                yield Unreadable(address, page_name(address), str(rejected))
            except QuotaExceeded as full:
                yield Unreadable(address, page_name(address), f"was not added. {full}")

    def _page(self, given: str) -> "Iterator[Unit | Unreadable]":
        from docmind.corpus.discover import Unit, units_of
        from docmind.corpus.web import fetch, page_name, web_address

        address = web_address(given)
        name = page_name(address)
        content_hash, known = self._known(address)
        target = self._held.enter_context(self._engine.originals.incoming())
        chosen, limits = self._engine.settings.ingest, self._engine._limits
        page = self._engine._loop.call(
            fetch(
                address,
                target,
                known=known,
                most_bytes=limits.max_bytes,
                timeout_s=chosen.web_timeout_s,
                private=chosen.private_addresses,
            )
        )
        if page is None:
            yield Unit(address, name, content_hash, b"")
            return
        if self._require_room:
            self._require_room(address, target)
        self._versions[name] = page.version
        for unit in units_of(target, address, name, limits):
            yield replace(unit, media_type=page.media_type) if isinstance(unit, Unit) else unit

    def _known(self, address: str) -> "tuple[str, Version | None]":
        """The content that is in the store already and the version the server called it; neither if it is read anew."""
        found = self._engine.catalogue.version(self._scope, address)
        if found is not None and self._engine._ingestor.is_current(self._scope, address, found[0]):
            return found
        return "", None


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


PDF = "application/pdf"


class Viewing:
    """What an engine shows of a document, to whoever was given it by its scope."""

    catalogue: "Catalogue"
    _limits: "Limits"

    def original(self, document: Document) -> bytes:
        raise NotImplementedError

    def text(self, document: Document) -> str:
        raise NotImplementedError

    def prepare_viewing(self) -> None:
        """Make ready what draws pages, so that the first one does not wait for it."""
        self._viewer.prepare()

    def page_sizes(self, document: Document) -> list[tuple[float, float]]:
        """Width and height of each page of a PDF, in points."""
        return self._viewer.sizes(_paged(document), lambda: self.original(document))

    def page_picture(self, document: Document, number: int, width: int) -> bytes:
        """A page of a PDF as PNG, about so many dots wide."""
        return self._viewer.picture(_paged(document), number, width, lambda: self.original(document))

    def boxes(self, document: Document, span: Span) -> "list[Box]":
        """Where characters of a PDF stand on its pages; none where that cannot be told."""
        places = self.catalogue.passage_places(_paged(document).id)
        return self._viewer.boxes(document, self.text(document), places, span, lambda: self.original(document))

    def layout(self, document: Document, span: Span) -> "tuple[list[Part], str]":
        """The headings, paragraphs and tables that a stretch stands in, and a sentence where they could not be had."""
        shown, note = self._viewer.shown(document, self.text(document), lambda: self.original(document))
        return shown.between(span), note

    def find_words(self, document: Document, words: str) -> "Matches":
        """Where words stand in a document's text, whatever their case."""
        return self._viewer.matches(self.text(document), self.catalogue.passage_places(document.id), words)

    @once
    def _viewer(self) -> "Viewer":
        from docmind.corpus.viewing.viewer import Viewer

        return Viewer(self._limits)


def _paged(document: Document) -> Document:
    if document.media_type != PDF:
        raise NotFound(f"{document.file_name!r} is not a PDF, so it has no pages to show; its layout is at /layout.")
    return document
