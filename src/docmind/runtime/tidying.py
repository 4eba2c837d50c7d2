"""What is left to do after a run has ended, and nobody has to wait for."""

import asyncio
from contextlib import suppress
from typing import Self

from docmind.domain.errors import StoreError
from docmind.memory.checkpoints import Checkpoints

_AFTER_S = 0.02
"""By then whoever asked has the answer, and is not kept from it by what is left to do."""


class Tidying:
    """Belongs to the event loop that runs live on; when it is closed, everything has been tidied."""

    def __init__(self, checkpoints: Checkpoints) -> None:
        self._checkpoints = checkpoints
        self._under_way: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*self._under_way)

    def forget(self, checkpoints: str) -> None:
        """Delete the checkpoints of an ended run: nothing goes on from it, and its replay starts from the question."""

        async def delete() -> None:
            await asyncio.sleep(_AFTER_S)
            # What cannot be removed now takes up room, and nothing else.
            with suppress(StoreError):
                await self._checkpoints.adelete_thread(checkpoints)

        task = asyncio.create_task(delete())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
