"""Processes that read files, so that a hostile one can hang, crash or swallow memory without harming the ingest."""

import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO, Any, Generic, Protocol, Self, TypeVar

from pydantic import TypeAdapter

from docmind.corpus.confinement import MEMORY_LIMIT, confine
from docmind.domain.cores import usable_cores
from docmind.domain.errors import FileRejected

Job = TypeVar("Job")
Result = TypeVar("Result")
Outcome_co = TypeVar("Outcome_co", covariant=True)

WAITING = 6
"""How many times longer than its processor time a file may take by the clock: other programs may keep the cores busy,
and a reader that waits for a disk or hangs asleep uses no processor at all."""
GRACE_S = 10.0
"""A reader whose parent was killed ends by itself this long after the parent would have stopped it."""

_HEAD = struct.Struct("<cQ")
"""Before each outcome: what it is, and how many bytes long."""
_RESULT, _REJECTION = b"+", b"-"
_LONGEST_OUTCOME = 1 << 30
_LONGEST_SENTENCE = 1000
_PIECE = 1 << 16

CRASHED = FileRejected("crashed its reader; the file is damaged or made to do harm.")


def could_not(error: Exception) -> FileRejected:
    """What is said of a file that failed in a way nobody foresaw."""
    return FileRejected(f"could not be read ({type(error).__name__}: {error}).")


