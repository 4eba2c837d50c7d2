"""The lease on a run while it is worked on: two that wrote to its checkpoints at once would undo each other's work."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from docmind.domain.errors import StoreError, UnderWay
from docmind.memory.leases import RENEWED_EVERY_S, Lease, Leases


@asynccontextmanager
async def hold_lease(leases: Leases, work: str) -> AsyncIterator[Lease]:
    """Hold a lease for as long as the block runs; `UnderWay` where somebody else does."""
    lease = await asyncio.to_thread(leases.take, work)
    renewing = asyncio.create_task(_renew(leases, lease))
    try:
        yield lease
    finally:
        renewing.cancel()
        leases.release(lease)


async def require_lease(leases: Leases, lease: Lease) -> None:
    """Refuse to write what somebody else is at by now: this process had slept for longer than its lease lasted."""
    if not await asyncio.to_thread(leases.renew, lease):
        raise UnderWay("The run was taken up by another process while this one slept; that one goes on with it.")


async def _renew(leases: Leases, lease: Lease) -> None:
    while True:
        await asyncio.sleep(RENEWED_EVERY_S)
        with suppress(StoreError):
            await asyncio.to_thread(leases.renew, lease)
