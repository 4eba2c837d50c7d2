"""Where runs are taken on: so many at once and in turn, none for somebody who has left or once the service stops."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

from fastapi import Request

from docmind.domain.answers import RunResult
from docmind.domain.errors import Busy
from docmind.domain.stream import Resulted, RunStarted, StreamEvent

T = TypeVar("T")

COME_AGAIN_S = 5.0
"""By then another run has usually ended."""
QUIET_S = 15.0
"""After so long without a word a stream says that it is still there: what lies between may close a silent one."""

_END = object()
_FULL = "The service has taken on {} runs, and that is all it can; ask again in a few seconds."
_STOPS = "The service is stopping; ask again when it is back."
_RESUME = "The service is stopping. Run {} can be resumed when it is back."


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


class Desk:
    """Belongs to one event loop."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._most = at_once + waiting
        self._turns = asyncio.Semaphore(at_once)
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._under_way)

    @property
    def is_closed(self) -> bool:
        """Whether the service is stopping."""
        return self._closed

    async def answer(self, run: AsyncGenerator[StreamEvent, None], request: Request) -> RunResult:
        """What a run gives. The run stops when its client goes away."""
        told: list[StreamEvent] = []
        await self.result(_pour(run, told.append), request, told)
        return next(event.result for event in reversed(told) if isinstance(event, Resulted))

    async def result(self, work: Coroutine[Any, Any, T], request: Request, told: Sequence[StreamEvent] = ()) -> T:
        """What any work gives, with what it has told so far. It stops when its client goes away."""
        task, gone = self._take_on(work), asyncio.create_task(_left(request))
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise ClientGone
            return _outcome(task, told)
        finally:
            task.cancel()
            gone.cancel()

    async def events(self, run: AsyncGenerator[StreamEvent, None]) -> AsyncGenerator[StreamEvent | None, None]:
        """What a run tells, and None when it has told nothing for a while. Whoever stops reading stops the run."""
        box: asyncio.Queue[Any] = asyncio.Queue()
        task = self._take_on(_pour(run, box.put_nowait))
        task.add_done_callback(lambda _: box.put_nowait(_END))
        begun: list[StreamEvent] = []
        try:
            while (event := await _next(box)) is not _END:
                begun += [event] if isinstance(event, RunStarted) else []
                yield event
            _outcome(task, begun)
        finally:
            task.cancel()

    async def wind_up(self, within_s: float) -> None:
        """Take nothing on and begin nothing any more, and stop what has not ended in time; runs can be resumed."""
        self._closed = True
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=within_s)
            for task in late:
                task.cancel()

    def _take_on(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        if self._closed or len(self._under_way) >= self._most:
            work.close()
            raise Busy(_STOPS if self._closed else _FULL.format(self._most), wait_s=COME_AGAIN_S)
        task = asyncio.create_task(self._in_turn(work))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        # One whose turn never came has not been begun, and would complain of that.
        task.add_done_callback(lambda _: work.close())
        return task

    async def _in_turn(self, work: Coroutine[Any, Any, T]) -> T:
        async with self._turns:
            if self._closed:
                raise Busy(_STOPS, wait_s=COME_AGAIN_S)
            return await work


async def _pour(run: AsyncGenerator[StreamEvent, None], take: Callable[[StreamEvent], object]) -> None:
    async with aclosing(run):
        async for event in run:
            take(event)


async def _next(box: asyncio.Queue[Any]) -> Any:
    try:
        return await asyncio.wait_for(box.get(), QUIET_S)
    except TimeoutError:
        return None


def _outcome(task: asyncio.Task[T], told: Sequence[StreamEvent]) -> T:
    if task.cancelled():
        # A run that has said that it began is on record.
        run = next((event.run_id for event in told if isinstance(event, RunStarted)), None)
        raise Busy(_RESUME.format(run) if run else _STOPS, wait_s=COME_AGAIN_S)
    return task.result()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
