"""What tests of the checking floor share."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

Steps = Callable[[Callable[[], object]], int]


@pytest.fixture(scope="session")
def steps() -> Steps:
    """Counts the lines of Python that run: what work costs, whatever the machine is doing."""

    def count_of(work: Callable[[], object]) -> int:
        counted = 0

        def count(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal counted
            counted += event == "line"
            return count

        before = sys.gettrace()
        sys.settrace(count)
        try:
            work()
        finally:
            sys.settrace(before)
        return counted

    return count_of
