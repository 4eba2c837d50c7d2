"""What an engine does with files that are sent: reads them at once or in the background, within the room there is."""

import os
import shutil
import threading
import time
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING
from uuid import uuid4

from docmind.domain.cores import usable_cores
from docmind.domain.errors import FileRejected, QuotaExceeded
from docmind.domain.files import private_file
from docmind.domain.scope import Scope
from docmind.runtime.documents import Collecting, Upload, WebUnits
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.discover import Unit
    from docmind.corpus.file_reading import ReadFile
    from docmind.corpus.readers import Readers
    from docmind.corpus.report import Filed, IngestReport, Progress
    from docmind.corpus.uploads import QueuedFile, Uploads
    from docmind.memory.leases import Leases
    from docmind.runtime.upload_queue import UploadQueue


@dataclass(frozen=True, slots=True)
class Size:
    """So many documents, and the bytes of their files."""

    files: int = 0
    bytes: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(self.files + other.files, self.bytes + other.bytes)

    @classmethod
    def of(cls, file: Path, name: str) -> "Size":
        """What a file comes to once it is read: of an archive all that is in it."""
        if PurePath(name).suffix.lower() == ".zip":
            try:
                with zipfile.ZipFile(file) as archive:
                    members = [one for one in archive.infolist() if not one.is_dir()]
            except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
                # What is wrong with it is told when it is read, and nothing of it is kept.
                return cls()
            return cls(len(members), sum(one.file_size for one in members))
        try:
            return cls(1, file.stat().st_size)
        except FileNotFoundError:
            return cls(1)


@dataclass(frozen=True, slots=True)
class Quota:
    """The most that a workspace may hold; None where there is no limit."""

    files: int | None = None
    megabytes: int | None = None

    @property
    def is_set(self) -> bool:
        return self.files is not None or self.megabytes is not None

    def require_room(self, workspace: str, held: Size, new: Iterable[Size]) -> None:
        """Refuse what would be more than the workspace may hold; nothing of it is taken in then."""
        added = sum(new, Size())
        after = held + added
        if self.files is not None and added.files and after.files > self.files:
            raise QuotaExceeded(
                f"Workspace {workspace!r} may hold {self.files:,} documents. It has {held.files:,}, and this upload "
                f"has {added.files:,} more. Delete documents that are not needed, or ask whoever runs this service."
            )
        if self.megabytes is not None and added.bytes and after.bytes > self.megabytes << 20:
            raise QuotaExceeded(
                f"Workspace {workspace!r} may keep {self.megabytes:,} MB of files. It keeps {_mb(held.bytes)}, and "
                f"this upload has {_mb(added.bytes)} more. Delete documents that are not needed, or ask whoever runs "
                "this service."
            )


