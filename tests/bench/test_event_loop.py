"""The watch over the event loop sees what blocks it."""

import asyncio
import time

import pytest

from docmind.bench.event_loop import longest_stall_ms


def test_work_that_blocks_the_loop_is_seen() -> None:
    async def rude() -> None:
        await asyncio.sleep(0.02)
        time.sleep(0.2)

    assert longest_stall_ms(rude()) > 150


def test_what_the_work_raises_is_raised() -> None:
    async def broken() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        longest_stall_ms(broken())
