"""What the service does besides answering: it reads uploads, reindexes, and finds questions to suggest."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import islice
from threading import Event

from docmind.domain.errors import StoreError, StoreLocked, UnderWay
from docmind.runtime.engine import DocMind
from docmind.runtime.reindex import WorkspaceVectors
from docmind.server.deps import Backend

_log = logging.getLogger(__name__)
_AGAIN_S = 5.0
QUIET_S = 3.0
"""How long nobody must have asked anything before a question is tried."""
LOOK_EVERY_S = 5.0
AFTER_FAILURE_S = 600.0
_MOMENT_S = 0.5


@asynccontextmanager
async def reading_uploads(engine: DocMind) -> AsyncIterator[None]:
    """Uploads are read as long as the block runs; a store that is away is waited for."""
    starting = asyncio.create_task(_start(engine))
    try:
        yield
    finally:
        if starting.done() and not starting.cancelled():
            await asyncio.to_thread(engine.upload_queue.stop)
        starting.cancel()


async def _start(engine: DocMind) -> None:
    while True:
        try:
            return await asyncio.to_thread(_start_now, engine)
        except StoreError as error:
            _log.warning("Uploads are not read yet: %s", error)
            await asyncio.sleep(_AGAIN_S)


def _start_now(engine: DocMind) -> None:
    # What it is made of is opened here, and not on the event loop.
    engine.upload_queue.start()


class _Stopped(Exception):
    """The service stops; what is left of a reindex is done after the next start."""


@asynccontextmanager
async def reindexing(engine: DocMind) -> AsyncIterator[None]:
    """What is asked for, or was left undone, is reindexed as long as the block runs."""
    stopping = Event()
    working = asyncio.create_task(_reindex(engine, stopping))
    try:
        yield
    finally:
        stopping.set()
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working


async def _reindex(engine: DocMind, stopping: Event) -> None:
    def go_on(_: WorkspaceVectors) -> None:
        if stopping.is_set():
            raise _Stopped

    while not stopping.is_set():
        await asyncio.sleep(LOOK_EVERY_S)
        try:
            await asyncio.to_thread(engine.continue_reindex, go_on)
        except _Stopped:
            return
        except (StoreLocked, UnderWay):
            # Whoever holds the index, or is reindexing, does it.
            continue
        except Exception:  # noqa: BLE001 - the edge of the task
            _log.exception("A reindex could not be done; it is tried again.")
            await asyncio.sleep(AFTER_FAILURE_S)


@asynccontextmanager
async def finding_suggestions(backend: Backend) -> AsyncIterator[None]:
    """Questions to suggest are found as long as the block runs."""
    finding = asyncio.create_task(_find(backend))
    try:
        yield
    finally:
        finding.cancel()
        with suppress(asyncio.CancelledError):
            await finding


async def _find(backend: Backend) -> None:
    engine = backend.engine
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        try:
            await _quiet(backend)
            workspace = await asyncio.to_thread(engine.without_suggestions)
            if workspace is None:
                continue
            steps = engine.find_suggestions(workspace)
            while await asyncio.to_thread(_goes_on, steps):
                await _quiet(backend)
        except Exception:  # noqa: BLE001 - the edge of the task
            # Nobody waits for it, and the next look may do better.
            _log.exception("No questions to suggest could be found.")
            await asyncio.sleep(AFTER_FAILURE_S)


def _goes_on(steps: Iterator[None]) -> bool:
    """Take the next step; False where there was none."""
    return any(True for _ in islice(steps, 1))


async def _quiet(backend: Backend) -> None:
    """Wait until nothing was asked or read for a while."""
    still = 0.0
    while still < QUIET_S:
        await asyncio.sleep(_MOMENT_S)
        busy = backend.desk.is_busy or backend.engine.upload_queue.is_busy
        still = 0.0 if busy else still + _MOMENT_S
