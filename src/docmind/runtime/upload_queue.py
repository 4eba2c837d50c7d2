"""Reads files and web pages in the background, everybody's in turn; what a process began, another one ends."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from docmind.corpus.report import Filed, Outcome
from docmind.corpus.uploads import FileState, QueuedFile, Uploads
from docmind.domain.errors import DocMindError, StoreError, UnderWay
from docmind.domain.scope import Scope
from docmind.memory.leases import RENEWED_EVERY_S, Lease, Leases

if TYPE_CHECKING:
    from docmind.corpus.discover import Unit
    from docmind.corpus.file_reading import ReadFile
    from docmind.corpus.originals import Originals
    from docmind.corpus.readers import Readers


SMALL_BYTES = 2 << 20
"""Up to this size a file is small: it is usually read within seconds."""
LONG_WAIT_S = 120.0
"""A large file that has waited so long takes its turn as if it were small, or small ones could keep it out for ever."""


def in_turn(
    files: Sequence[QueuedFile], served: Mapping[Scope, int], clock: Callable[[], float] = time.time
) -> list[QueuedFile]:
    """The files that may be begun, in the order in which they should be.

    `files` are all that are not finished, in the order they came; `served` tells when each scope had its last turn.
    First comes who has the fewest files being read, then who has waited longest for a turn.
    """
    reading = Counter(one.scope for one in files if one.state is FileState.READING)
    now = clock()

    def rank(file: QueuedFile) -> tuple[int, int, bool]:
        is_large = file.bytes > SMALL_BYTES and now - file.sent < LONG_WAIT_S
        return reading[file.scope], served.get(file.scope, 0), is_large

    return sorted(_oldest_of_each_name(files), key=rank)


def _oldest_of_each_name(files: Sequence[QueuedFile]) -> list[QueuedFile]:
    """Of files of one name the one that came first: what was sent last must also be stored last."""
    first: dict[tuple[Scope, str], QueuedFile] = {}
    for file in files:
        first.setdefault((file.scope, file.name), file)
    return list(first.values())


_log = logging.getLogger(__name__)

LOOK_AGAIN_S = 5.0
"""After so long without work the record is looked at again: another process may have put something into it."""
MOST_ATTEMPTS = 3
"""A file whose reading ended with its process so often is not begun again: it may be what ends it."""

_TOO_OFTEN = f"was given up: the service stopped {MOST_ATTEMPTS} times while it read it. Send it again by itself."
_GONE = "is not on this machine any more. Send it again."


class UploadQueue:
    """Threads that each read one file at a time.

    The last thread takes small files only, so that large files never keep all threads busy.
    """

    def __init__(
        self,
        uploads: Uploads,
        leases: Leases,
        originals: "Originals",
        open_readers: "Callable[[], Readers[Unit, ReadFile]]",
        bring_in: "Callable[[QueuedFile, Readers[Unit, ReadFile]], list[Filed]]",
        threads: int,
        *,
        shared: bool,
    ) -> None:
        """Where the record is `shared` with other machines, a file that is not here may be on one of them."""
        self._uploads = uploads
        self._leases = leases
        self._originals = originals
        self._open_readers = open_readers
        self._bring_in = bring_in
        self._shared = shared
        self._changed = threading.Condition()
        self._users = 0
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self._held: dict[str, Lease] = {}
        """The leases on the files that are being read here."""
        self._served: dict[Scope, int] = {}
        self._count = max(2, threads)

    @property
    def is_busy(self) -> bool:
        """Whether a file is being read here at this moment."""
        return bool(self._held)

    def start(self) -> None:
        """Begin, with what an earlier process left undone. Who starts it stops it again."""
        self._tidy()
        with self._changed:
            self._users += 1
            if self._users > 1:
                return
            self._stopping.clear()
            works: list[Callable[[], None]] = [
                partial(self._work, small_only=number == self._count - 1) for number in range(self._count)
            ]
            self._threads = [
                threading.Thread(target=work, name="docmind-uploads", daemon=True) for work in (*works, self._renew)
            ]
            for thread in self._threads:
                thread.start()

    def stop(self) -> None:
        """Begin nothing any more, and wait for the files that are being read, once nobody else has it started."""
        with self._changed:
            self._users -= 1
            if self._users:
                return
        self.close()

    def wake(self) -> None:
        """Something was put into the record."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """The same, whoever started it."""
        self._stopping.set()
        self.wake()
        for thread in self._threads:
            thread.join()

    def _work(self, *, small_only: bool) -> None:
        while not self._stopping.is_set():
            file = self._next(small_only=small_only)
            if file is None:
                with self._changed:
                    self._changed.wait(LOOK_AGAIN_S)
                continue
            # Starting a process that reads takes longer than reading most files: it is kept while there is work.
            with self._open_readers() as readers:
                while file is not None and self._read(file, readers):
                    file = None if self._stopping.is_set() else self._next(small_only=small_only)

    def _next(self, *, small_only: bool) -> QueuedFile | None:
        """The file whose turn it is, leased for this thread."""
        try:
            with self._changed:
                if self._stopping.is_set():
                    return None
                for file in in_turn(self._uploads.unfinished(), self._served):
                    if not (small_only and _may_take_long(file)) and self._take(file):
                        self._served[file.scope] = 1 + max(self._served.values(), default=0)
                        return file
        except StoreError as error:
            _log.warning("The record of uploads cannot be read: %s", error)
        return None

    def _take(self, file: QueuedFile) -> bool:
        is_here = file.is_web_page or self._originals.queued(file.id).exists()
        if file.id in self._held or (self._shared and not is_here):
            return False
        try:
            lease = self._leases.take(f"upload/{file.id}")
        except UnderWay:
            return False
        reason = "" if is_here else _GONE
        if file.attempts >= MOST_ATTEMPTS:
            reason = _TOO_OFTEN
        if not self._uploads.begin(file) or reason:
            if reason:
                self._end(file, [Filed(file.name, Outcome.REJECTED, reason=reason)])
            self._leases.release(lease)
            return False
        self._held[file.id] = lease
        return True

    def _read(self, file: QueuedFile, readers: "Readers[Unit, ReadFile]") -> bool:
        """Bring a file in and record what became of it; False where the readers are of no more use."""
        try:
            self._end(file, self._bring_in(file, readers))
        except Exception as error:  # noqa: BLE001 - the edge of the thread: the next file has nothing to do with this one
            self._failed(file, error)
            return False
        finally:
            self._leases.release(self._held.pop(file.id))
        return True

    def _end(self, file: QueuedFile, outcomes: list[Filed]) -> None:
        self._uploads.end(file.id, outcomes)
        self._originals.queued(file.id).unlink(missing_ok=True)

    def _failed(self, file: QueuedFile, error: Exception) -> None:
        """A store that is away comes back; whatever else it is, the file is not tried for ever."""
        try:
            if isinstance(error, DocMindError) and error.retryable:
                _log.warning("An upload waits: %s", error)
                self._uploads.put_back(file.id)
                self._stopping.wait(LOOK_AGAIN_S)
                return
            _log.error("An upload could not be stored.", exc_info=error)
            why = str(error) if isinstance(error, DocMindError) else "the service's log says why."
            self._end(file, [Filed(file.name, Outcome.REJECTED, reason=f"could not be stored: {why}")])
        except Exception:  # noqa: BLE001 - the edge of the thread: the others go on
            # It is on record as being read, and is taken up again when the record can be written.
            _log.exception("What became of an upload could not be recorded.")

    def _tidy(self) -> None:
        """Remove files that lie here and wait no more: they were cancelled on another machine, which cannot reach
        them, or left by a process that was killed."""
        if here := self._originals.all_queued():
            self._originals.discard_queued(self._uploads.ended(here))
            self._originals.sweep_queued({one.id for one in self._uploads.unfinished()})

    def _renew(self) -> None:
        while not self._stopping.wait(RENEWED_EVERY_S):
            try:
                self._tidy()
            except StoreError as error:
                _log.warning("The record of uploads cannot be read: %s", error)
            for lease in list(self._held.values()):
                try:
                    self._leases.renew(lease)
                except StoreError as error:
                    _log.warning("The lease on an upload could not be renewed: %s", error)


def _may_take_long(file: QueuedFile) -> bool:
    """A page comes as fast as its server sends it."""
    return file.is_web_page or file.bytes > SMALL_BYTES