class Readers(Protocol[Job, Outcome_co]):
    """Does what was agreed on with many jobs at once. One that crashes, hangs or swallows memory costs itself alone."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def map(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Outcome_co | FileRejected]]:
        """Results as they finish, one for each job. Jobs are drawn only as there is room for them, so that memory does
        not grow with their number."""
        ...


class _Reader:
    """One process that was told its work and waits for jobs.

    It is told them pickled. What it answers is JSON and never unpickled: a file may have taken it over.
    """

    def __init__(self, work: Callable[..., object], result: type, timeout_s: float) -> None:
        # What a library thinks of a file is not for the person at the terminal, so no warnings.
        command = [sys.executable, "-W", "ignore", "-m", "docmind.corpus.readers"]
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("a process without pipes")
        self._jobs: IO[bytes] = self._process.stdin
        self._outcomes: IO[bytes] = self._process.stdout
        self._result: TypeAdapter[object] = TypeAdapter(result)
        self.send((work, result, timeout_s, timeout_s * WAITING + GRACE_S))

    def fileno(self) -> int:
        return self._outcomes.fileno()

    def send(self, message: object) -> None:
        # A reader that died while idle is noticed when its outcome is read.
        with suppress(BrokenPipeError):
            pickle.dump(message, self._jobs)
            self._jobs.flush()

    def receive(self, deadline: float) -> object:
        """What became of the job; `EOFError` or `ValueError` where it says nothing sensible, or not in time."""
        kind, length = _HEAD.unpack(self._read(_HEAD.size, deadline))
        if kind not in (_RESULT, _REJECTION) or length > _LONGEST_OUTCOME:
            raise ValueError("not an outcome")
        said = self._read(length, deadline)
        if kind == _REJECTION:
            return FileRejected(said.decode(errors="replace")[:_LONGEST_SENTENCE])
        return self._result.validate_json(said)

    def _read(self, length: int, deadline: float) -> bytes:
        """So many bytes, which come in pieces."""
        pieces = []
        while length > 0:
            ready, _, _ = select.select([self], [], [], max(0.0, deadline - time.monotonic()))
            piece = os.read(self.fileno(), min(length, _PIECE)) if ready else b""
            if not piece:
                raise EOFError
            pieces.append(piece)
            length -= len(piece)
        return b"".join(pieces)

    def stop(self) -> int:
        """End it now; returns how it ended, if it had before."""
        self._process.kill()
        for pipe in (self._jobs, self._outcomes):
            with suppress(BrokenPipeError):
                pipe.close()
        return self._process.wait()


class ProcessReaders(Generic[Job, Result]):
    """Applies `work`, which gives a `result`, to jobs in up to `count` processes of this machine.

    A job whose process dies or takes more than `timeout_s` of processor time yields `FileRejected`; the process is
    replaced, the rest goes on.
    """

    def __init__(
        self, work: Callable[[Job], Result], result: type[Result], count: int | None = None, timeout_s: float = 300
    ) -> None:
        self._work = work
        self._result = result
        self._count = count or usable_cores()
        self._timeout_s = timeout_s
        self._idle: list[_Reader] = []
        self._busy: dict[_Reader, tuple[Job, float]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for reader in [*self._idle, *self._busy]:
            reader.stop()
        self._idle.clear()
        self._busy.clear()

    def map(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Result | FileRejected]]:
        queue = iter(jobs)
        waiting = True
        while waiting or self._busy:
            while waiting and len(self._busy) < self._count:
                try:
                    job = next(queue)
                except StopIteration:
                    waiting = False
                    break
                reader = self._idle.pop() if self._idle else _Reader(self._work, self._result, self._timeout_s)
                self._busy[reader] = (job, time.monotonic() + self._timeout_s * WAITING)
                reader.send(job)
            if self._busy:
                yield from self._collect()

    def _collect(self) -> Iterator[tuple[Job, Result | FileRejected]]:
        """Wait until a reader is done or out of time; say what became of each such job."""
        nearest = min(deadline for _, deadline in self._busy.values())
        ready, _, _ = select.select(list(self._busy), [], [], max(0.0, nearest - time.monotonic()))
        for reader, (job, deadline) in list(self._busy.items()):
            outcome: object
            if reader in ready:
                try:
                    outcome = reader.receive(deadline)
                except (EOFError, OSError, ValueError):
                    outcome = self._ended(-reader.stop())
                else:
                    self._idle.append(reader)
            elif time.monotonic() >= deadline:
                reader.stop()
                outcome = self._ended(signal.SIGALRM)
            else:
                continue
            del self._busy[reader]
            yield job, outcome  # type: ignore[misc]  # whatever `work` returns is a Result

    def _ended(self, ended_by: int) -> FileRejected:
        """What is said of a file whose reader was ended by this signal."""
        if ended_by == signal.SIGPROF:
            return FileRejected(f"took longer than {self._timeout_s:g} seconds of processor time to read.")
        if ended_by == signal.SIGALRM:
            return FileRejected(f"took longer than {self._timeout_s * WAITING:g} seconds to read.")
        return CRASHED


def _serve(jobs: IO[bytes], outcomes: IO[bytes]) -> None:
    """A reader's life: its work first, then jobs in, results or rejections out, until the pipe closes."""
    received = _received(jobs)
    told = next(received, None)
    if told is None:
        return
    work, result, processor_s, clock_s = told
    packing = TypeAdapter(result)
    for job in received:
        kind, said = _REJECTION, b""
        # The kernel keeps the time: a parser that hangs lets no Python run that could look at a clock.
        signal.setitimer(signal.ITIMER_PROF, processor_s)
        signal.setitimer(signal.ITIMER_REAL, clock_s)
        try:
            kind, said = _RESULT, packing.dump_json(work(job))
        except FileRejected as rejected:
            said = _sentence(rejected)
        except MemoryError:
            said = _sentence(FileRejected(f"needs more than {MEMORY_LIMIT >> 30} GB of memory to read."))
        except Exception as error:  # noqa: BLE001 - the edge of the process: one bad file must not end the ingest
            said = _sentence(could_not(error))
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
            signal.setitimer(timer, 0)
        outcomes.write(_HEAD.pack(kind, len(said)) + said)
        outcomes.flush()


def _sentence(rejected: FileRejected) -> bytes:
    return str(rejected).encode("utf-8", "replace")


def _received(jobs: IO[bytes]) -> Iterator[Any]:
    """What comes through the pipe until it closes: an ingest that is interrupted may close it at any moment."""
    while True:
        try:
            yield pickle.load(jobs)  # noqa: S301 - the other end is this module
        except (EOFError, pickle.UnpicklingError):
            return


def _main() -> None:
    # Ctrl-C goes to the whole process group; the parent decides when its readers stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    confine()
    # Nothing a file format's library prints may end up among the outcomes.
    outcomes = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _serve(sys.stdin.buffer, outcomes)


if __name__ == "__main__":
    _main()
