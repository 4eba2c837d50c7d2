"""How long an event loop had to wait while something else was going on beside it."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

TICK_S = 0.005


def longest_stall_ms(work: Coroutine[Any, Any, object]) -> float:
    """Run `work` on a loop of its own and watch how late, at worst, a ticker on the same loop comes."""

    async def watch() -> float:
        worst = 0.0
        going = asyncio.ensure_future(work)
        while not going.done():
            due = time.perf_counter() + TICK_S
            await asyncio.sleep(TICK_S)
            worst = max(worst, time.perf_counter() - due)
        await going
        return worst * 1000

    return asyncio.run(watch())
