"""Checkpoints in a file of SQLite, for one event loop: each is written in one go, on a thread of its own.

LangGraph's saver for event loops hands every statement, every commit and every cursor to its thread by itself. An
answer has more than a dozen writes, and most of what they cost was handing over.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from typing import Any, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.base import CheckpointTuple as Tuple
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver

from docmind.domain.errors import StoreError, StoreUnavailable

T = TypeVar("T")


class CheckpointFile(SqliteSaver):
    """LangGraph's saver for threads, to be awaited."""

    def __init__(self, connection: sqlite3.Connection, serde: SerializerProtocol) -> None:
        super().__init__(connection, serde=serde)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="checkpoints")

    async def asetup(self) -> None:
        await self._do(self.setup)

    async def aclose(self) -> None:
        await self._do(self.conn.close)
        self._thread.shutdown()

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:  # noqa: ARG002 - LangGraph's
        """One transaction. What fails leaves nothing behind: the connection is for all runs, and what was left open on
        it would be written with the next one's."""
        with self.lock:
            self.setup()
            with self.conn, closing(self.conn.cursor()) as cursor:
                yield cursor

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self._do(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        for found in await self._do(lambda: list(self.list(config, filter=filter, before=before, limit=limit))):
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await self._do(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await self._do(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await self._do(self.delete_thread, thread_id)

    async def _do(self, work: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *given))


# What comes of bytes that are not what was written: no MessagePack, no JSON, an unknown kind, a part that is missing.
_UNREADABLE = (ValueError, LookupError, TypeError, NotImplementedError)


class Explained(BaseCheckpointSaver[str]):
    """To stand before the class that keeps the checkpoints."""

    failures: type[Exception]
    """What its database raises."""

    async def aget_tuple(self, config: RunnableConfig) -> Tuple | None:
        try:
            async with self._explaining():
                found = await super().aget_tuple(config)
            # Other bytes may be MessagePack as well.
            if found is not None and not isinstance(found.checkpoint["channel_values"], dict):
                raise ValueError("it holds no values")
        except _UNREADABLE as error:
            raise StoreError(
                f"What this run or conversation had come to is damaged ({' '.join(str(error).split())[:200]}), so it "
                "cannot go on from there. Ask again, in a new thread if it is one, and delete this one."
            ) from error
        return found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        async with self._explaining():
            return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        async with self._explaining():
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        async with self._explaining():
            await super().adelete_thread(thread_id)

    @asynccontextmanager
    async def _explaining(self) -> AsyncIterator[None]:
        try:
            yield
        except self.failures as error:
            raise explained(error) from error


class ExplainedFile(Explained, CheckpointFile):
    failures = sqlite3.Error


def explained(error: Exception) -> StoreError:
    reason = " ".join(str(error).split())
    if type(error) is sqlite3.DatabaseError:
        return StoreError(
            f"The checkpoints of runs are damaged ({reason}). Move checkpoints.db away and start again: runs that have "
            "ended are not in it, and those under way start anew."
        )
    return StoreUnavailable(f"The checkpoints of runs cannot be used: {reason}.")
