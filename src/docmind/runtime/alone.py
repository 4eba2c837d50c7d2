"""Works on a run alone: two that wrote to the same checkpoints at once would each lose what the other did."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from docmind.domain.errors import StoreError, UnderWay
from docmind.memory.claims import RENEWED_EVERY_S, Claim, Claims


@asynccontextmanager
async def alone(claims: Claims, work: str) -> AsyncIterator[Claim]:
    """Hold a claim for as long as the block runs; `UnderWay` where somebody else does."""
    claim = await asyncio.to_thread(claims.take, work)
    renewing = asyncio.create_task(_renew(claims, claim))
    try:
        yield claim
    finally:
        renewing.cancel()
        claims.release(claim)


async def require(claims: Claims, claim: Claim) -> None:
    """Refuse to write what somebody else is at by now: this process had slept for longer than its claim lasted."""
    if not await asyncio.to_thread(claims.renew, claim):
        raise UnderWay("The run was taken up by another process while this one slept; that one goes on with it.")


async def _renew(claims: Claims, claim: Claim) -> None:
    while True:
        await asyncio.sleep(RENEWED_EVERY_S)
        with suppress(StoreError):
            await asyncio.to_thread(claims.renew, claim)
