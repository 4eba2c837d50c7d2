"""The event loop that runs live on, in a thread of its own: connections and locks of a run belong to one loop."""

import asyncio
import queue
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")

_END = object()


class Loop:
    """Shared by all runs of an engine, whichever thread or event loop they are asked from.

    What a run computes does not keep an event loop waiting that serves others. Whoever stops waiting for a run, or
    stops reading its stream, cancels it.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._opened = AsyncExitStack()
        self._running: set[asyncio.Task[Any] | None] = set()
        # A program that ends without closing the engine ends all the same.
        self._thread = Thread(target=self._loop.run_forever, name="docmind-runs", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Cancel what is under way, let it clean up, and close what was opened here."""
        if self._thread.is_alive():
            self._submit(self._wind_up()).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def open(self, part: AbstractAsyncContextManager[T]) -> T:
        """Open something that lives on this loop, until it is closed."""
        return self.call(self._opened.enter_async_context(part))

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        future = self._submit(work)
        try:
            return future.result()
        finally:
            future.cancel()

    async def acall(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(self._submit(work))

    def iterate(self, items: AsyncGenerator[T, None]) -> Iterator[T]:
        box: queue.SimpleQueue[Any] = queue.SimpleQueue()
        future = self._pour(items, box.put)
        try:
            while (item := box.get()) is not _END:
                yield item
            future.result()
        finally:
            future.cancel()

    async def aiterate(self, items: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
        reader = asyncio.get_running_loop()
        box: asyncio.Queue[Any] = asyncio.Queue()
        future = self._pour(items, lambda item: reader.call_soon_threadsafe(box.put_nowait, item))
        try:
            while (item := await box.get()) is not _END:
                yield item
            future.result()
        finally:
            future.cancel()

    def _pour(self, items: AsyncGenerator[T, None], put: Callable[[Any], object]) -> "Future[None]":
        async def pour() -> None:
            try:
                async with aclosing(items):
                    async for item in items:
                        put(item)
            finally:
                put(_END)

        return self._submit(pour())

    def _submit(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        async def tracked() -> T:
            task = asyncio.current_task()
            self._running.add(task)
            try:
                return await work
            finally:
                self._running.discard(task)

        return asyncio.run_coroutine_threadsafe(tracked(), self._loop)

    async def _wind_up(self) -> None:
        """Only what was asked for is cancelled: what was opened here has tasks of its own, and ends them itself."""
        running = [task for task in self._running if task is not None and task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._opened.aclose()
        await self._loop.shutdown_asyncgens()
        await self._loop.shutdown_default_executor()