def _mb(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MB"


MANY_BYTES = 1 << 20
"""Where files of a workspace wait that have more bytes than this, embedding them would keep them waiting."""
_SAME_NAME = "has the name of another file of the same upload."


class Uploading(Collecting):
    """The uploads of an engine."""

    _leases: "Leases"
    _counting = threading.Lock()
    """Two that counted what is there at the same time would both find the last place free."""

    def upload(self, files: Sequence[Upload], scope: Scope, progress: "Progress | None" = None) -> "list[Filed]":
        """Bring files into the scope that were sent, and keep them as originals; one of the same name is replaced."""
        self._finish_deletions()
        self._require_room(_sizes(files), scope)
        return self._bring_in(files, scope, progress)

    def add_web_page(self, address: str, scope: Scope) -> "list[Filed]":
        """Fetch an address and bring in what is there; it is one document, however often that is done."""
        self._finish_deletions()
        return self._bring_in_page(address, scope)

    def queue(self, files: Sequence[Upload], scope: Scope) -> "list[QueuedFile]":
        """Take files in and record them, to be read in the background; they are safe when this returns."""
        from docmind.corpus.originals import upload_name
        from docmind.corpus.report import Filed, Outcome
        from docmind.corpus.uploads import FileState, QueuedFile

        self._finish_deletions()
        upload, rows, names = uuid4().hex, list[QueuedFile](), set[str]()
        with self._counting:
            self._require_room(_sizes(files), scope)
            for position, file in enumerate(files):
                name = upload_name(file.name)
                row = QueuedFile(uuid4().hex, upload, position, scope, name, file.file.stat().st_size)
                if name in names:
                    told = (Filed(name, Outcome.REJECTED, reason=_SAME_NAME),)
                    row = replace(row, state=FileState.REJECTED, ended=time.time(), outcomes=told)
                else:
                    _keep(file.file, self.originals.queued(row.id))
                names.add(name)
                rows.append(row)
            self.uploads.add(rows)
        self.upload_queue.wake()
        return self.uploads.upload(upload, scope)

    def queue_web_page(self, address: str, scope: Scope) -> "list[QueuedFile]":
        """Record an address, to be fetched and read in the background."""
        from docmind.corpus.report import Filed, Outcome
        from docmind.corpus.uploads import FileState, QueuedFile
        from docmind.corpus.web import page_name, web_address

        self._finish_deletions()
        row = QueuedFile(uuid4().hex, uuid4().hex, 0, scope, page_name(address), 0)
        with self._counting:
            try:
                row = replace(row, name=web_address(address))
                self._require_room({row.name: Size(1)}, scope)
            except FileRejected as rejected:
                told = (Filed(row.name, Outcome.REJECTED, reason=str(rejected)),)
                row = replace(row, state=FileState.REJECTED, ended=time.time(), outcomes=told)
            self.uploads.add([row])
        self.upload_queue.wake()
        return self.uploads.upload(row.upload, scope)

    def add_examples(self, progress: "Progress | None" = None) -> "list[Filed]":
        """Bring the examples into their workspace, those of them that are not there; returns what became of each."""
        with self._examples() as (missing, scope):
            return self.upload(missing, scope, progress) if missing else []

    def queue_examples(self) -> "list[QueuedFile]":
        """The same in the background."""
        with self._examples() as (missing, scope):
            return self.queue(missing, scope) if missing else []

    @contextmanager
    def _examples(self) -> Iterator[tuple[list[Upload], Scope]]:
        """Copies of the examples that are neither there nor on their way, and where they go."""
        from docmind.corpus.uploads import OPEN
        from docmind.runtime.examples import WORKSPACE, example_files

        scope = Scope(WORKSPACE)
        there = {one.name for one in self.documents(scope)}
        there |= {one.name for one in self.uploads.listed(scope) if one.state in OPEN}
        with ExitStack() as held:
            missing = []
            for file in example_files():
                if file.name not in there:
                    place = held.enter_context(self.originals.incoming())
                    shutil.copyfile(file, place)
                    missing.append(Upload(file.name, place))
            yield missing, scope

    def queued(self, scope: Scope) -> "list[QueuedFile]":
        """The files that were sent to exactly this scope, in the order they came, with what became of them."""
        return self.uploads.listed(scope)

    def ahead(self, files: "Sequence[QueuedFile]") -> dict[str, int]:
        """By the id of each file of a scope that waits, how many others of it are before it."""
        from docmind.corpus.uploads import OPEN, FileState
        from docmind.runtime.upload_queue import SMALL_BYTES

        waiting = [one for one in files if one.state in OPEN]
        ordered = sorted(waiting, key=lambda one: (one.state is FileState.QUEUED, one.bytes > SMALL_BYTES))
        return {one.id: place for place, one in enumerate(ordered) if one.state is FileState.QUEUED}

    def cancel_upload(self, reference: str, scope: Scope) -> "list[QueuedFile]":
        """Do not read what has not begun of an upload, or of one file of it; what has ended already is taken off the
        list. Returns what there was, as it stands now."""
        from docmind.corpus.uploads import OPEN

        files = self.uploads.upload(reference, scope)
        ids = [one.id for one in files]
        if not any(one.state in OPEN for one in files):
            self.uploads.forget(ids)
            return files
        self.uploads.cancel(ids)
        after = self.uploads.upload(reference, scope)
        self.originals.discard_queued(one.id for one in after if one.state not in OPEN)
        return after

    def _bring_in(
        self,
        files: Sequence[Upload],
        scope: Scope,
        progress: "Progress | None" = None,
        readers: "Readers[Unit, ReadFile] | None" = None,
        *,
        quick_from: int | None = None,
    ) -> "list[Filed]":
        filed: list[Filed] = []

        def note(one: "Filed", report: "IngestReport") -> None:
            filed.append(one)
            if progress:
                progress(one, report)

        self._ingestor.ingest_units(self._units(files), scope, note, readers, quick_from=quick_from)
        return filed

    def _bring_in_page(
        self, address: str, scope: Scope, readers: "Readers[Unit, ReadFile] | None" = None
    ) -> "list[Filed]":
        filed: list[Filed] = []

        def require_room(source: str, fetched: Path) -> None:
            self._require_room({source: Size.of(fetched, source)}, scope)

        with WebUnits(self, scope, lambda one, _: filed.append(one), require_room) as pages:
            self._ingestor.ingest_units(pages.units([address]), scope, pages.note, readers)
        return filed

    def _bring_in_queued(self, file: "QueuedFile", readers: "Readers[Unit, ReadFile]") -> "list[Filed]":
        self._finish_deletions()
        if file.is_web_page:
            return self._bring_in_page(file.name, file.scope, readers)
        # What was sent stays where it is until it is on record what became of it: the process may be killed before.
        with self.originals.second(self.originals.queued(file.id)) as place:
            quick_from = self._quick_from(file.scope.workspace)
            return self._bring_in([Upload(file.name, place)], file.scope, readers=readers, quick_from=quick_from)

    def _quick_from(self, workspace: str) -> int:
        """From how many passages on the first file of a workspace is searched by quick vectors; all are completed by
        `continue_reindex`."""
        from docmind.corpus.ingest import BATCH

        waiting = sum(one.bytes for one in self.uploads.unfinished() if one.scope.workspace == workspace)
        return 1 if waiting > MANY_BYTES else BATCH

    def _require_room(self, new: Mapping[str, Size], scope: Scope) -> None:
        """Refuse what would be more than the workspace may hold; `new` is what comes in, by its source."""
        if self._quota.is_set:
            self._quota.require_room(scope.workspace, self._held(scope, new), new.values())

    def _held(self, scope: Scope, replaced: Collection[str]) -> Size:
        """What a workspace holds and is going to, without the sources that are replaced."""

        def stays(owner: Scope, source: str) -> bool:
            return owner != scope or source not in replaced

        ready = self.catalogue.all_ready_in(scope.workspace)
        staying = [one.id for one in ready if stays(one.scope, one.source.partition("!")[0])]
        waiting = (one for one in self.uploads.unfinished() if one.scope.workspace == scope.workspace)
        coming = (
            Size.of(self.originals.queued(one.id), one.name)
            for one in waiting
            if stays(one.scope, one.name if one.is_web_page else _source(one.name))
        )
        return sum(coming, Size(len(staying), self.originals.size(staying)))

    @once
    def uploads(self) -> "Uploads":
        """The record of what was sent."""
        from docmind.corpus.uploads import open_uploads

        return open_uploads(self.settings.database.url, self.home)

    @once
    def upload_queue(self) -> "UploadQueue":
        """What reads it in the background, once it is started."""
        from docmind.runtime.upload_queue import UploadQueue

        return UploadQueue(
            self.uploads,
            self._leases,
            self.originals,
            lambda: self._ingestor.readers(1),
            self._bring_in_queued,
            self.settings.ingest.workers or usable_cores(),
            shared=self.settings.database.url is not None,
        )

    @once
    def _quota(self) -> Quota:
        chosen = self.settings.server
        return Quota(chosen.workspace_files, chosen.workspace_mb)


def _sizes(files: Sequence[Upload]) -> dict[str, Size]:
    """What files come to, by the source of each."""
    return {_source(one.name): Size.of(one.file, one.name) for one in files}


def _source(name: str) -> str:
    from docmind.corpus.originals import UPLOAD, upload_name

    return f"{UPLOAD}{upload_name(name)}"


def _keep(file: Path, target: Path) -> None:
    """Move a file to where it waits; it is on the disk, and not only on its way there, when this returns."""
    with file.open("rb") as written:
        os.fsync(written.fileno())
    file.replace(private_file(target))
