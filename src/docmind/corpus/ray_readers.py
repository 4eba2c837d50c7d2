"""Readers on the machines of a Ray cluster: files' bytes go out, what was read of them comes back."""

import logging
import pickle
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Self, cast
from urllib.parse import urlsplit

from docmind.corpus.readers import CRASHED, Job, ProcessReaders, Result, could_not
from docmind.domain.errors import DocMindError, FileRejected, StoreError, StoreUnavailable

if TYPE_CHECKING:
    from types import ModuleType

Finish = Callable[[Result], Result]

NO_RAY = "Reading files on a Ray cluster needs its package: pip install 'docmind[ray]'."
ATTEMPTS = 4
"""How often a job is begun whose machine dies; one that outlives none of them is held to be the cause."""
QUEUED_A_CORE = 2
"""A job under way and one behind it, so that no core waits for this machine."""
_PATIENCE_S = 10.0


class RayReaders(Generic[Job, Result]):
    """Applies `work` to jobs in reader processes all over the cluster at `address`, and `finish` beside them.

    `pack` makes of a job what can be sent: another machine has other files. `open_finish` is called once on every core
    that takes part, and what it returns takes whatever was read there, within no time limit. A job whose reader dies or
    overruns `timeout_s` yields `FileRejected`, as it does on one machine; one whose machine dies goes to another.
    """

    def __init__(
        self,
        address: str,
        pack: Callable[[Job], Job],
        work: Callable[[Job], Result],
        result: type[Result],
        open_finish: Callable[[], Finish[Result]] | None = None,
        count: int | None = None,
        timeout_s: float = 300,
    ) -> None:
        self._address = address
        self._pack = pack
        # Workers know a plan that they have seen before by its bytes.
        self._plan = pickle.dumps((work, result, open_finish, timeout_s))
        self._count = count
        self._cluster: _Cluster | None = None
        self._busy: dict[Any, Job] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._cluster is not None:
            self._cluster.leave(list(self._busy))
        self._busy.clear()

    def map(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Result | FileRejected]]:
        for job in jobs:
            try:
                packed = self._pack(job)
            except OSError as error:
                yield job, could_not(error)
                continue
            # A cluster is joined only where there is something to read.
            self._cluster = self._cluster or _Cluster(self._address, self._count)
            self._busy[self._cluster.send(self._plan, packed)] = job
            while len(self._busy) >= self._cluster.room:
                yield self._next(self._cluster)
        while self._cluster is not None and self._busy:
            yield self._next(self._cluster)

    def _next(self, cluster: "_Cluster") -> tuple[Job, Result | FileRejected]:
        done, outcome = cluster.receive(list(self._busy))
        return self._busy.pop(done), cast("Result | FileRejected", outcome)


class _Cluster:
    """A connection that lasts as long as an ingest, unless the program that runs us has one of its own."""

    def __init__(self, address: str, count: int | None) -> None:
        self._address = address
        _knock(address)
        self._ray = _import_ray()
        self._ours = not self._ray.is_initialized()
        if self._ours:
            try:
                self._ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
            except (ConnectionError, OSError, RuntimeError, ValueError) as error:
                raise _unreachable(address, error) from error
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        self.room = count or QUEUED_A_CORE * max(1, cores)
        """The most jobs under way or waiting on the cluster."""
        self._perform = self._ray.remote(max_retries=ATTEMPTS - 1, num_cpus=1)(perform)

    def send(self, plan: bytes, job: object) -> Any:
        return self._perform.remote(plan, job)

    def receive(self, under_way: list[Any]) -> tuple[Any, object]:
        """The first that is done, and what came of it."""
        errors = self._ray.exceptions
        try:
            (done, *_), _ = self._ray.wait(under_way, num_returns=1)
            return done, self._ray.get(done)
        except errors.RayTaskError as failed:
            raise _explained(failed.cause) from failed
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError):
            return done, CRASHED
        except (errors.RayError, ConnectionError) as error:
            raise _unreachable(self._address, error) from error

    def leave(self, under_way: list[Any]) -> None:
        # Where the cluster is gone, so are its tasks.
        with suppress(self._ray.exceptions.RayError, ConnectionError):
            for each in under_way:
                self._ray.cancel(each, force=True)
        if self._ours:
            self._ray.shutdown()


def perform(plan: bytes, job: object) -> object:
    """Runs on the cluster."""
    return _station(plan).perform(job)


@cache
def _station(plan: bytes) -> "_Station":
    return _Station(*pickle.loads(plan))  # noqa: S301 - the other end is this module


class _Station:
    """A worker's own reader process, so that the worker outlives whatever a file does, and what finishes its work."""

    def __init__(
        self,
        work: Callable[[Any], Any],
        result: type[Any],
        open_finish: Callable[[], Finish[Any]] | None,
        timeout_s: float,
    ) -> None:
        self._reader = ProcessReaders(work, result, 1, timeout_s)
        self._finish = open_finish() if open_finish else lambda read: read

    def perform(self, job: object) -> object:
        ((_, outcome),) = self._reader.map([job])
        return outcome if isinstance(outcome, FileRejected) else self._finish(outcome)


def _import_ray() -> "ModuleType":
    try:
        import ray
    except ModuleNotFoundError as error:
        raise StoreError(NO_RAY) from error
    return ray


def _knock(address: str) -> None:
    """Ray itself tries for minutes before it says that nobody is there."""
    place = urlsplit(address if "//" in address else f"//{address}")
    try:
        if place.port and place.hostname:
            socket.create_connection((place.hostname, place.port), _PATIENCE_S).close()
    except (OSError, ValueError) as error:
        raise _unreachable(address, error) from error


def _unreachable(address: str, error: Exception) -> StoreUnavailable:
    reason = " ".join(str(error).split())[:300].rstrip(".")
    return StoreUnavailable(f"The Ray cluster at {address!r} cannot be used: {reason}.")


def _explained(cause: Exception) -> DocMindError:
    if isinstance(cause, DocMindError):
        return cause
    return StoreError(
        f"A machine of the Ray cluster failed ({type(cause).__name__}: {cause}). "
        "Each of them needs the same version of docmind as this one."
    )
