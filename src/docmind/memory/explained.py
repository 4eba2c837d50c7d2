"""Checkpoints that say in a sentence what goes wrong with them."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.base import CheckpointTuple as Tuple

from docmind.domain.errors import StoreError, StoreUnavailable
from docmind.memory.checkpoint_file import CheckpointFile

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
